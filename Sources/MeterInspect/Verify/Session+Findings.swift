internal import CoreDataStore
internal import GRDB
package import MeterModel

extension Session {
    /// What all checks find, in the order of the catalogue, to be asked for as long as the store is open.
    /// - Parameter isIntact: whether SQLite's own check has found nothing; then it is not asked again.
    /// - Throws: errors of SQLite other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package func findings(isIntact: Bool = false) throws -> Findings {
        try findings(ofStore: findingsOfStore(isIntact: isIntact), ofRecords: findingsOfRecords())
    }

    /// All findings, where some were made already.
    /// - Parameters:
    ///   - ofStore: by `findingsOfStore`.
    ///   - ofRecords: by `Session.readRecords`.
    ///   - others: which no check of the catalogue makes from the store alone.
    /// - Throws: errors of SQLite other than damage, which is a finding.
    package func findings(
        ofStore: [String: [Finding]], ofRecords: Findings, besides others: [Finding] = []
    ) throws -> Findings {
        var found = ofStore.mapValues { Findings($0).checks }
        for check in Check.all {
            switch check.work {
            case .addresses: found[check.id] = Findings(try findings(check)).checks
            case .duplicates: found[check.id] = repeatedMeters.map { [$0] }
            case .store, .records, .groups, .comparison: break
            }
        }
        for check in ofRecords.checks + Findings(others).checks { found[check.id, default: []].append(check) }
        return Findings(Check.all.flatMap { found[$0.id] ?? [] })
    }

    /// What the checks find that need neither records nor addresses, by their ids: no record need have been read.
    /// - Parameter isIntact: whether SQLite's own check has found nothing; then it is not run again.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package func findingsOfStore(isIntact: Bool = false) throws -> [String: [Finding]] {
        var found: [String: [Finding]] = [:]
        // What other checks advise depends on it.
        _ = try findings(.deleteStorm)
        for check in Check.ofStoreOnly where !(isIntact && check == .notIntact) {
            try Interruption.check(store.path)
            found[check.id] = try findings(check)
        }
        return found
    }

    /// What the checks of CloudKit's mirror find, those whose ids begin with `mirror-`, and what is said of the store before
    /// anything else, in the order of the catalogue: no record need have been read.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    func findingsOfMirror() throws -> [Finding] {
        let firstSaid: [Check] = [.deleteStorm, .massDelete, .recoveredStore]
        return try Check.ofStoreOnly.filter { $0.id.hasPrefix("mirror-") || firstSaid.contains($0) }.flatMap {
            check in
            try Interruption.check(store.path)
            return try findings(check)
        }
    }

    private func findingsOfRecords() throws -> Findings {
        guard let meters = ofMeters else { return .none }
        do {
            let pass = RecordPass(store)
            try pass.read(meters)
            return Findings(try pass.findings(in: self))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return Findings([Check.unreadable(error, in: store)])
        }
    }

    /// A part of the store that cannot be read is a finding like any other damage.
    private func findings(_ check: Check) throws -> [Finding] {
        do {
            return try check.findings(in: self)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return [Check.unreadable(error, in: store)]
        }
    }
}
