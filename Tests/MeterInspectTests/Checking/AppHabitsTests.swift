import MeterTestSupport
import Testing

/// What the history alone tells of the app's habits.
@Suite("the app's own saves")
struct AppHabitsTests {
    private static let time = FixtureClock.now - 86_400

    /// So many meters, a record each.
    private static func store(_ count: Int64, _ saves: [FixtureSave]) -> StoreFixture {
        StoreFixture(records: (1...count).map { Meters.other($0, "A4:C1:38:0B:7E:\($0 + 10)") }).told(
            (1...count).map { .made($0, at: time - 86_400) } + saves)
    }

    private static func seen(
        after seconds: Double, row: Int64 = 1, isImport: Bool = false, _ fields: [String] = ["lastSeenAt"]
    ) -> FixtureSave { .changed(row, isImport: isImport, at: time + seconds, fields) }

    private static func flood(
        _ description: String, _ saves: [FixtureSave], finds rows: [[Int64]], _ words: String...
    ) -> CheckCase { CheckCase(description, store(2, saves), finds: rows, words: words) }

    private static let floods = [
        flood("two sightings", [seen(after: 0), seen(after: 1)], finds: []),
        flood("three in two minutes", [0, 60, 120].map { seen(after: $0) }, finds: [[1]], "saved 3 times"),
        flood("three in more than two minutes", [0, 60, 120.5].map { seen(after: $0) }, finds: []),
        flood("four", [0, 1, 2, 3].map { seen(after: $0) }, finds: [[1]], "saved 4 times"),
        flood("three of two meters", [seen(after: 0), seen(after: 1, row: 2), seen(after: 2)], finds: []),
        flood("three that came from CloudKit", [0, 1, 2].map { seen(after: $0, isImport: true) }, finds: []),
        flood(
            "a connection between them",
            [seen(after: 0), seen(after: 1), seen(after: 2, ["connectedByDeviceID"]), seen(after: 3)], finds: []),
        flood("a clock that was set back between them", [100, 50, 0].map { seen(after: $0) }, finds: []),
        flood(
            "twice, with a pause", [0, 1, 2, 1_000, 1_001, 1_002].map { seen(after: $0) }, finds: [[1]],
            "and 1 time before"
        ),
    ]

    private static func identity(
        _ description: String, of count: Int64, _ save: FixtureSave, finds rows: [[Int64]]
    ) -> CheckCase { CheckCase(description, store(count, [save]), finds: rows) }

    private static let identities = [
        identity("of the only record", of: 1, .changed(1, at: time, ["id"]), finds: [[1]]),
        identity("of one record", of: 5, .changed(1, at: time, ["createdAt"]), finds: [[1]]),
        identity("of half of them", of: 4, .changed(1, 2, at: time, ["id"]), finds: [[1], [2]]),
        identity("of more than half", of: 3, .changed(1, 2, at: time, ["id"]), finds: []),
        identity("by CloudKit's import", of: 5, .changed(1, isImport: true, at: time, ["id"]), finds: []),
        identity("of nothing else", of: 5, .changed(1, at: time, ["meterName"]), finds: []),
    ]

    private static func unstamped(
        _ description: String, updated: Double, isImport: Bool = false, _ field: String = "meterName",
        finds rows: [[Int64]]
    ) -> CheckCase {
        var fixture = store(2, [.changed(1, isImport: isImport, at: time, [field])])
        fixture.records[0].updatedAt = time + updated
        return CheckCase(description, fixture, finds: rows)
    }

    private static let stamps = [
        unstamped("a name that was saved a minute later", updated: -61, finds: [[1]]),
        unstamped("a name that was saved within a minute", updated: -59, finds: []),
        unstamped("a name that came from CloudKit", updated: -61, isImport: true, finds: []),
        unstamped("another field", updated: -61, "lastSeenAt", finds: []),
    ]

    @Test(
        "are found:",
        arguments: CheckCase.of(["discovery-flood": floods, "identity-changed": identities, "updated-behind": stamps]))
    func found(_ test: CheckCase) throws { try test.run() }
}
