package import MeterModel

/// What the owner of the meters has to know: what was wrong, what was or would be done, and what to check.
package struct CustomerAccount: Sendable {
    package enum Repair: Sendable {
        /// There is nothing to repair, and nothing was.
        case none
        /// What a repair would do.
        case ahead(RepairAccount)
        /// Meters are stored several times, and no repair is possible as the store is.
        case impossible(meters: Int)
        /// What the last repairs did that are in the store, and when the last one was made.
        case done(RepairAccount, at: Timestamp)
        /// There were some, and a backup does not tell what was done.
        case forgotten(at: Timestamp)
    }

    /// What a check found and a repair does not cure.
    package struct OpenPoint: Hashable, Sendable {
        /// The id of the check.
        package let check: String
        package let severity: Severity
        /// How often.
        package let count: Int
        /// What the meters are called that it is about, each once; those without a name are not among them.
        package let names: [String]
    }

    /// Nil for a store without records of meters.
    package let meters: Int?
    package let repair: Repair
    /// Whether first aid was given, and the app shows what there is of every meter that has several records.
    package let isLevelledByFirstAid: Bool
    /// The worst first; without notes.
    package let open: [OpenPoint]

    /// - Parameters:
    ///   - findings: in the order of the catalogue.
    ///   - names: of records that they are about, by row.
    ///   - plan: of the rebuild that is ahead; nil where none is.
    ///   - hadFirstAid: whether the last repair was first aid, or had it among its steps.
    package init(
        meters: Int?, _ repair: Repair, _ findings: Findings, names: [Int64: String], plan: Plan?,
        hadFirstAid: Bool = false
    ) {
        self.meters = meters
        self.repair = repair
        isLevelledByFirstAid = hadFirstAid && Self.isLevelled(findings)
        let gone = plan?.deletedRows
        let points = findings.checks.filter { $0.severity != .note }.compactMap { check -> OpenPoint? in
            var count = 0
            var found: [String] = []
            var known: Set<String> = []
            check.forEach { finding in
                if let gone, Self.isCured(finding, whereGone: gone) { return true }
                count += 1
                found += finding.rows.compactMap { names[$0] }.filter { known.insert($0).inserted }
                return true
            }
            return count > 0 ? OpenPoint(check: check.id, severity: check.severity, count: count, names: found) : nil
        }
        open = Severity.allCases.sorted(by: >).flatMap { severity in points.filter { $0.severity == severity } }
    }

    private static func isLevelled(_ findings: Findings) -> Bool {
        var isLevelled = true
        for check in findings.checks {
            check.forEach { finding in
                if finding.levelled == false { isLevelled = false }
                return isLevelled
            }
        }
        return isLevelled
    }

    /// Whether nothing is left of a finding once the rebuild is made: it is the cure, or the records it takes are gone.
    private static func isCured(_ finding: Finding, whereGone gone: Set<Int64>) -> Bool {
        if finding.cure.hasPrefix("meterfix \(WritingCommand.rebuild.rawValue) ") { return true }
        let left = finding.rows.count { !gone.contains($0) }
        return left == 0 ? !finding.rows.isEmpty : finding.rows.count > 1 && left == 1
    }
}
