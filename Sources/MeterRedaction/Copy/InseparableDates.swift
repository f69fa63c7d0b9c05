internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Pairs of dates of which something else would be said if only one of the two were moved.
enum InseparableDates {
    /// Seconds. For this long a change may wait for CloudKit before somebody should look.
    private static let day: Double = 86_400
    /// Seconds. A lock that has been held for longer is moved: it seems to last longer in the copy, but it does not keep
    /// the dates of a whole year.
    private static let longestLock = 31 * day

    /// - Throws: SQLite's errors.
    static func find(in store: InspectedStore, _ database: Database) throws -> [ClosedRange<Double>] {
        var pairs: [ClosedRange<Double>] = []
        func add(_ first: Timestamp?, _ second: Timestamp?, within seconds: Double) {
            guard let first, let second, first < second, second.seconds(since: first) <= seconds else { return }
            pairs.append(first.secondsSince2001...second.secondsSince2001)
        }
        try store.settings?.forEachRow(database) { row in
            let record = row.record
            // A lock that is held, and now.
            for lock in record.locks where !lock.isExpired(at: store.now) {
                add(lock.connectedAt, store.now, within: longestLock)
            }
            // What is a little later than the last change, which is allowed.
            for date in [record.createdAt, record.lockedAt, record.seenAt] {
                add(record.updatedAt, date, within: 10)
            }
        }
        var oldest: Int64?
        try store.description.mirror?.forEachWaiting(in: store.description, database) { waiting in
            oldest = [oldest, waiting.since].compactMap(\.self).min()
        }
        if let oldest, let time = try store.description.history?.time(of: oldest, database) {
            add(Timestamp(secondsSince2001: time), store.now, within: day)
        }
        return pairs
    }
}
