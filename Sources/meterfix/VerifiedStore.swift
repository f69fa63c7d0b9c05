internal import CoreDataStore
internal import JSON
internal import MeterModel
internal import MeterRepair

/// One of several stores, verified, and what is to be printed of it.
struct VerifiedStore: Sendable {
    /// How the answer is to look, and what counts as a problem.
    struct Form: Sendable {
        let isJSON: Bool
        let isQuiet: Bool
        let showsAll: Bool
        let style: Style
        let strict: Bool
    }

    /// For stdout, without the last line's end; nil for nothing.
    let answer: String?
    /// Why it could not be verified.
    let error: StoreError?
    let status: ExitStatus

    init(at path: String, _ options: VerifyOptions, _ form: Form) {
        do {
            let report = try Verify.report(path, options)
            if form.isJSON {
                answer = report.text(pretty: false)
            } else if form.isQuiet {
                answer = nil
            } else {
                answer = form.style.laidOut(VerifyText(report, form.style, showsAll: form.showsAll).lines)
                    .joined(separator: "\n")
            }
            error = nil
            status = Self.status(of: report, strict: form.strict)
        } catch {
            answer = form.isJSON ? ErrorDocument.json(error, command: "verify", store: path).text(pretty: false) : nil
            self.error = error
            status = ExitStatus(error.kind)
        }
    }

    /// Whether findings of this severity are problems, the report's worst says.
    static func status(of report: Report, strict: Bool) -> ExitStatus {
        let threshold: Severity = strict ? .warning : .error
        return report.worst.map { $0 >= threshold } == true ? .found : .success
    }
}
