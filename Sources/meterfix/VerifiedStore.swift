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

    init(at path: String, _ options: VerifyOptions, _ form: Form) {
        do {
            let report = try Verify.report(path, options)
            if form.isJSON {
                answer = Self.pieces(of: report)
            } else if form.isQuiet {
                answer = []
            } else {
                answer = Self.pieces(
                    of: VerifyText(report, form.times, showsAll: form.showsAll).blocks, on: form.medium)
            }
            error = nil
            status = Self.status(of: report, strict: form.strict)
        } catch {
            if form.isJSON {
                answer = Self.pieces(of: ErrorDocument.json(error, command: "verify", store: path))
            } else if case .html = form.medium, !form.isQuiet {
                answer = Self.pieces(of: ErrorText.blocks(error, store: path), on: form.medium)
            } else {
                answer = []
            }
            self.error = error
            status = ExitStatus(error.kind)
        }
    }

    /// A document on one line.
    private static func pieces(of document: some JSONWritable) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        document.writeLine(pretty: false) { pieces.append(Array($0)) }
        return pieces
    }

    private static func pieces(of blocks: [Block], on medium: Medium) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var buffer = OutputBuffer()
        medium.write(blocks) { buffer.append($0) { pieces.append($0) } }
        buffer.flush { pieces.append($0) }
        return pieces
    }

    /// Whether findings of this severity are problems, the report's worst says.
    static func status(of report: Report, strict: Bool) -> ExitStatus {
        let threshold: Severity = strict ? .warning : .error
        return report.worst.map { $0 >= threshold } == true ? .found : .success
    }
}
