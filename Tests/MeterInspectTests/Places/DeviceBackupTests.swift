import CoreDataStore
import Foundation
import MeterInspect
import MeterRepair
import MeterTestSupport
import Testing

/// Made as the layout is documented; no backup of a device was there to try.
@Suite("a backup of a device")
struct DeviceBackupTests {
    private typealias Row = DeviceBackupFixture.Row

    private let folder: TemporaryFolder
    private var path: String { folder.path + "/backup" }
    private var target: String { folder.path + "/out" }

    init() throws { folder = try TemporaryFolder() }

    /// With the app's store, the files of `more`, and another app's.
    private func make(isEncrypted: Bool = false, _ more: (inout DeviceBackupFixture) throws -> Void = { _ in }) throws {
        var backup = try DeviceBackupFixture(at: path, isEncrypted: isEncrypted, fileID: DeviceBackup.fileID)
        let store = try folder.store(
            StoreFixture(records: [FixtureRecord(row: 1, macAddress: "A4:C1:38:0B:7E:21")]).with {
                $0.logPlacement = .rowsInLogOnly
            },
            named: "original.sqlite")
        try backup.add(store: store)
        try backup.add([1, 2, 3], "AppDomain-com.example.other", "Documents/CKModel.sqlite")
        try more(&backup)
        try backup.finish()
    }

    private func refusal(_ body: () throws -> Void) -> StoreError? {
        do { try body() } catch { return error as? StoreError }
        return nil
    }

    @Test("names a file by the SHA-1 of its domain and path, as the messages of every iPhone are named")
    func names() {
        #expect(DeviceBackup.fileID("HomeDomain", "Library/SMS/sms.db") == "3d0d7e5fb2ce288813306e4d4636395e047a3d28")
    }

    @Test("gives no file that has fewer bytes than the list says, and a store without its cut log is one without it")
    func cut() throws {
        try make()
        func file(_ suffix: String) -> String {
            let id = DeviceBackup.fileID(DeviceBackupFixture.domain, DeviceBackupFixture.storePath + suffix)
            return "\(path)/\(id.prefix(2))/\(id)"
        }
        let log = try FileBytes.read(file("-wal"))
        for count in [0, log.count - 1] {
            try FileBytes.write(Array(log.prefix(count)), to: file("-wal"))
            let store = try #require(try DeviceBackup(at: path).stores.first)
            #expect(store.log == .cut && store.log.isMissing && store.files.map(\.name) == ["CKModel.sqlite"])
        }
        // Whoever decrypts it may leave what filled the last block.
        try FileBytes.write(log + [0, 0], to: file("-wal"))
        #expect(try DeviceBackup(at: path).stores.first?.log == .there)
        try FileBytes.write(Array(FileBytes.read(file("")).dropLast()), to: file(""))
        let backup = try DeviceBackup(at: path)
        #expect(backup.stores.isEmpty && backup.problems.contains { $0.contains("bytes that are listed") })
    }

