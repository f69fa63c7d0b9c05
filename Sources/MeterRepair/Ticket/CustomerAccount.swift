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
        meters: Int?, _ repair: Repair, _ findings: [Finding], names: [Int64: String], plan: Plan?,
        hadFirstAid: Bool = false
    ) {
        self.meters = meters
        self.repair = repair
        isLevelledByFirstAid = hadFirstAid && !findings.contains { $0.levelled == false }
        let gone = plan?.deletedRows
        let left = findings.filter { finding in
            finding.severity != .note && !(gone.map { Self.isCured(finding, whereGone: $0) } ?? false)
        }
        let ids = left.reduce(into: [String]()) { if $0.last != $1.id { $0.append($1.id) } }
        let points = ids.compactMap { id -> OpenPoint? in
            let found = left.filter { $0.id == id }
            guard let severity = found.first?.severity else { return nil }
            var known: Set<String> = []
            let names = found.lazy.flatMap(\.rows).compactMap { names[$0] }.filter { known.insert($0).inserted }
            return OpenPoint(check: id, severity: severity, count: found.count, names: Array(names))
        }
        open = Severity.allCases.sorted(by: >).flatMap { severity in points.filter { $0.severity == severity } }
    }

    /// Whether nothing is left of a finding once the rebuild is made: it is the cure, or the records it takes are gone.
    private static func isCured(_ finding: Finding, whereGone gone: Set<Int64>) -> Bool {
        if finding.cure.hasPrefix("meterfix \(WritingCommand.rebuild.rawValue) ") { return true }
        let left = finding.rows.count { !gone.contains($0) }
        return left == 0 ? !finding.rows.isEmpty : finding.rows.count > 1 && left == 1
    }
}
