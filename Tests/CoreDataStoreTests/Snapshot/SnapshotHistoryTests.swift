import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@Suite("a snapshot of a store with a history and a mirror")
struct SnapshotHistoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func fixture() -> StoreFixture {
        var records = [
            FixtureRecord(row: 1, macAddress: "A4:C1:38:00:00:01"),
            FixtureRecord(row: 2, macAddress: "A4:C1:38:00:00:02"),
        ]
        records[0].cloudRecordName = "record-1"
        records[1].cloudRecordName = "record-2"
        return StoreFixture(records: records).with {
            $0.mirror = .current
            $0.savedInLog = [
                .update(1, ["meterName": .text("Bench")], at: 700_000_000), .delete(2, at: 700_000_100),
            ]
        }
    }

    @Test("has the last transactions, the newest first, with who, when and what")
    func history() throws {
        let store = try StoreSnapshot(of: try folder.store(fixture()))
        let transactions = try #require(try store.transactions(last: 2))
        #expect(transactions.map(\.number) == [4, 3])
        #expect(transactions.map(\.date) == [700_000_100, 700_000_000].map(Date.init(timeIntervalSinceReferenceDate:)))
        #expect(transactions[1].bundle == "ro.xdev.USB-Meter")
        let change = try #require(transactions[1].changes.first)
        #expect(transactions[1].changes.count == 1)
        #expect(change.kind == .update && change.entity == "DeviceSettings" && change.number == 1)
        #expect(change.properties == ["meterName", "updatedAt"] && change.tombstones.isEmpty)
        #expect(transactions[0].changes.map(\.kind) == [.delete])
        #expect(try store.transactions(last: .max)?.count == 4)
        #expect(try store.transactions(last: -1)?.isEmpty == true)
    }

    @Test("has what each commit in the log changed, before and after")
    func past() throws {
        let store = try StoreSnapshot(of: try folder.store(fixture()))
        let commits = try store.past().filter { !$0.changes.isEmpty }
        #expect(commits.map(\.transaction) == [3, 4])
        #expect(commits[0].changes.count == 1)
        #expect(commits[0].changes[0].after?.values["meterName"] == .text("Bench"))
        #expect(commits[0].changes[0].before?.values["meterName"] != .text("Bench"))
        #expect(commits[1].changes.map { $0.before?.number } == [2])
        #expect(commits[1].changes.map(\.after) == [nil])
    }

    @Test("has what CloudKit's mirror knows, and what it has still to do")
    func mirror() throws {
        let path = try folder.store(
            fixture().with {
                $0.mirrorEvents = [
                    MirrorEvent(
                        .outgoing, at: 700_000_000, succeeded: false, errorDomain: "CKErrorDomain", errorCode: 25)
                ]
            })
        let mirror = try #require(try StoreSnapshot(of: path).mirror())
        #expect(mirror.records.map(\.number) == [1, 2])
        #expect(mirror.records.map(\.recordName) == ["record-1", "record-2"])
        #expect(Set(mirror.records.map(\.entity)) == ["DeviceSettings"])
        #expect(mirror.pending.map(\.record.number) == [1, 2])
        #expect(mirror.pending.map(\.kind) == [.update, .delete])
        let export = try #require(mirror.work.first { $0.name == "export" })
        #expect(export.failures == 1 && export.lastSuccess == nil)
        #expect(export.lastError?.meaning.isEmpty == false)
    }
}
