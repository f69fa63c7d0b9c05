import Foundation
import Testing

@testable import meterfix

@Suite("the width of the terminal")
struct TerminalWidthTests {
    @Test("is what the user says, otherwise what the terminal says, if anybody does")
    func columns() {
        #expect(StandardStream.columns(environment: "100", terminal: 80) == 100)
        #expect(StandardStream.columns(environment: nil, terminal: 80) == 80)
        for wrong in ["", "0", "-3", "wide", "8x"] {
            #expect(StandardStream.columns(environment: wrong, terminal: 80) == 80)
            #expect(StandardStream.columns(environment: wrong, terminal: 0) == nil)
        }
        #expect(StandardStream.columns(environment: nil, terminal: nil) == nil)
    }

    @Test("is what an answer fits into: values wrap in their cells, and no value is cut")
    func fits() throws {
        let folder = try ScratchFolder(sample: "check-duplicate-mac")
        let words = ["rebuild", "-nv", "check-duplicate-mac.sqlite", "--color", "never", "--now", SampleSession.now]
        let lines = try Pseudoterminal.lines(words, columns: 100, in: folder)
        #expect(lines.contains { $0.count > 90 })
        #expect(lines.allSatisfy { $0.count <= 100 })
        #expect(!lines.contains { $0.contains("…") })
        // In a file a line is as long as it has to be.
        let file = try folder.meterfix(arguments: words).stdout
        #expect(file.split(separator: "\n").contains { $0.count > 100 && $0.contains("…") })
    }

    /// What a supporter runs first.
    private static let commands = [
        ["verify"], ["status"], ["sync"], ["meters"], ["show", "Kitchen charger"], ["rebuild", "--dry-run"],
    ]

    @Test("is what Tests/Goldens/width shows", arguments: [80, 100, 140] as [UInt16])
    func goldens(_ columns: UInt16) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let transcript = Transcript(in: folder, summary: "On a terminal of \(columns) columns.", columns: columns)
        for words in Self.commands { try transcript.run(words + ["duplicates.sqlite"]) }
        try transcript.compare(with: "width/\(columns).txt")
    }

    @Test("breaks no address and no command, and only a command is longer than a line")
    func whole() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        func lines(_ columns: UInt16) throws -> [Substring] {
            try Self.commands.flatMap {
                let words = $0 + ["duplicates.sqlite", "--color", "never", "--now", SampleSession.now]
                return try Pseudoterminal.lines(words, columns: columns, in: folder)
            }
        }
        func whole(_ lines: [Substring]) -> [String] {
            lines.flatMap { line in
                line.matches(of: /[0-9A-F]{2}(:[0-9A-F]{2}){5}/).map { String($0.0) }
                    + line.matches(of: /meterfix [a-z-]+ .*?\.sqlite/).map { String($0.0) }
            }.sorted()
        }
        let wide = whole(try lines(400))
        #expect(wide.count > 60)
        for columns in [60, 80, 100, 140] as [UInt16] {
            let lines = try lines(columns)
            #expect(whole(lines) == wide, "\(columns)")
            let long = lines.filter { $0.count > columns && !$0.contains(/^ *(→ )?\(?meterfix\ /) }
            #expect(long == [], "\(columns)")
        }
    }

    @Test("does not matter to Markdown, HTML and JSON", arguments: ["markdown", "html", "json"])
    func others(_ format: String) throws {
        let folder = try ScratchFolder(sample: "check-duplicate-mac")
        let words = ["verify", "check-duplicate-mac.sqlite", "--format", format, "--now", SampleSession.now]
        let file = try folder.meterfix(arguments: words).stdout
        #expect(try Pseudoterminal.lines(words, columns: 30, in: folder) == file.split(separator: "\n"))
    }
}
