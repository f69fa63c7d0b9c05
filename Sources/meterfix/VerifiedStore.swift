internal import Answer
internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// One of several stores, verified, and what is to be printed of it.
struct VerifiedStore: Sendable {
    /// How the answer is to look, and what counts as a problem.
    struct Form: Sendable {
        let isJSON: Bool
        let isQuiet: Bool
        let showsAll: Bool
        let medium: Medium
        /// The clock, and whether times are shown exactly, are the same for all.
        let times: ShownTimes
        let strict: Bool
    }

    /// For stdout, in pieces, so that a large answer is in memory once; empty for nothing.
    let answer: [[UInt8]]
    /// Why it could not be verified.
    let error: StoreError?
    let status: ExitStatus
    /// The worst severity among the findings; nil where there are none.
    let worst: Severity?
    /// The ids of the checks that fired, each once.
    let ids: Set<String>

    init(at path: String, _ options: VerifyOptions, _ form: Form) {
        do {
            let (answer, report) = try Verify.look(at: path, options) { report, confirm throws(StoreError) in
                let answer =
                    if form.isJSON {
                        Self.pieces(of: report)
                    } else if form.isQuiet {
                        [[UInt8]]()
                    } else {
                        form.medium.pieces(of: VerifyText(report, form.times, showsAll: form.showsAll).blocks)
                    }
                try confirm()
                return (answer, report)
            }
            self.answer = answer
            error = nil
            status = Self.status(of: report, strict: form.strict)
            worst = report.findings.worst
            ids = report.findings.ids
        } catch {
            if form.isJSON {
                answer = Self.pieces(of: ErrorDocument.json(error, command: "verify", store: path))
            } else if case .html = form.medium, !form.isQuiet {
                answer = form.medium.pieces(of: ErrorText.blocks(error, store: path))
            } else {
                answer = []
            }
            self.error = error
            status = ExitStatus(error.kind)
            worst = nil
            ids = []
        }
    }

    /// A document on one line.
    private static func pieces(of document: some JSONWritable) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        document.writeLine(pretty: false) { pieces.append(Array($0)) }
        return pieces
    }

    /// Whether findings of this severity are problems, the report's worst says.
    static func status(of report: Report, strict: Bool) -> ExitStatus {
        let threshold: Severity = strict ? .warning : .error
        return report.findings.worst.map { $0 >= threshold } == true ? .found : .success
    }
}
