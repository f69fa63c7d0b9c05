package import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

extension MeterSession {
    /// About which records some of the checks find something.
    package func rows(ofRecordChecks ids: Set<String>) throws -> RecordPass.FaultyRows {
        guard !ids.isEmpty else { return ([:], [:]) }
        let pass = RecordPass(base.store, checks: ids)
        try pass.read(self)
        return try pass.faultyRows(in: base)
    }
}

extension Session {
    /// Reads all values of the records, in one pass for their addresses and for all checks that visit them.
    /// - Parameters:
    ///   - begun: a pass that has already visited some of the records, which have not changed since.
    ///   - watch: handed every record that is read, with all columns of the table (`SettingsTable.allColumns`).
    /// - Returns: what the checks of records find, to be asked for as long as the store is open.
    /// - Throws: errors of SQLite other than damage, which is a finding; what `watch` throws.
    package mutating func readRecords(
        continuing begun: RecordPass? = nil, watch: ((SQLiteRow) throws -> Void)? = nil
    ) throws -> Findings {
        guard let meters = ofMeters else { return .none }
        // Some checks depend on the letter case, which is certain only when all is read. The first records nearly
        // always tell it.
        if store.requestedCase == nil {
            store.assume(try begun?.letterCase ?? meters.settings.likelyLetterCase(database))
        }
        var pass = begun ?? RecordPass(store)
        do {
            try pass.read(meters, watch: watch)
            if store.letterCase(by: pass.addresses) != store.letterCase {
                store.assume(store.letterCase(by: pass.addresses))
                pass = RecordPass(store)
                try pass.read(meters)
            }
            store.take(pass.takeAddresses())
            return Findings(try pass.findings(in: self))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // The addresses may be in a part that can be read.
            store.take(try meters.settings.addressIndex(skipsRepeats: true, database))
            return Findings([Check.unreadable(error, in: store)])
        }
    }
}
