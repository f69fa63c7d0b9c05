import Foundation
import Testing

@testable import meterfix

@Suite("the width of the terminal")
struct TerminalWidthTests {
    @Test("is what the user says, otherwise what the terminal says, if anybody does")
    func columns() {
        #expect(TerminalWidth.columns(environment: "100", terminal: 80) == 100)
        #expect(TerminalWidth.columns(environment: nil, terminal: 80) == 80)
        for wrong in ["", "0", "-3", "wide", "8x"] {
            #expect(TerminalWidth.columns(environment: wrong, terminal: 80) == 80)
            #expect(TerminalWidth.columns(environment: wrong, terminal: 0) == nil)
        }
        #expect(TerminalWidth.columns(environment: nil, terminal: nil) == nil)
    }

    @Test("is what an answer fits into: values wrap in their cells, and no value is cut")
    func fits() throws {
        let folder = try ScratchFolder(sample: "check-duplicate-mac")
        let words = ["rebuild", "-n", "check-duplicate-mac.sqlite", "--color", "never", "--now", SampleSession.now]
        let lines = try Pseudoterminal.lines(words, columns: 100, in: folder)
        #expect(lines.contains { $0.count > 90 })
        #expect(lines.allSatisfy { $0.count <= 100 })
        #expect(!lines.contains { $0.contains("…") })
        // In a file a line is as long as it has to be.
        let file = try folder.meterfix(arguments: words).stdout
        #expect(file.split(separator: "\n").contains { $0.count > 100 && $0.contains("…") })
    }

    @Test("does not matter to Markdown, HTML and JSON", arguments: ["markdown", "html", "json"])
    func others(_ format: String) throws {
        let folder = try ScratchFolder(sample: "check-duplicate-mac")
        let words = ["verify", "check-duplicate-mac.sqlite", "--format", format, "--now", SampleSession.now]
        let file = try folder.meterfix(arguments: words).stdout
        #expect(try Pseudoterminal.lines(words, columns: 30, in: folder) == file.split(separator: "\n"))
    }
}
