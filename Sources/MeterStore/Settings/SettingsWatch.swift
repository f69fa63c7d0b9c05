package import CoreDataStore
internal import GRDB
package import MeterModel

/// Looks at a store again and again, and says what other processes, and this one, changed in its records.
///
/// Between two looks it holds no transaction, only the connection: SQLite's `data_version`, which tells whether somebody
/// else has written, compares two moments of one connection.
package final class SettingsWatch {
    private let path: String
    private var connection: SharedConnection?
    private var version: Int64?
    /// For how many looks in a row something has been written; nil once it was told.
    private var looksSinceWrite: Int?
    /// What was told last, by row number.
    private var told: [Int64: MeterSettings] = [:]
    private var lastLook: Timestamp?

    /// How many looks in a row may find that something was written before all of it is told: a store that is written to
    /// all the time must not keep its readers waiting.
    private static let mostLooks = 4

    package init(_ path: String) { self.path = path }

    /// One look. What was written is told when a look finds nothing new: an import of a hundred records is one change.
    /// - Parameter now: the device's clock, which says whether locks have expired.
    /// - Returns: nil if there is nothing to tell. The first look tells every record as saved.
    /// - Throws: `StoreError`.
    package func look(at now: Timestamp) throws(StoreError) -> SettingsChange? {
        let (connection, version) = try current()
        let isFirst = lastLook == nil
        if !isFirst, version != self.version {
            self.version = version
            looksSinceWrite = (looksSinceWrite ?? 0) + 1
            if looksSinceWrite! < Self.mostLooks { return nil }
        }
        defer { lastLook = now }
        self.version = version
        let mustRead = isFirst || looksSinceWrite != nil
        let records = mustRead ? try Self.records(connection, path) : told
        let change = change(to: records, at: now)
        looksSinceWrite = nil
        told = records
        return change.isEmpty && !isFirst ? nil : change
    }

    /// Ends the watching, and every lock on the file.
    package func end() {
        try? connection?.close()
        connection = nil
    }

    /// The connection, or a new one if another file has taken the place of the store's.
    private func current() throws(StoreError) -> (SharedConnection, dataVersion: Int64?) {
        if let connection {
            if let version = try connection.dataVersion() { return (connection, version) }
            try connection.close()
            looksSinceWrite = 0
        }
        let new = try SharedConnection(path)
        connection = new
        return (new, try new.dataVersion())
    }

    private static func records(
        _ connection: SharedConnection, _ path: String
    ) throws(StoreError) -> [Int64: MeterSettings] {
        try connection.read { database in
            let settings = try SettingsFile.settings(of: StoreDescription(database), path)
            return Dictionary(
                uniqueKeysWithValues: try settings.records(database).map { ($0.row, MeterSettings($0, held: nil)) })
        }
    }

    private func change(to records: [Int64: MeterSettings], at now: Timestamp) -> SettingsChange {
        func sorted(_ rows: some Sequence<(key: Int64, value: MeterSettings)>) -> [MeterSettings] {
            rows.sorted { $0.key < $1.key }.map(\.value)
        }
        return SettingsChange(
            saved: sorted(records.filter { told[$0.key] != $0.value }),
            deleted: sorted(told.filter { records[$0.key] == nil }),
            expired: sorted(
                records.filter { row, settings in
                    guard let lastLook, let lock = settings.connection, told[row] == settings else { return false }
                    return lock.isExpired(at: now) && !lock.isExpired(at: lastLook)
                }))
    }
}
