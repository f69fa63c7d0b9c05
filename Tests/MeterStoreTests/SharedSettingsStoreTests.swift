import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@Suite("a settings store that is shared")
struct SharedSettingsStoreTests {
    private static let address = "A4:C1:38:0B:7E:21"

    private let folder: TemporaryFolder
    private let path: String
    private let ana: AppDevice

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.store(StoreFixture())
        ana = try #require(AppDevice(id: "ana", name: "Ana's iPhone"))
    }

    private static func later(_ seconds: Double) -> Timestamp {
        Timestamp(secondsSince2001: FixtureClock.now + seconds)
    }

    /// What the app does in a day.
    private func live(_ store: SettingsStore) throws {
        try store.upsertDeviceSettings(
            macAddress: Self.address, meterName: "Kitchen", tc66TemperatureUnit: .celsius, at: Self.later(0))
        try store.recordDiscovery(macAddress: Self.address, by: ana, at: Self.later(1))
        try store.setConnection(macAddress: Self.address, modelType: "TC66C", by: ana, at: Self.later(2))
        try store.setConnection(macAddress: Self.address, modelType: nil, by: ana, at: Self.later(62))
        try store.clearConnection(macAddress: Self.address, at: Self.later(70))
        try store.upsertDeviceSettings(
            macAddress: "00:1A:7D:DA:71:13", meterName: "Lab", tc66TemperatureUnit: nil, at: Self.later(80))
    }

    @Test("writes what an exclusive one writes", arguments: [StoreOptions.JournalMode.wal, .delete])
    func same(journalMode: StoreOptions.JournalMode) throws {
        let other = try TemporaryFolder()
        let copy = try other.store(StoreFixture().with { $0.journalMode = journalMode })
        let path = try other.store(StoreFixture().with { $0.journalMode = journalMode }, named: "Shared.sqlite")
        for (path, access) in [(copy, SettingsStore.Access.exclusive), (path, .shared)] {
            let store = try SettingsStore(opening: path, access: access)
            try live(store)
            try store.close()
        }
        // Identities are random.
        let identity = /X'[0-9A-F]{32}'/
        func tables(_ path: String) throws -> [String: [String]] {
            try StoreText(of: path).tables.mapValues { $0.map { $0.replacing(identity, with: "ID") } }
        }
        #expect(try tables(path) == tables(copy))
        let findings = try Verify.report(path, VerifyOptions(now: Self.later(90))).findings
        #expect(findings.filter { $0.severity == .error }.isEmpty)
    }

    @Test("reads and writes while others have the store open, and they see it")
    func besideOthers() throws {
        let app = try DatabaseQueue(path: path)
        func names() throws -> [String] {
            try app.read { try String.fetchAll($0, sql: "SELECT ZMETERNAME FROM ZDEVICESETTINGS ORDER BY Z_PK") }
        }
        #expect(try names() == [])
        let first = try SettingsStore(opening: path, access: .shared)
        let second = try SettingsStore(opening: path, access: .shared)
        try first.upsertDeviceSettings(
            macAddress: Self.address, meterName: "Kitchen", tc66TemperatureUnit: nil, at: Self.later(0))
        #expect(try second.fetch(for: Self.address)?.meterName == "Kitchen")
        try second.upsertDeviceSettings(
            macAddress: "00:1A:7D:DA:71:13", meterName: "Lab", tc66TemperatureUnit: nil, at: Self.later(1))
        #expect(try first.fetchAll().map(\.meterName) == ["Kitchen", "Lab"])
        #expect(try names() == ["Kitchen", "Lab"])
        // The store of the app is its own again: nothing of the two holds a lock.
        try app.write { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Bench' WHERE Z_PK = 1") }
        #expect(try first.fetch(for: Self.address)?.meterName == "Bench")
        try app.close()
    }

    @Test("leaves the file to an exclusive one between two operations, and waits for nobody that has it for good")
    func takesTurns() throws {
        let shared = try SettingsStore(opening: path, access: .shared)
        let exclusive = try SettingsStore(opening: path)
        try exclusive.upsertDeviceSettings(
            macAddress: Self.address, meterName: "Kitchen", tc66TemperatureUnit: nil, at: Self.later(0))
        try exclusive.close()
        #expect(try shared.fetch(for: Self.address)?.meterName == "Kitchen")
        try shared.close()
        #expect(#expect(throws: StoreError.self) { try shared.fetchAll() }?.kind == .internalFault)
    }

    @Test("two threads write a hundred records each, and none is lost")
    func threads() async throws {
        let path = path
        let store = try SettingsStore(opening: path, access: .shared)
        let other = try SettingsStore(opening: path, access: .shared)
        @Sendable func write(_ first: Int, _ store: SettingsStore) throws {
            for number in first..<first + 100 {
                let digits = String(number + 0x100, radix: 16, uppercase: true).suffix(2)
                try store.upsertDeviceSettings(
                    macAddress: "A4:C1:38:0B:\(first == 0 ? "00" : "01"):\(digits)", meterName: "Meter \(number)",
                    tc66TemperatureUnit: nil, at: Self.later(Double(number)))
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try write(0, store) }
            group.addTask { try write(100, other) }
            try await group.waitForAll()
        }
        #expect(Set(try store.fetchAll().map(\.meterName)).count == 200)
        #expect(try StoreText(of: path)[table: "Z_PRIMARYKEY"].contains("1,'DeviceSettings',0,200"))
        #expect(try StoreText(of: path)[table: "ATRANSACTION"].count == 200)
    }

    @Test("refuses a missing file, another app's store, a damaged one, and one without its log")
    func refused() throws {
        func kind(_ path: String) -> StoreError.Kind? {
            #expect(throws: StoreError.self) { try SettingsStore(opening: path, access: .shared) }?.kind
        }
        #expect(kind(folder.path + "/none") == .notFound)
        let foreign = try folder.store(StoreFixture().damaged("DROP TABLE ZDEVICESETTINGS"), named: "foreign.sqlite")
        #expect(kind(foreign) == .unsuitable)
        let picture = folder.path + "/picture.sqlite"
        try Data("no store at all, but long enough to be taken for something".utf8).write(
            to: URL(fileURLWithPath: picture))
        #expect(kind(picture) == .damaged)
        let empty = folder.path + "/empty.sqlite"
        try Data().write(to: URL(fileURLWithPath: empty))
        #expect(kind(empty) == .damaged)
        let alone = try folder.store(StoreFixture(), named: "alone.sqlite")
        try? FileManager.default.removeItem(atPath: alone + "-wal")
        try? FileManager.default.removeItem(atPath: alone + "-shm")
        #expect(kind(alone) == .damaged)
    }
}
