package import MeterModel

extension Verdict {
    /// - Parameters:
    ///   - findings: of the checks that were made.
    ///   - alerts: what is said of the store before anything else.
    ///   - isWhole: whether every check was made, and every page read.
    package init(_ findings: [Finding], _ alerts: [StoreAlert], isWhole: Bool) {
        let untold: Set = [Check.notIntact.id, Check.filesMixed.id, Check.walMissing.id]
        if !alerts.closing.isEmpty {
            self = .stop
        } else if alerts.damage != nil || alerts.missingLog != nil || !findings.ids.isDisjoint(with: untold) {
            self = .unknown
        } else if findings.contains(where: { $0.severity != .note }) {
            self = .repair
        } else {
            // What a recovered store lacks, no check sees.
            self = isWhole && !findings.ids.contains(Check.recoveredStore.id) ? .clean : .unknown
        }
    }
}

extension VerifyReport {
    package var verdict: Verdict { Verdict(self.findings, self.alerts, isWhole: true) }
}

extension StatusReport {
    /// It is never clean: only `verify` makes every check.
    package var verdict: Verdict {
        let found = Verdict([], alerts, isWhole: false)
        guard found == .unknown, alerts.damage == nil, alerts.missingLog == nil, let records else { return found }
        if mirror?.forecast.going ?? 0 > 0 { return .repair }
        return records.groups > 0 || records.withoutUsableAddress > 0 || records.isAddressUnique ? .repair : .unknown
    }
}

extension SyncReport {
    /// It is never clean: only `verify` makes every check.
    package var verdict: Verdict { Verdict(findings, alerts, isWhole: false) }
}

extension Check {
    /// Findings beside which nobody can say what is in iCloud.
    package static let idsLeavingCloudOpen: Set = [
        notIntact.id, walMissing.id, filesMixed.id, recoveredStore.id, metadataMissing.id, tableMissing.id,
        columnMissing.id, entityNumberMismatch.id, historyBroken.id, historyOff.id, mirrorUnfinished.id,
        mirrorRelationshipPending.id, mirrorTokenLost.id, mirrorNotDownloaded.id, mirrorUnnamed.id,
    ]
}
