internal import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

extension Session {
    /// What all checks find in a store whose records were read, in the order of the catalogue.
    /// - Parameters:
    ///   - isIntact: whether SQLite's own check has found nothing; then it is not asked again.
    ///   - others: what no check of the catalogue finds in the store alone.
    /// - Throws: errors of SQLite other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package func findings(isIntact: Bool = false, besides others: [Finding] = []) throws -> [Finding] {
        var others = Dictionary(grouping: others, by: \.id)
        if let damage = store.damageOfRecords {
            others[Check.notIntact.id, default: []].append(Check.unreadable(damage, in: store))
        }
        try readWhatAdviceDependsOn()
        return try Check.all.flatMap { check in
            try Interruption.check(store.path)
            return try (isIntact && check == .notIntact ? [] : findings(check)) + (others[check.id] ?? [])
        }
    }

    /// What some checks find, in the order of the catalogue.
    /// - Throws: likewise.
    package func findings(of ids: Set<String>) throws -> [Finding] {
        try Check.all.filter { ids.contains($0.id) }.flatMap(findings)
    }

    /// What the checks of CloudKit's mirror find, those whose ids begin with `mirror-`, and what is said of the store before
    /// anything else, in the order of the catalogue.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    func findingsOfMirror() throws -> [Finding] {
        let firstSaid: [Check] = [.deleteStorm, .massDelete, .recoveredStore]
        try readWhatAdviceDependsOn()
        return try Check.all.filter { $0.id.hasPrefix("mirror-") || firstSaid.contains($0) }.flatMap { check in
            try Interruption.check(store.path)
            return try findings(check)
        }
    }

    /// Whether the app may be opened: what other checks advise depends on it.
    private func readWhatAdviceDependsOn() throws {
        for check in [Check.deleteStorm, .mirrorDeletesHere] { _ = try findings(check) }
    }

    /// A part of the store that cannot be read is a finding like any other damage.
    private func findings(_ check: Check) throws -> [Finding] {
        do {
            return try check.findings(in: self)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // Of the records that is said once, and not by each check of them.
            if let damage = store.damageOfRecords, damage.message == error.message { return [] }
            return [Check.unreadable(error, in: store)]
        }
    }
}
