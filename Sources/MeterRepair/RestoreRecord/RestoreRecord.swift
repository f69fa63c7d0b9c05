package import CoreDataStore
package import MeterModel

/// `restore-record`: one record comes back that was merged away, or deleted by hand.
package enum RestoreRecord {
    /// Brings a record of the meter back from the store's backups: the last one that was deleted, unless the row number
    /// or the entry says which.
    /// - Throws: `StoreError`, `unsuitable` where no backup has such a record.
    package static func run(
        _ address: MACAddress?, on path: String, row: Int64?, entry: String?, options: ChangeOptions
    ) throws(StoreError) -> Report {
        let merged = try MergedRecords.of(address, in: path, folder: options.backupFolder, now: options.now)
        let chosen = merged.records.filter { record in
            (row == nil || record.row == row) && (entry == nil || record.entry == entry)
        }
        let mac = address?.text(in: merged.letterCase) ?? "no meter"
        guard let first = chosen.first else {
            let hint = merged.records.isEmpty ? "name the folder of backups with --backup-dir" : "--list shows them"
            let message =
                merged.records.isEmpty
                ? merged.absence.joined(separator: "; ") : "no backup has a deleted record of \(mac) like that"
            throw StoreError(.unsuitable, at: path, merged.warnings.first ?? message, hint: hint)
        }
        guard let wanted = chosen.first(where: { !$0.isInStore }) else {
            throw StoreError(
                .unsuitable, at: path, "row \(first.row) is in the store: the change that deleted it was undone")
        }
        var report = try ChangeRun.run(
            RestoreRecordPlanner(address: address, record: wanted.record), on: path, options: options)
        report.warnings = merged.warnings + report.warnings
        return report
    }
}