    @Test("gives the app's store, its log and the preferences under their names, byte for byte, and stays as it was")
    func copies() throws {
        try make {
            try $0.add([7], DeviceBackupFixture.domain, "Library/Preferences/ro.xdev.USB-Meter.plist")
        }
        let before = try FolderSnapshot(path)
        let backup = try DeviceBackup(at: path)
        #expect(backup.problems.isEmpty)
        #expect(backup.stores.map(\.domain) == [DeviceBackupFixture.domain])
        #expect(
            backup.stores.first?.files.map(\.name) == [
                "CKModel.sqlite", "CKModel.sqlite-wal", "ro.xdev.USB-Meter.plist",
            ])
        let copies = try backup.copy(to: target)
        #expect(copies.joined().map(\.path) == backup.stores[0].files.map { "\(target)/\($0.name)" })
        for suffix in ["", "-wal"] {
            #expect(
                try FileBytes.read("\(target)/CKModel.sqlite\(suffix)")
                    == FileBytes.read("\(folder.path)/original.sqlite\(suffix)"))
        }
        #expect(try StorePlaces(in: target).places.map(\.records) == [1])
        let after = try FolderSnapshot(path)
        #expect(after.differences(from: before).isEmpty)
        // In the place of a store it says how to get at it.
        let refusal = refusal { _ = try StorePlaces.store(named: folder.path + "/backup") }
        #expect(refusal?.kind == .notFound)
        #expect(refusal?.hint == "copy the app's store out of it: meterfix where --copy-to NEWFOLDER \(path)")
    }

    @Test("with several stores gives each a folder of its own")
    func several() throws {
        let group = "AppDomainGroup-group.ro.xdev.USB-Meter"
        try make { try $0.add(store: folder.path + "/original.sqlite", group, "CKModel.sqlite") }
        let copies = try DeviceBackup(at: path).copy(to: target)
        #expect(copies.map(\.first?.path) == ["\(target)/1/CKModel.sqlite", "\(target)/2/CKModel.sqlite"])
    }

    /// A store in journal mode WAL without its `-wal`, in a backup with a list as given.
    private func withoutLog(listsFolders: Bool, _ mode: StoreOptions.JournalMode = .wal) throws -> DeviceBackup {
        var backup = try DeviceBackupFixture(at: path, fileID: DeviceBackup.fileID)
        let store = try folder.store(
            StoreFixture(records: [FixtureRecord(row: 1, macAddress: "A4:C1:38:0B:7E:21")]).with {
                $0.journalMode = mode
            },
            named: "original.sqlite")
        try backup.add(FileBytes.read(store), DeviceBackupFixture.domain, DeviceBackupFixture.storePath)
        backup.listsFolders = listsFolders
        try backup.finish()
        return try DeviceBackup(at: path)
    }

    @Test("without a -wal is complete where its list is whole: it names the folders too, as a device lists them")
    func wholeList() throws {
        let backup = try withoutLog(listsFolders: true)
        #expect(backup.stores.map(\.log) == [.notListed])
        _ = try backup.copy(to: target)
        #expect(try FileBytes.read(target + "/CKModel.sqlite-wal").isEmpty)
        #expect(try StorePlaces(in: target).places.map(\.isIncomplete) == [false])
    }

    @Test("without a -wal whose list was shortened says nothing of a log: the copy is given none, and is incomplete")
    func prunedList() throws {
        let backup = try withoutLog(listsFolders: false)
        #expect(backup.stores.map(\.log) == [.unknown])
        _ = try backup.copy(to: target)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["CKModel.sqlite"])
        #expect(try StorePlaces(in: target).places.map(\.isIncomplete) == [true])
    }

    @Test("of a store in another journal mode needs no list to be complete")
    func noLogNeeded() throws {
        #expect(try withoutLog(listsFolders: false, .delete).stores.map(\.log) == [.notListed])
    }

    @Test("that is encrypted is refused, with what to ask the customer for")
    func encrypted() throws {
        try make(isEncrypted: true)
        try FileBytes.write([9, 9, 9], to: path + "/Manifest.db")
        for body in [{ _ = try DeviceBackup(at: path) }, { _ = try StorePlaces.store(named: path) }] {
            let refusal = refusal(body)
            #expect(refusal?.kind == .unsuitable)
            #expect(refusal?.message.hasPrefix("an encrypted backup") == true)
            #expect(refusal?.hint?.contains("Encrypt local backup") == true)
        }
    }

    @Test("whose manifest lies is believed in nothing: nothing is read or written outside")
    func lies() throws {
        let domain = DeviceBackupFixture.domain
        try make { backup in
            let secret = "\(folder.path)/secret"
            try FileBytes.write([5], to: secret)
            for place in ["../../secret", "/etc", "a/", "b\n"] {
                try backup.add([6], domain, place + "/CKModel.sqlite")
            }
            backup.add(Row("../../../secret", domain, "x/CKModel.sqlite"))
            backup.add(Row(String(repeating: "f", count: 100_000), domain, "y/CKModel.sqlite"))
            backup.add(Row(DeviceBackup.fileID(domain, "gone/CKModel.sqlite"), domain, "gone/CKModel.sqlite"))
            backup.add(Row(DeviceBackup.fileID(domain, "dir/CKModel.sqlite"), domain, "dir/CKModel.sqlite", flags: 2))
            backup.add(Row(String(repeating: "e", count: 40), domain, "z\0/CKModel.sqlite"))
            // A link in the place of a file, and of its folder.
            for (name, isFolder) in [("link/CKModel.sqlite", false), ("linked/CKModel.sqlite", true)] {
                let id = DeviceBackup.fileID(domain, name)
                backup.add(Row(id, domain, name))
                let place = "\(path)/\(id.prefix(2))"
                if isFolder {
                    try FileManager.default.createDirectory(
                        atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
                    try FileBytes.write([5], to: "\(folder.path)/elsewhere/\(id)")
                    try FileManager.default.createSymbolicLink(
                        atPath: place, withDestinationPath: folder.path + "/elsewhere")
                } else {
                    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                    try FileManager.default.createSymbolicLink(atPath: "\(place)/\(id)", withDestinationPath: secret)
                }
            }
        }
        let before = try FolderSnapshot(folder.path)
        let backup = try DeviceBackup(at: path)
        #expect(backup.stores.count == 1)
        #expect(backup.stores.first?.files.first?.pathOnDevice == DeviceBackupFixture.storePath)
        #expect(backup.problems.count == 8, "\(backup.problems)")
        _ = try backup.copy(to: target)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: target).sorted() == [
                "CKModel.sqlite", "CKModel.sqlite-wal",
            ])
        try FileManager.default.removeItem(atPath: target)
        let after = try FolderSnapshot(folder.path)
        #expect(after.differences(from: before, withFolder: false).isEmpty)
    }

    @Test(
        "without its list, or with another one, is refused",
        arguments: [
            "DROP TABLE Files", "ALTER TABLE Files RENAME TO F; CREATE VIEW Files AS SELECT * FROM F",
            "ALTER TABLE Files DROP COLUMN flags",
            """
            DROP TABLE Files;
            CREATE TABLE Files (fileID, domain, flags, relativePath AS (hex(zeroblob(400000000)) || '/CKModel.sqlite'));
            INSERT INTO Files (fileID, domain, flags) VALUES ('x', 'AppDomain-ro.xdev.USB-Meter', 1)
            """,
        ])
    func noList(_ damage: String) throws {
        try DeviceBackupFixture(at: path, fileID: DeviceBackup.fileID).finish(damage)
        #expect(refusal { _ = try DeviceBackup(at: path) }?.message.hasPrefix("not the list of a backup") == true)
    }

    @Test("is copied only into a new or empty folder outside of it, whole or not at all")
    func places() throws {
        try make { try $0.add([7], DeviceBackupFixture.domain, "Library/Preferences/ro.xdev.USB-Meter.plist") }
        let backup = try DeviceBackup(at: path)
        try FileManager.default.createDirectory(atPath: folder.path + "/empty", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
        let inside = ["\(path)/new", path, "\(folder.path)/link/new", path + "/Manifest.db"]
        for place in inside + [folder.path, "", "/no/new"] {
            #expect(refusal { _ = try backup.copy(to: place) }?.kind == .cannotCreate, "\(place)")
        }
        // What is gone meanwhile takes the rest with it.
        let last = try #require(backup.stores[0].files.last)
        unlink(last.path)
        for place in [target, folder.path + "/empty"] {
            #expect(throws: StoreError.self) { try backup.copy(to: place) }
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/empty").isEmpty)
        // A file with holes may say any size.
        let first = try #require(backup.stores[0].files.first)
        #expect(truncate(first.path, 5 << 30) == 0)
        let large = refusal { _ = try DeviceBackup(at: path).copy(to: target) }
        #expect(large?.message.hasSuffix("more than any store of the app has") == true)
        #expect(!FileManager.default.fileExists(atPath: target))
    }
}
