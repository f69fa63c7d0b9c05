package import CoreDataStore
package import GRDB
package import MeterModel
internal import MeterStore

extension InspectedStore {
    /// About which records some of the checks find something.
    /// - Parameter ids: of the checks.
    /// - Throws: SQLite's errors; `StoreError` of kind `interrupted`.
    package func rows(ofRecordChecks ids: Set<String>, _ database: Database) throws -> RowsWithFindings {
        guard let settings, !ids.isEmpty else { return RowsWithFindings(single: [:], groups: [:]) }
        let pass = RecordPass(self, checks: ids)
        try pass.read(settings, database)
        return try pass.faultyRows(in: self, database)
    }

    /// Reads all values of the records, in one pass for their addresses and for all checks that visit them.
    /// - Parameters:
    ///   - begun: a pass that has already visited some of the records, which have not changed since.
    ///   - watch: handed every record that is read, with all columns of the table (`SettingsTable.allColumns`).
    /// - Returns: what the checks of records find, to be asked for as long as the store is open.
    /// - Throws: errors of SQLite other than damage, which is a finding; what `watch` throws.
    package mutating func readRecords(
        _ reading: FindingReader, continuing begun: RecordPass? = nil, watch: ((SQLiteRow) throws -> Void)? = nil
    ) throws -> Findings {
        let database = reading.database
        guard let settings else { return .none }
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
            take(pass.takeAddresses())
            return Findings(try pass.findings(in: self, reading))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // The addresses may be in a part that can be read.
            take(try settings.addressIndex(skipsRepeats: true, database))
            return Findings([NotIntact.unreadable(error, in: self)])
        }
    }
}
