/// All samples, in the order of their table.
package enum SampleShelf {
    package static let samples =
        customers + devices + fileChecks + mirrorChecks + addressChecks + recordChecks + foreign

    package static func sample(_ name: String) -> Sample? { samples.first { $0.name == name } }
}

extension SampleShelf {
    /// `Samples/README.md`.
    package static var readme: String {
        var lines = [
            "# Samples",
            "",
            "Stores as customers send them, each named for what is wrong with it. All are made up: `swift run",
            "make-samples` writes them and this list, `swift run make-samples --check` compares them. Each has a",
            "`-wal` beside it, except where the list says *alone*. The findings are those at `--now",
            "\(FixtureClock.nowText)`. Left out are `not-mirrored`, which most samples have, and the check that a",
            "sample `check-…` is named for. \"Refused\" is the exit code of a command that would write. The mirror's",
            "tables have the layout of a live store of macOS 26; their rows are built from descriptions.",
            "",
        ]
        for sample in samples {
            let implied = ["not-mirrored", sample.name.replacing("check-", with: "")]
            var findings = sample.expectedFindings.subtracting(implied).sorted().map { "`\($0)`" }
            if let refusal = sample.refusal { findings.append("refused: \(refusal)") }
            let names = sample.fileNames.filter { !$0.hasSuffix("-wal") }.map { "`\($0)`" }
            let files = names.joined(separator: " ") + (names.count == sample.fileNames.count ? " alone" : "")
            let found = findings.isEmpty ? "" : " → " + findings.joined(separator: ", ")
            lines.append("- \(files): \(sample.summary)\(found)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
