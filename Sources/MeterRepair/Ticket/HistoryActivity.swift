internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// How much was changed in a store, day by day and by whom, from its persistent history.
package struct HistoryActivity: Sendable {
    package enum Author: Hashable, Sendable {
        case meterfix
        /// Changes that came from another device.
        case cloudKit
        /// What the mirror notes for itself.
        case mirror
        /// By the name that the transaction has: its author, or else its app or its process.
        case named(String)
        case unnamed
    }

    /// Changes by the day, counted from 1 January 2001 in UTC.
    package private(set) var days: [Int: [Author: Int]] = [:]
    /// Changes without a date, or of a day on which no store had a history, or that is still to come.
    package private(set) var undated = 0

    /// What `now` is ahead of by no more than a day, a clock in another place may be.
    private let latest: Double

    init(now: Timestamp) { latest = now.secondsSince2001 + Self.day }

    /// Reads all transactions.
    /// - Throws: SQLite's errors, and `StoreError` where the user asked to stop.
    init(_ history: PersistentHistory, now: Timestamp, of path: String, _ database: Database) throws {
        self.init(now: now)
        var (saves, counted) = (0, 0)
        try history.forEachSave(database) { save, changes in
            saves += 1
            if saves & 0xFFF == 0 { try Interruption.check(path) }
            counted += changes
            add(changes, at: save.time, by: Self.author(save))
        }
        // Those without their transaction.
        undated += max(0, Int(try history.overview(database).changes) - counted)
    }

    /// - Parameter time: in seconds since 2001; nil where it is not known.
    mutating func add(_ changes: Int, at time: Double?, by author: Author) {
        guard changes > 0 else { return }
        guard let time, time >= 0, time <= latest else {
            undated += changes
            return
        }
        days[Int(time / Self.day), default: [:]][author, default: 0] += changes
    }

    private static let day = 86_400.0

    private static func author(_ save: PersistentHistory.Save) -> Author {
        switch CloudKitMirror.Work(save) {
        case .import: return .cloudKit
        case .export, .reset, .migration, .setup, .event: return .mirror
        case nil: break
        }
        guard save.author != HistoryWriter.author else { return .meterfix }
        return save.names.first.map(Author.named) ?? .unnamed
    }
}
