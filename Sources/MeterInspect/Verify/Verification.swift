internal import CoreDataStore
package import GRDB
package import MeterModel
internal import MeterStore

/// All checks over one store.
package enum Verification {
    /// The findings in the order of the catalogue, within a check in the order of row numbers.
    /// - Parameter isIntact: whether SQLite's own check has found nothing; then it is not asked again.
    /// - Throws: errors of SQLite other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package static func findings(
        in store: InspectedStore, isIntact: Bool = false, _ database: Database
    ) throws -> [Finding] {
        try findings(
            in: store, ofStore: findingsOfStore(in: store, isIntact: isIntact, database),
            ofRecords: orDamage { try findingsOfRecords(in: store, database) }, database)
    }

    /// All findings, where some were made already.
    /// - Parameters:
    ///   - ofStore: by `findingsOfStore`.
    ///   - ofRecords: by `InspectedStore.readRecords`.
    /// - Throws: errors of SQLite other than damage, which is a finding.
    package static func findings(
        in store: InspectedStore, ofStore: [String: [Finding]], ofRecords: [Finding], _ database: Database
    ) throws -> [Finding] {
        var found = ofStore
        for case .addresses(let check) in CheckCatalogue.checks {
            found[check.description.id] = try orDamage { try check.findings(in: store, database) }
        }
        for finding in ofRecords { found[finding.id, default: []].append(finding) }
        return CheckCatalogue.checks.flatMap { found[$0.description.id] ?? [] }
    }

    /// What the checks find that need neither records nor addresses, by their ids.
    /// - Parameters:
    ///   - store: its records need not have been read.
    ///   - isIntact: whether SQLite's own check has found nothing; then it is not run again.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package static func findingsOfStore(
        in store: InspectedStore, isIntact: Bool = false, _ database: Database
    ) throws -> [String: [Finding]] {
        var found: [String: [Finding]] = [:]
        for case .store(let check) in CheckCatalogue.checks where !(isIntact && check is NotIntact.Type) {
            try Interruption.check(store.path)
            found[check.description.id] = try orDamage { try check.findings(in: store, database) }
        }
        return found
    }

    /// What the checks of CloudKit's mirror find, those whose ids begin with `mirror-`, in the order of the catalogue.
    /// - Parameter store: its records need not have been read.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    static func findingsOfMirror(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        var found: [Finding] = []
        for case .store(let check) in CheckCatalogue.checks where check.description.id.hasPrefix("mirror-") {
            try Interruption.check(store.path)
            found += try orDamage { try check.findings(in: store, database) }
        }
        return found
    }

    private static func findingsOfRecords(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let settings = store.settings else { return [] }
        var pass = RecordPass(store)
        try pass.read(settings, database)
        return try pass.findings(in: store, database)
    }

    /// A part of the store that cannot be read is a finding like any other damage.
    private static func orDamage(_ body: () throws -> [Finding]) throws -> [Finding] {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return [NotIntact.unreadable(error)]
        }
    }
}
