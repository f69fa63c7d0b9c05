import MeterTestSupport
import Testing

/// How far the mirror has come, by its own events and by the history.
@Suite("the mirror's progress")
struct MirrorProgressTests {
    private static let (now, day) = (FixtureClock.now, FixtureClock.day)

    private static func store(_ events: [MirrorEvent], _ saves: [FixtureSave] = []) -> StoreFixture {
        let fixture = StoreFixture(records: [Meters.healthy]).with {
            $0.mirror = .current
            $0.mirrorEvents = events
            // The record's own insert was exported.
            if saves.count > 1 { $0.historyToken = .transaction(1) }
        }
        return saves.isEmpty ? fixture : fixture.told(saves)
    }

    private static func stalled(
        _ description: String, _ events: [MirrorEvent], _ saves: [FixtureSave] = [], finds: Bool, _ words: String...
    ) -> CheckCase {
        CheckCase(description, store(events, saves), finds: finds ? [[]] : [], words: words)
    }

    /// The record was made and its insert uploaded long ago, and it was changed at this time.
    private static func waiting(since time: Double) -> [FixtureSave] {
        [.made(5, at: now - 90 * day), .changed(5, at: time)]
    }

    private static let stalls = [
        stalled("a setup that began a day ago", [.running(.setup, since: now - day)], finds: false),
        stalled(
            "a setup that began more than a day ago", [.running(.setup, since: now - day - 1)], finds: true, "1 day"),
        stalled(
            "no export for 31 days, and something waits",
            [MirrorEvent(.outgoing, at: now - 31 * day), MirrorEvent(.incoming, at: now - day)],
            waiting(since: now - 3 * day), finds: true, "nothing was exported for 31 days"),
        stalled(
            "no export for 29 days",
            [MirrorEvent(.outgoing, at: now - 29.5 * day), MirrorEvent(.incoming, at: now - day)],
            waiting(since: now - 3 * day), finds: false),
        stalled(
            "no export for 31 days, and one is running",
            [
                MirrorEvent(.outgoing, at: now - 31 * day), MirrorEvent(.incoming, at: now - day),
                .running(.outgoing, since: now - 60),
            ], waiting(since: now - 3 * day), finds: false),
        stalled(
            "no export for 31 days, and something waits since an hour ago",
            [MirrorEvent(.outgoing, at: now - 31 * day), MirrorEvent(.incoming, at: now - 60)],
            waiting(since: now - 3_600), finds: false),
        stalled(
            "no export for 31 days, and the app was not opened since",
            [MirrorEvent(.outgoing, at: now - 31 * day), MirrorEvent(.incoming, at: now - 4 * day)],
            waiting(since: now - 3 * day), finds: false),
    ]

    private static func download(
        _ description: String, _ events: [MirrorEvent], _ saves: [FixtureSave] = [], finds: Bool
    ) -> CheckCase {
        CheckCase(description, store(events, saves), finds: finds ? [[]] : [])
    }

    private static let downloads = [
        download("an import that has not ended", [MirrorEvent(.setup, at: now - 60)], finds: true),
        download(
            "an import that ended well", [MirrorEvent(.setup, at: now - 60), MirrorEvent(.incoming, at: now - 50)],
            finds: false),
        download("a log of events that was emptied", [], finds: false),
        CheckCase(
            "the same, of a mirror that has fetched nothing",
            store([]).damaged("UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = NULL, ZLASTFETCHDATE = NULL"),
            finds: [[]]),
        download(
            "a record that came from CloudKit", [MirrorEvent(.setup, at: now - 60)], [.came(5, at: now - day)],
            finds: false),
    ]

    @Test("is told:", arguments: CheckCase.of(["mirror-stalled": stalls, "mirror-not-downloaded": downloads]))
    func told(_ test: CheckCase) throws { try test.run() }
}
