internal import Answer
internal import MeterModel

/// What an answer about a store says before anything else: what must not be done with it.
enum AlertText {
    /// The check whose findings are said first.
    static let vanished = "mass-delete"

    /// - Parameter name: what the store is called where the answer is about several; nil where it is about one.
    static func blocks(_ findings: [Finding], of name: String? = nil, _ times: ShownTimes) -> [Block] {
        findings.flatMap { finding -> [Block] in
            let start = name.map { "\($0): " } ?? ""
            return [
                .note(Tone(finding.severity), "\(start)\(times.sentence(finding.message))"),
                .list(["\(finding.cure)"], marker: .arrow),
            ]
        }
    }
}
