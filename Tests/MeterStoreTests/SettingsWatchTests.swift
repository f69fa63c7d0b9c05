import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@Suite("what watches a settings store")
struct SettingsWatchTests {
    private static let kitchen = "A4:C1:38:0B:7E:21"
    private static let lab = "00:1A:7D:DA:71:13"

    private let folder: TemporaryFolder
    private let path: String
    private let store: SettingsStore
    private let ana: AppDevice

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.store(
            StoreFixture(records: [FixtureRecord(row: 1, macAddress: Self.kitchen, meterName: "Kitchen")]))
        store = try SettingsStore(opening: path, access: .shared)
        ana = try #require(AppDevice(id: "ana", name: "Ana's iPhone"))
    }

    private static func later(_ seconds: Double) -> Timestamp {
        Timestamp(secondsSince2001: FixtureClock.now + seconds)
    }

    private func rename(_ address: String, _ name: String) throws {
        try store.upsertDeviceSettings(
            macAddress: address, meterName: name, tc66TemperatureUnit: nil, at: Self.later(0))
    }

    /// As somebody else, who writes no history.
    private func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path, configuration: .ofApp)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test("tells every record first, and then nothing as long as nobody writes")
    func first() throws {
        let watch = SettingsWatch(path)
        defer { watch.end() }
        let change = try #require(try watch.look(at: Self.later(0)))
        #expect(change.saved.map(\.meterName) == ["Kitchen"])
        #expect(change.deleted.isEmpty && change.expired.isEmpty)
        for second in 1...10 { #expect(try watch.look(at: Self.later(Double(second))) == nil) }
        // A write that changes no record is nothing to tell.
        try execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 1")
        for second in 11...20 { #expect(try watch.look(at: Self.later(Double(second))) == nil) }
    }

    @Test("tells the first of a store without records, too")
    func empty() throws {
        let path = try folder.store(StoreFixture(), named: "Empty.sqlite")
        let watch = SettingsWatch(path)
        defer { watch.end() }
        #expect(try watch.look(at: Self.later(0))?.saved == [])
    }

    @Test("tells what was saved and deleted when nothing more is written, all of it at once")
    func debounced() throws {
        let watch = SettingsWatch(path)
        defer { watch.end() }
        _ = try watch.look(at: Self.later(0))
        try rename(Self.lab, "Lab")
        #expect(try watch.look(at: Self.later(1)) == nil, "more may come")
        try rename(Self.lab, "Laboratory")
        #expect(try watch.look(at: Self.later(2)) == nil)
        try execute("DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 1")
        #expect(try watch.look(at: Self.later(3)) == nil)
        let change = try #require(try watch.look(at: Self.later(4)))
        #expect(change.saved.map(\.meterName) == ["Laboratory"])
        #expect(change.deleted.map(\.meterName) == ["Kitchen"])
        #expect(try watch.look(at: Self.later(5)) == nil)
    }

    @Test("does not wait for a process that writes all the time")
    func patience() throws {
        let watch = SettingsWatch(path)
        defer { watch.end() }
        _ = try watch.look(at: Self.later(0))
        var told: [String?] = []
        for number in 1...12 {
            try rename(Self.kitchen, "Kitchen number \(number)")
            told += try watch.look(at: Self.later(Double(number)))?.saved.map(\.meterName) ?? []
        }
        #expect(told == ["Kitchen number 4", "Kitchen number 8", "Kitchen number 12"])
    }

    @Test("tells once that a lock has expired, and not of one that was renewed or cleared")
    func expiry() throws {
        try store.setConnection(macAddress: Self.kitchen, modelType: nil, by: ana, at: Self.later(0))
        let watch = SettingsWatch(path)
        defer { watch.end() }
        _ = try watch.look(at: Self.later(1))
        #expect(try watch.look(at: Self.later(120)) == nil)
        let change = try #require(try watch.look(at: Self.later(120.5)))
        #expect(change.expired.map(\.macAddress) == [Self.kitchen])
        #expect(change.saved.isEmpty && change.deleted.isEmpty)
        #expect(try watch.look(at: Self.later(121)) == nil)

        try store.setConnection(macAddress: Self.kitchen, modelType: nil, by: ana, at: Self.later(130))
        _ = try watch.look(at: Self.later(131))
        #expect(try watch.look(at: Self.later(132))?.expired == [])
        try store.setConnection(macAddress: Self.kitchen, modelType: nil, by: ana, at: Self.later(190))
        _ = try watch.look(at: Self.later(191))
        _ = try watch.look(at: Self.later(192))
        #expect(try watch.look(at: Self.later(260)) == nil, "it was renewed until 310")
        try store.clearConnection(macAddress: Self.kitchen, at: Self.later(261))
        _ = try watch.look(at: Self.later(262))
        _ = try watch.look(at: Self.later(263))
        #expect(try watch.look(at: Self.later(400)) == nil)
    }

    @Test("goes on with a file that takes the place of the store")
    func replaced() throws {
        let watch = SettingsWatch(path)
        defer { watch.end() }
        _ = try watch.look(at: Self.later(0))
        let other = try folder.store(
            StoreFixture(records: [FixtureRecord(row: 1, macAddress: Self.lab, meterName: "Lab")]), named: "b.sqlite")
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
            try? FileManager.default.moveItem(atPath: other + suffix, toPath: path + suffix)
        }
        #expect(Foundation.rename(other, path) == 0)
        let changes = try [1.0, 2].compactMap { try watch.look(at: Self.later($0)) }
        #expect(changes.flatMap(\.saved).map(\.meterName) == ["Lab"])
    }

    @Test("the stream of changes begins with every record, shows what is written, and ends with its task")
    func stream() async throws {
        var changes = SettingsStore.changes(at: path, every: .milliseconds(1)).makeAsyncIterator()
        #expect(try await changes.next()?.saved.map(\.meterName) == ["Kitchen"])
        try rename(Self.lab, "Lab")
        #expect(try await changes.next()?.saved.map(\.meterName) == ["Lab"])
        let path = path
        let task = Task {
            var count = 0
            for try await _ in SettingsStore.changes(at: path, every: .milliseconds(1)) { count += 1 }
            return count
        }
        task.cancel()
        #expect(try await task.value <= 1)
    }

    @Test("the stream of changes of what is no store ends with the reason")
    func noStore() async throws {
        let error = await #expect(throws: StoreError.self) {
            for try await _ in SettingsStore.changes(at: folder.path + "/none") {}
        }
        #expect(error?.kind == .notFound)
    }
}
