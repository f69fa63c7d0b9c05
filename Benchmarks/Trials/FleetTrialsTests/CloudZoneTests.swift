import MeterModel
import Testing

@testable import FleetSimulation

@Suite("the simulated record zone")
struct CloudZoneTests {
    private static let one = RecordNumber(index: 0)
    private static let two = RecordNumber(index: 1)

    private func save(_ record: RecordNumber, _ text: String, tag: Int) -> CloudZone.Item {
        CloudZone.Item(record: record, work: .save([.text(text)], tag: tag))
    }

    private func tags(_ answer: CloudZone.ModifyAnswer) -> [Int]? {
        if case .done(let tags) = answer { tags } else { nil }
    }

    @Test("answers a save against another version with its own, and does nothing of the batch")
    func conflict() {
        var zone = CloudZone()
        #expect(tags(zone.modify([save(Self.one, "a", tag: 0)], from: 0)) == [1])
        let answer = zone.modify([save(Self.two, "x", tag: 0), save(Self.one, "b", tag: 0)], from: 1)
        guard case .conflicts(let changed, let gone) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(changed.map(\.record) == [Self.one])
        #expect(changed[0].server.values == ["a"])
        #expect(gone.isEmpty)
        #expect(zone[Self.two] == nil)
        #expect(zone.token == 1)
        #expect(tags(zone.modify([save(Self.one, "b", tag: 1)], from: 1)) == [2])
    }

    @Test("does not check a deletion against a version, and answers a later save that the record is gone")
    func deletion() {
        var zone = CloudZone()
        _ = zone.modify([save(Self.one, "a", tag: 0)], from: 0)
        _ = zone.modify([save(Self.one, "b", tag: 1)], from: 0)
        let deletion = CloudZone.Item(record: Self.one, work: .delete)
        #expect(tags(zone.modify([deletion], from: 1)) == [0])
        #expect(tags(zone.modify([deletion], from: 2)) == [0], "deleting twice is no error")
        #expect(zone.token == 3)
        guard case .conflicts(let changed, let gone) = zone.modify([save(Self.one, "c", tag: 2)], from: 0) else {
            Issue.record("saved a record that is gone")
            return
        }
        #expect(changed.isEmpty)
        #expect(gone == [Self.one])
    }

    /// The record's name is free again.
    @Test("creates a record again that a device uploads as a new one after it was deleted")
    func createdAgain() {
        var zone = CloudZone()
        _ = zone.modify([save(Self.one, "a", tag: 0)], from: 0)
        _ = zone.modify([CloudZone.Item(record: Self.one, work: .delete)], from: 1)
        #expect(tags(zone.modify([save(Self.one, "b", tag: 0)], from: 0)) == [3])
        #expect(zone[Self.one]?.values == ["b"])
    }

    @Test("returns each change once, only the newest version, page by page")
    func pages() {
        var zone = CloudZone()
        let records = (0..<5).map(RecordNumber.init)
        for record in records { _ = zone.modify([save(record, "a", tag: 0)], from: 0) }
        _ = zone.modify([save(Self.one, "b", tag: 1)], from: 0)
        _ = zone.modify([CloudZone.Item(record: Self.two, work: .delete)], from: 0)
        var token = 0
        var seen: [Int] = []
        var isDone = false
        while !isDone {
            guard case .page(let page) = zone.changes(since: token, limit: 2, for: 0) else {
                Issue.record("no page since \(token)")
                return
            }
            #expect(page.changes.count <= 2)
            seen += page.changes.map(\.record.index)
            token = page.token
            isDone = !page.moreComing
        }
        #expect(seen == [2, 3, 4, 0, 1])
        #expect(token == zone.token)
    }

    @Test("forgets superseded changes, and still sends everything to a device that comes late")
    func compaction() {
        var zone = CloudZone()
        var tag = 0
        _ = zone.modify([save(Self.two, "x", tag: 0)], from: 0)
        for change in 0..<5_000 { tag = tags(zone.modify([save(Self.one, "\(change)", tag: tag)], from: 0))![0] }
        guard case .page(let page) = zone.changes(since: 0, limit: 400, for: 0) else {
            Issue.record("no page")
            return
        }
        #expect(page.changes.map(\.record) == [Self.two, Self.one])
        #expect(page.token == 5_001)
    }

    @Test("delays one request when it is busy, and accepts deletions but no saves when the account is full")
    func refusals() {
        var zone = CloudZone()
        _ = zone.modify([save(Self.one, "a", tag: 0)], from: 0)
        zone.delayNextRequest(of: 0, by: 30)
        guard case .retryAfter(30) = zone.modify([save(Self.two, "b", tag: 0)], from: 0) else {
            Issue.record("not put off")
            return
        }
        zone.isFull = true
        guard case .quotaExceeded = zone.modify([save(Self.two, "b", tag: 0)], from: 0) else {
            Issue.record("not full")
            return
        }
        #expect(tags(zone.modify([CloudZone.Item(record: Self.one, work: .delete)], from: 0)) == [0])
        zone.isFull = false
        #expect(tags(zone.modify([save(Self.two, "b", tag: 0)], from: 0)) != nil)
    }
}

extension FieldValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .text(value) }
}
