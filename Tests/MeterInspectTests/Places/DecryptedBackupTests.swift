import CoreDataStore
import MeterInspect
import MeterTestSupport
import Testing

@Suite("a device's backup that was encrypted")
struct DecryptedBackupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("is read where a tool has decrypted its files, though its Manifest.plist still says otherwise")
    func decrypted() throws {
        let store = try folder.store(StoreFixture(records: [Meters.healthy]))
        var fixture = try DeviceBackupFixture(
            at: folder.path + "/backup", isEncrypted: true, fileID: DeviceBackup.fileID)
        try fixture.add(store: store)
        try fixture.finish()
        let backup = try DeviceBackup(at: fixture.path)
        #expect(backup.problems.isEmpty && backup.stores.map(\.log) == [.there])
    }

    @Test("is refused while its list is no database", arguments: [[], [9, 9, 9], Array("bplist00".utf8)] as [[UInt8]])
    func encrypted(_ list: [UInt8]) throws {
        let fixture = try DeviceBackupFixture(
            at: folder.path + "/backup", isEncrypted: true, fileID: DeviceBackup.fileID)
        try FileBytes.write(list, to: fixture.path + "/Manifest.db")
        let error = #expect(throws: StoreError.self) { try DeviceBackup(at: fixture.path) }
        #expect(error?.message.hasPrefix("an encrypted backup") == true)
    }
}
