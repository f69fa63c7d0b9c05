internal import CoreDataStore
package import GRDB
package import MeterModel
internal import MeterStore

/// All checks over one store.
package enum Verification {
    /// The findings in the order of the catalogue, within a check in the order of row numbers.
    /// - Throws: errors of SQLite other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        var found: [String: [Finding]] = [:]
        for case let check as any StoreCheck.Type in CheckCatalogue.checks {
            try Interruption.check(store.path)
            found[check.description.id] = try orDamage { try check.findings(in: store, database) }
        }
        let recordFindings = try orDamage { try findingsOfRecords(in: store, database) }
        for finding in recordFindings { found[finding.id, default: []].append(finding) }
        return CheckCatalogue.checks.flatMap { found[$0.description.id] ?? [] }
    }

    /// One pass over the records for all checks that look at them.
    private static func findingsOfRecords(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let settings = store.settings else { return [] }
        let types = CheckCatalogue.checks.compactMap { $0 as? any RecordCheck.Type }
        var checks: [any RecordCheck] = types.map { $0.init(store) }
        try settings.forEachRow(database) { row in
            // A request to stop that comes between two calls of SQLite interrupts none of them.
            if row.row & 0x3FF == 0 { try Interruption.check(store.path) }
            for index in checks.indices { checks[index].see(row) }
        }
        for index in checks.indices { try checks[index].conclude(store, database) }
        return checks.flatMap(\.findings)
    }

    /// A part of the store that cannot be read is a finding like any other damage.
    private static func orDamage(_ body: () throws -> [Finding]) throws -> [Finding] {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return [NotIntact.unreadable(error.message ?? "malformed")]
        }
    }
}
