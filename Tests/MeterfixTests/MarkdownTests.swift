import Foundation
import MeterTestSupport
import Testing

/// `--format markdown`: for a ticket, where a customer's text must not become markup.
@Suite("an answer in Markdown")
struct MarkdownTests {
    private func answer(_ words: [String], in folder: String) throws -> [String] {
        try MeterfixProcess.run(words + ["--format", "markdown"], in: folder).stdout
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("has headings, tables and lists")
    func structure() throws {
        let folder = try ScratchFolder()
        try folder.copySampleFile("duplicates.sqlite", as: "CKModel.sqlite")
        let lines = try answer(["rebuild", "--dry-run", "CKModel.sqlite"], in: folder.path)
        #expect(lines.first?.hasPrefix("## CKModel.sqlite: ") == true)
        let rule = try #require(lines.firstIndex { $0.hasPrefix("|---") })
        // GitHub takes lines for a table where the head, the rule and every row have as many cells.
        let cells = lines[rule].count { $0 == "|" }
        let table = lines[(rule - 1)...].prefix { $0.hasPrefix("|") }
        #expect(table.count > 3 && table.allSatisfy { $0.count { $0 == "|" } == cells })
        #expect(lines[rule - 2].isEmpty)
        #expect(lines.contains { $0.hasPrefix("- **conflict** tc66TemperatureUnit: ") })
        #expect(
            !lines.contains { $0.contains("\u{1B}") || $0.unicodeScalars.contains { (0xE000...0xE0FF) ~= $0.value } })
    }

    @Test("shows a customer's text as text")
    func escaping() throws {
        let folder = try TemporaryFolder()
        let name = "**a** | <b> & `c` [d](e) @f \u{E000}g\u{E002}"
        let records = [1, 2].map { row in
            FixtureRecord(row: row, macAddress: "A4:C1:38:00:00:0\(row)", meterName: name)
        }
        _ = try folder.store(StoreFixture(records: records))
        let text = try answer(["verify", "CKModel.sqlite"], in: folder.path).joined(separator: "\n")
        let shown = #"\*\*a\*\* \| &lt;b&gt; &amp; \`c\` \[d\](e) &#64;f \\u{e000}g\\u{e002}"#
        #expect(text.contains(shown), "\(text)")
    }

    @Test("has one answer after the other where there are several stores")
    func several() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let lines = try answer(["verify", "-v", "healthy.sqlite", "healthy.sqlite"], in: folder.path)
        #expect(
            lines == [
                "## healthy.sqlite: clean, 5 records", "", "## healthy.sqlite: clean, 5 records", "",
                "## 2 stores: 2 clean", "",
                "- for many stores, several hosts, and one table of all findings: `Scripts/fleet`", "",
            ])
    }
}
