package import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

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
        try readWhatAdviceDependsOn()
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
        try readWhatAdviceDependsOn()
        return try Check.ofStoreOnly.filter { $0.id.hasPrefix("mirror-") || firstSaid.contains($0) }.flatMap {
            check in
            try Interruption.check(store.path)
            return try findings(check)
        }
    }

    /// Whether the app may be opened: what other checks advise depends on it.
    private func readWhatAdviceDependsOn() throws {
        for check in [Check.deleteStorm, .mirrorDeletesHere] { _ = try findings(check) }
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
