internal import CoreDataStore
package import GRDB
package import MeterModel
internal import MeterStore

/// All checks over one store.
package enum Verification {
    /// What all checks find, in the order of the catalogue, to be asked for as long as the store is open.
    /// - Parameter isIntact: whether SQLite's own check has found nothing; then it is not asked again.
    /// - Throws: errors of SQLite other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package static func findings(
        in store: InspectedStore, isIntact: Bool = false, _ reading: RepeatedReading
    ) throws -> Findings {
        try findings(
            in: store, ofStore: findingsOfStore(in: store, isIntact: isIntact, reading.database),
            ofRecords: findingsOfRecords(in: store, reading), reading)
    }

    /// All findings, where some were made already.
    /// - Parameters:
    ///   - ofStore: by `findingsOfStore`.
    ///   - ofRecords: by `InspectedStore.readRecords`.
    ///   - others: which no check of the catalogue makes from the store alone.
    /// - Throws: errors of SQLite other than damage, which is a finding.
    package static func findings(
        in store: InspectedStore, ofStore: [String: [Finding]], ofRecords: Findings, besides others: [Finding] = [],
        _ reading: RepeatedReading
    ) throws -> Findings {
        var found = ofStore.mapValues { Findings($0).checks }
        for entry in CheckCatalogue.checks {
            switch entry {
            case .addresses(let check):
                let findings = try orDamage { try check.findings(in: store, reading.database) }
                found[check.description.id] = Findings(findings).checks
            case .duplicates(let check):
                found[check.description.id] = check.findings(in: store, reading).map { [$0] }
            case .store, .record, .group: break
            }
        }
        for check in ofRecords.checks + Findings(others).checks { found[check.id, default: []].append(check) }
        return Findings(CheckCatalogue.checks.flatMap { found[$0.description.id] ?? [] })
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

    /// What the checks of CloudKit's mirror find, those whose ids begin with `mirror-`, and `mass-delete`, in the order of
    /// the catalogue.
    /// - Parameter store: its records need not have been read.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    static func findingsOfMirror(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        var found: [Finding] = []
        for case .store(let check) in CheckCatalogue.checks
        where check.description.id.hasPrefix("mirror-") || check is MassDelete.Type {
            try Interruption.check(store.path)
            found += try orDamage { try check.findings(in: store, database) }
        }
        return found
    }

    private static func findingsOfRecords(in store: InspectedStore, _ reading: RepeatedReading) throws -> Findings {
        guard let settings = store.settings else { return .none }
        do {
            let pass = RecordPass(store)
            try pass.read(settings, reading.database)
            return Findings(try pass.findings(in: store, reading))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return Findings([NotIntact.unreadable(error)])
        }
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
