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
        let found = try findings(by: Check.all.filter { !isIntact || $0 != .notIntact })
        return Check.all.reduce(into: []) { findings, check in
            if let found = found[check.id] { findings += found }
            if let others = others[check.id] { findings += others }
        }
    }

    /// What some checks find, in the order of the catalogue.
    /// - Throws: likewise.
    package func findings(of ids: Set<String>) throws -> [Finding] {
        try inOrder(Check.all.filter { ids.contains($0.id) })
    }

    /// What the checks of CloudKit's mirror find, those whose ids begin with `mirror-`, what the mirror does not learn, and
    /// what is said of the store before anything else, in the order of the catalogue.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    func findingsOfMirror() throws -> [Finding] {
        let firstSaid: [Check] = [.writtenWithoutHistory, .deleteStorm, .massDelete, .recoveredStore]
        try readWhatAdviceDependsOn()
        return try inOrder(Check.all.filter { $0.id.hasPrefix("mirror-") || firstSaid.contains($0) })
    }

    /// Whether the app may be opened: what other checks advise depends on it.
    private func readWhatAdviceDependsOn() throws { _ = try findings(by: [.deleteStorm, .mirrorDeletesHere]) }

    /// - Parameter checks: in the order of the catalogue.
    private func inOrder(_ checks: [Check]) throws -> [Finding] {
        let found = try findings(by: checks)
        return checks.flatMap { found[$0.id] ?? [] }
    }

    /// What these checks find, by their ids. A part of the store that cannot be read is a finding like any other damage.
    private func findings(by checks: [Check]) throws -> [String: [Finding]] {
        var found: [String: [Finding]] = [:]
        for check in checks {
            try Interruption.check(store.path)
            do {
                found[check.id] = try check.findings(in: self)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // Of the records that is said once, and not by each check of them.
                if let damage = store.damageOfRecords, damage.message == error.message { continue }
                found[check.id] = [Check.unreadable(error, in: store)]
            }
        }
        guard store.damageOfRecords == nil else { return found }
        let store = store
        var ids: [String] = []
        var searches: [(DeviceSettings) -> [Finding]] = []
        for check in checks {
            guard case .records(let search, _) = check.work else { continue }
            ids.append(check.id)
            searches.append { search(check, $0, store) }
        }
        guard !searches.isEmpty else { return found }
        var ofRecords = [[Finding]](repeating: [], count: searches.count)
        // All checks of one record after the other: it would be fetched from memory again for each of them.
        for (number, record) in try store.records.enumerated() {
            if number & 0x3FF == 0 { try Interruption.check(store.path) }
            for place in searches.indices {
                let findings = searches[place](record)
                if !findings.isEmpty { ofRecords[place].append(contentsOf: findings) }
            }
        }
        for (id, findings) in zip(ids, ofRecords) { found[id, default: []] += findings }
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
