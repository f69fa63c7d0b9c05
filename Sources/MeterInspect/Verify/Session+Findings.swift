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
        try readWhatAdviceDependsOn()
        let others = others + [store.damageOfRecords.map { Check.unreadable($0, in: store) }].compactMap(\.self)
        let found = try findings(by: Check.all, isIntact: isIntact)
        guard !others.isEmpty else { return found.flatMap(\.self) }
        return zip(Check.all, found).flatMap { check, found in found + others.filter { $0.id == check.id } }
    }

    /// What some checks find, in the order of the catalogue.
    /// - Throws: errors of SQLite other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package func findings(of ids: Set<String>) throws -> [Finding] {
        try findings(by: Check.all.filter { ids.contains($0.id) }).flatMap(\.self)
    }

    /// What the checks of CloudKit's mirror find, those whose ids begin with `mirror-`, what the mirror does not learn, and
    /// what is said of the store before anything else, in the order of the catalogue.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    func findingsOfMirror() throws -> [Finding] {
        let firstSaid: [Check] = [
            .writtenWithoutHistory, .deleteStorm, .massDelete, .recoveredStore, .deletePendingAlive,
        ]
        try readWhatAdviceDependsOn()
        let checks = Check.all.filter { $0.id.hasPrefix("mirror-") || firstSaid.contains($0) }
        return try findings(by: checks).flatMap(\.self)
    }

    /// Whether the app may be opened: what other checks advise depends on it.
    private func readWhatAdviceDependsOn() throws { _ = try findings(by: [.deleteStorm, .mirrorDeletesHere]) }

    /// What each of these checks finds. A part of the store that cannot be read is a finding like any other damage.
    /// - Parameter isIntact: whether SQLite's own check has found nothing; then it is not asked again.
    private func findings(by checks: [Check], isIntact: Bool = false) throws -> [[Finding]] {
        var found: [[Finding]] = []
        found.reserveCapacity(checks.count)
        for check in checks {
            try Interruption.check(store.path)
            do {
                found.append(isIntact && check == .notIntact ? [] : try check.findings(in: self))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // Of the records that is said once, and not by each check of them.
                let isSaid = store.damageOfRecords.map { $0.message == error.message } ?? false
                found.append(isSaid ? [] : [Check.unreadable(error, in: store)])
            }
        }
        guard store.damageOfRecords == nil else { return found }
        let store = store
        var searches: [(place: Int, search: (DeviceSettings) -> [Finding])] = []
        for (place, check) in checks.enumerated() {
            guard case .records(let search, _) = check.work else { continue }
            searches.append((place, { search(check, $0, store) }))
        }
        guard !searches.isEmpty else { return found }
        // All checks of one record after the other: it would be fetched from memory again for each of them.
        for (number, record) in try store.records.enumerated() {
            if number & 0x3FF == 0 { try Interruption.check(store.path) }
            for (place, search) in searches {
                let findings = search(record)
                if !findings.isEmpty { found[place].append(contentsOf: findings) }
            }
        }
        return found
    }
}

extension [Finding] {
    /// Where one of them says that the store is damaged, or that its files do not belong together: no other one names a
    /// change, for the store takes none. In a damaged store none says that a row is gone, for it may be on a page that was
    /// not read.
    var asOfDamagedStore: [Finding] {
        guard !ids.contains(Check.indexDamaged.id) else { return asOfDamagedIndexes }
        let isDamaged = contains { $0.id == Check.notIntact.id }
        let reasons = [Check.notIntact.id, Check.filesMixed.id]
        guard let reason = first(where: { reasons.contains($0.id) }) else { return self }
        return filter { !isDamaged || $0.id != Check.mirrorOrphan.id }
            .withoutChanges("change nothing in \(isDamaged ? "a damaged store" : "this copy"): see \(reason.id)") { _ in
                true
            }
    }

    /// Where nothing but indexes is damaged. What could not be read by them can be read when they are made again, and what
    /// was read by them may be mistaken: the whole repair reads it again, and no other command is named.
    private var asOfDamagedIndexes: [Finding] {
        filter { $0.id != Check.notIntact.id }
            .withoutChanges("verify again when the indexes are made again: see \(Check.indexDamaged.id)") {
                !$0.isCuredByWholeRepair
            }
    }

    /// - Parameter advice: in the place of commands that change the store, in these of the findings.
    private func withoutChanges(_ advice: Cure, in isMeant: (Finding) -> Bool) -> [Finding] {
        map { finding in
            guard let command = finding.cure.command, WritingCommand(rawValue: String(command.name)) != nil,
                isMeant(finding)
            else { return finding }
            return finding.with(advice)
        }
    }
}
