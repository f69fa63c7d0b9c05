internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Where the records of a meter are alike in everything else, the smallest CloudKit record name decides which one is kept,
/// and after that the smallest id. Replacements have an order of their own; here those of such records are exchanged, so
/// that the same record is kept in the copy.
struct WinnerOrder {
    private(set) var texts: [[UInt8]: [UInt8]] = [:]
    private(set) var blobs: [[UInt8]: [UInt8]] = [:]

    /// - Parameter pseudonyms: which have no assigned replacements yet.
    /// - Throws: SQLite's errors.
    init(of store: InspectedStore, _ pseudonyms: Pseudonyms, _ database: Database) throws {
        guard let settings = store.settings else { return }
        // Of two names for one record the smaller one counts.
        try store.description.mirror?.forEachNames(database) { keepOrder(of: $0, in: \.texts, pseudonyms.plain) }
        let meters = Array(store.addresses.metersWithSeveralRecords)
        let cloudRecords = try settings.cloudRecords(
            of: meters.lazy.flatMap(\.rows), store.description.mirror, database)
        var groups: [[DeviceSettings]] = Array(repeating: [], count: meters.count)
        try settings.forEachRow(ofGroups: meters.map(\.rows), cloudRecords: cloudRecords, database) { group, found in
            groups[group].append(found.record)
        }
        for records in groups {
            // Under either policy the same records are alike before their names count.
            let ranked = records.map { WinnerKey($0, policy: .mostComplete) }.sorted()
            for alike in Self.runs(of: ranked, decidedBy: [.recordName, .createdAt, .id, .row]) {
                keepOrder(of: alike.compactMap(\.recordName), in: \.texts, pseudonyms.plain)
            }
            for alike in Self.runs(of: ranked, decidedBy: [.id, .row]) {
                let ids = alike.map(\.record[.id])
                keepOrder(of: ids.compactMap(\.text).map { Array($0.utf8) }, in: \.texts, pseudonyms.plain)
                keepOrder(of: ids.filter { $0.text == nil }.compactMap(\.bytes), in: \.blobs, pseudonyms.bytes)
            }
        }
    }

    /// Runs of records, each of which comes before the next only by one of these steps.
    private static func runs(of ranked: [WinnerKey], decidedBy steps: Set<WinnerStep>) -> [[WinnerKey]] {
        var runs: [[WinnerKey]] = []
        for key in ranked {
            if let last = runs.last?.last, steps.contains(last.advantage(over: key)) {
                runs[runs.count - 1].append(key)
            } else {
                runs.append([key])
            }
        }
        return runs.filter { $0.count > 1 }
    }

    /// Gives the smallest of the values the smallest of their replacements, and so on.
    private mutating func keepOrder(
        of values: [[UInt8]], in place: WritableKeyPath<WinnerOrder, [[UInt8]: [UInt8]]>,
        _ replacement: ([UInt8]) -> [UInt8]
    ) {
        let values = Set(values).sorted { $0.lexicographicallyPrecedes($1) }
        let replacements = values.map(replacement)
        let sorted = replacements.sorted { $0.lexicographicallyPrecedes($1) }
        guard replacements != sorted else { return }
        for (value, replacement) in zip(values, sorted) { self[keyPath: place][value] = replacement }
    }
}

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
