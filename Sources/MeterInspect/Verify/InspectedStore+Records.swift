package import CoreDataStore
package import GRDB
package import MeterModel
internal import MeterStore

extension InspectedStore {
    /// What some of the checks of records find, in the order of the catalogue.
    /// - Parameter ids: of the checks.
    /// - Throws: SQLite's errors; `StoreError` of kind `interrupted`.
    package func findings(ofRecordChecks ids: Set<String>, _ database: Database) throws -> [Finding] {
        guard let settings, !ids.isEmpty else { return [] }
        var pass = RecordPass(self, checks: ids)
        try pass.read(settings, database)
        return try pass.findings(in: self, database)
    }

    /// Reads all values of the records, in one pass for their addresses and for all checks that visit them.
    /// - Parameters:
    ///   - begun: a pass that has already visited some of the records, which have not changed since.
    ///   - watch: handed every record that is read, with all columns of the table (`SettingsTable.allColumns`).
    /// - Returns: what the checks of records find.
    /// - Throws: errors of SQLite other than damage, which is a finding; what `watch` throws.
    package mutating func readRecords(
        _ database: Database, continuing begun: RecordPass? = nil, watch: ((SQLiteRow) throws -> Void)? = nil
    ) throws -> [Finding] {
        guard let settings else { return [] }
        // Some checks depend on the letter case, which is certain only when all is read. The first records nearly
        // always tell it.
        if requestedCase == nil { assume(try begun?.letterCase ?? settings.likelyLetterCase(database)) }
        var pass = begun ?? RecordPass(self)
        do {
            try pass.read(settings, database, watch: watch)
            if letterCase(by: pass.addresses) != letterCase {
                assume(letterCase(by: pass.addresses))
                pass = RecordPass(self)
                try pass.read(settings, database)
            }
            take(pass.addresses)
            return try pass.findings(in: self, database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // The addresses may be in a part that can be read.
            take(try settings.addressIndex(database))
            return [NotIntact.unreadable(error)]
        }
    }
}
