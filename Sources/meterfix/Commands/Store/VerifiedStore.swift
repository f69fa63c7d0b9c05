internal import Answer
internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterModel

/// One of several stores, verified, and what is to be printed of it.
struct VerifiedStore: Sendable {
    /// Of the main file, as the user gave it or as it was found in the folder that the user gave.
    let path: String
    /// For stdout, in pieces, so that a large answer is in memory once; empty for nothing.
    let answer: [[UInt8]]
    /// Why it could not be verified.
    let error: StoreError?
    let status: ExitStatus
    /// What each check found in it.
    let findings: [Found]
    /// `DeviceSettings` rows.
    let records: Int
    /// What has to be known before anything else, also where the finding is ignored.
    let alert: String?
    /// For who asked for nothing but errors and warnings; nil where all is well.
    let warning: String?

    /// The findings of one check: the worst severity among them, and how many there are.
    struct Found: Hashable, Sendable {
        let id: String
        let severity: Severity
        let count: Int
    }

    /// - Parameters:
    ///   - isSummary: whether only what all stores come to is shown of them.
    ///   - strict: whether warnings are problems.
    init(at path: String, _ options: VerifyOptions, on console: Console, isSummary: Bool, strict: Bool) {
        var found = path
        do {
            found = try StorePlaces.store(named: path)
            let report = try Verify.report(found, options)
            self.path = found
            answer =
                if console.isJSON {
                    [report.line(pretty: false)]
                } else if isSummary {
                    []
                } else {
                    console.medium.pieces(of: report.blocks(console.times))
                }
            error = nil
            status = Self.status(of: report, strict: strict)
            findings = Dictionary(grouping: report.findings, by: \.id).map { id, found in
                Found(id: id, severity: found.worst ?? .note, count: found.count)
            }
            records = report.records
            let alerts = report.alerts
            alert =
                (alerts.pendingStorm ?? alerts.deletions.first ?? alerts.missingLog ?? alerts.vanished.first)?.message
                .description
            warning = report.warning
        } catch {
            if console.isJSON {
                answer = [error.json(command: "verify", store: path).line(pretty: false)]
            } else if case .html = console.medium, !isSummary {
                answer = console.medium.pieces(of: error.blocks(store: path))
            } else {
                answer = []
            }
            self.path = found
            self.error = error
            status = ExitStatus(error.kind)
            findings = []
            records = 0
            alert = nil
            warning = nil
        }
    }

    /// Errors are problems, and whatever says that data is about to go or that nothing can be told; warnings only if they
    /// are to be taken so. What is ignored is none.
    static func status(of report: VerifyReport, strict: Bool) -> ExitStatus {
        let threshold: Severity = strict ? .warning : .error
        let ids = report.findings.ids
        let isProblem =
            switch report.verdict {
            case .stop, .unknown: report.alerts.findings.contains { ids.contains($0.id) }
            case .clean, .repair: false
            }
        return isProblem || report.findings.worst.map { $0 >= threshold } == true ? .found : .success
    }
}
