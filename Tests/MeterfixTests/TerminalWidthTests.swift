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

    /// What meterfix prints on a terminal of this many columns.
    private func lines(_ arguments: [String], columns: UInt16, in folder: ScratchFolder) throws -> [Substring] {
        let (master, name) = try Pseudoterminal.open()
        defer { close(master) }
        // As long as it is open here too, nothing that was printed is lost when the program ends.
        let terminal = open(name, O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
        #expect(fcntl(master, F_SETFL, O_NONBLOCK) == 0)
        let run = try MeterfixProcess.start(
            words: ["/bin/sh", "-c", #"terminal="$1"; shift; exec "$METERFIX" "$@" >"$terminal""#, "sh", name]
                + arguments,
            in: folder.path)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let isRunning = run.isRunning
            let count = read(master, &buffer, buffer.count)
            if count > 0 { bytes += buffer.prefix(count) } else if !isRunning { break } else { usleep(1_000) }
        }
        _ = try run.answer()
        // A terminal begins a line at its left edge.
        return String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self).split(separator: "\n")
    }

    @Test("is what an answer fits into: values wrap in their cells, and no value is cut")
    func fits() throws {
        let folder = try ScratchFolder(sample: "check-duplicate-mac")
        let words = ["rebuild", "-n", "check-duplicate-mac.sqlite", "--color", "never", "--now", SampleSession.now]
        let lines = try lines(words, columns: 100, in: folder)
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
        #expect(try lines(words, columns: 30, in: folder) == file.split(separator: "\n"))
    }
}
