package import GRDB
package import MeterModel

extension InspectedStore {
    /// The worst first.
    /// - Throws: SQLite's errors other than damage of the history, which is a finding.
    package func alerts(_ database: Database) throws -> [StoreAlert] {
        try vanishedRecords(database).map(StoreAlert.vanished)
            + [missingLogFinding.map(StoreAlert.missingLog), remarkOnOtherNames.map(StoreAlert.otherNames)]
            .compactMap(\.self)
    }

    private func vanishedRecords(_ database: Database) throws -> [Finding] {
        do {
            return try vanished(database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return []
        }
    }
}
