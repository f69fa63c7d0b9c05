import Answer
import Foundation
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import meterfix

@Suite("Goldens: pages for a browser and for tickets")
struct PageGoldenTests {
    private struct Run {
        let format: String
        let words: [String]

        /// The command, and what GitHub and browsers know the format by.
        var file: String { "\(words[0]).\(format == "markdown" ? "md" : format)" }
    }

    private static let runs = [
        Run(format: "html", words: ["verify", "check-duplicate-mac.sqlite", "gone.sqlite"]),
        Run(format: "html", words: ["rebuild", "--dry-run", "check-duplicate-mac.sqlite"]),
        Run(format: "markdown", words: ["rebuild", "--dry-run", "check-duplicate-mac.sqlite"]),
        Run(format: "markdown", words: ["migrate", "--dry-run", "v1.sqlite"]),
        Run(format: "markdown", words: ["status", "v1.sqlite"]),
        Run(format: "markdown", words: ["compare", "check-duplicate-mac.sqlite", "v1.sqlite"]),
    ]

    @Test("are what Tests/Goldens/pages says")
    func golden() throws {
        let folder = try ScratchFolder(samples: "check-duplicate-mac", "v1")
        for run in Self.runs {
            let options = ["--format", run.format, "--now", SampleSession.now]
            let answer = try folder.meterfix(arguments: run.words + options)
            try Golden.compare(answer.stdout, with: "\(PackageFolder.goldens)/pages/\(run.file)")
        }
    }

    @Test("have a file each and no other file", .disabled(if: Golden.isUpdating))
    func complete() throws {
        #expect(try Golden.files(in: "pages") == Self.runs.map(\.file).sorted())
    }
}

@Suite("Goldens: reports")
struct ReportGoldenTests {
    private static let folder = PackageFolder.goldens + "/report"

    /// What is on the page, as text.
    private static func text(_ store: String, in folder: ScratchFolder) throws -> String {
        let now = try #require(Timestamp(iso8601: SampleSession.now))
        var request = TicketReport.Request(now: now)
        request.changes = 30
        request.shownNames = Console.mostNames
        let report = try TicketReport.of("\(folder.path)/\(store)", request)
        let text = ReportText(report, ShownTimes(now: now, isExact: false), now: now, backupWords: [])
        return text.blocks.textInPipe.replacing("\(folder.path)/", with: "")
    }

    @Test("are what Tests/Goldens/report says: before a repair, after it, of a clean store, and of another app's")
    func golden() throws {
        for (sample, commands) in [
            ("duplicates", []), ("duplicates", ["rebuild"]), ("healthy", []), ("other-app", []), ("no-history", []),
        ] {
            let folder = try ScratchFolder(sample: sample)
            for command in commands {
                _ = try folder.meterfix(command, "\(sample).sqlite", "--now", SampleSession.now)
            }
            let name = ([sample] + commands).joined(separator: "-")
            try Golden.compare(try Self.text("\(sample).sqlite", in: folder), with: "\(Self.folder)/\(name).txt")
        }
    }

    @Test("are what Tests/Goldens/report says as a page")
    func page() throws {
        let folder = try ScratchFolder(sample: "check-duplicate-mac")
        let words = ["report", "check-duplicate-mac.sqlite", "--output", "report.html", "--now", SampleSession.now]
        #expect(try folder.meterfix(arguments: words).code == 0)
        let page = try folder.text("report.html")
        try Golden.compare(page, with: "\(Self.folder)/check-duplicate-mac.html")
    }

    @Test("have a file each and no other file", .disabled(if: Golden.isUpdating))
    func complete() throws {
        #expect(
            try Golden.files(in: "report") == [
                "check-duplicate-mac.html", "duplicates-rebuild.txt", "duplicates.txt", "healthy.txt", "no-history.txt",
                "other-app.txt",
            ])
    }
}
