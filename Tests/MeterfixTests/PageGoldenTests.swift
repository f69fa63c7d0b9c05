import Foundation
import Testing

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
