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
            "Stores as customers send them, each named by what is wrong with it. All are made up: `swift run make-samples`",
            "writes them and this table, `swift run make-samples --check` says whether they are up to date.",
            "The findings are those at `--now \(FixtureClock.nowText)`; \"refused\" is the exit code of a command that",
            "would write. The mirror's tables have the layout of a live store of macOS 26; their rows are built from",
            "descriptions.",
            "",
            "| sample | what it shows | findings |",
            "|---|---|---|",
        ]
        for sample in samples {
            var findings = sample.expectedFindings.sorted().map { "`\($0)`" }
            if let refusal = sample.refusal { findings.append("refused: \(refusal)") }
            let files = sample.fileNames.map { "`\($0)`" }.joined(separator: " ")
            lines.append(
                "| \(files) | \(sample.summary) | \(findings.isEmpty ? "none" : findings.joined(separator: ", ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
