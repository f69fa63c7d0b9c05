import Foundation
import Testing

@testable import meterfix

@Suite("the line that tells how far long work is")
struct ProgressTests {
    @Test("leaves room for what matters: a long path is cut, and the line is shorter than the terminal is wide")
    func width() {
        let message = "meterfix: verifying " + String(repeating: "folder/", count: 20) + "CKModel.sqlite …"
        let progress = "reading 250000 of 1000000 records"
        #expect(ProgressLine.line(message, progress, width: nil) == "\(message): \(progress)")
        #expect(ProgressLine.line(message, "", width: nil) == message)
        for width in [20, 40, 80, 100] {
            let line = ProgressLine.line(message, progress, width: width)
            #expect(line.count < width)
            #expect(width < 80 || line.hasSuffix(": \(progress)"))
        }
    }

    /// A terminal for stderr, and a dump that does not come until the line is there.
    private func screen(_ arguments: [String]) throws -> (shown: String, seen: Bool) {
        let folder = try ScratchFolder(sample: "healthy")
        let pipe = folder.path + "/names.json"
        try #require(mkfifo(pipe, 0o600) == 0)
        let (master, name) = try Pseudoterminal.open()
        defer { close(master) }
        let terminal = Foundation.open(name, O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        #expect(fcntl(master, F_SETFL, O_NONBLOCK) == 0)
        let run = try MeterfixProcess.start(
            words: ["/bin/sh", "-c", #"terminal="$1"; shift; exec "$METERFIX" "$@" 2>"$terminal""#, "sh", name]
                + ["import-kv", "--dry-run", "names.json", "healthy.sqlite"] + arguments,
            in: folder.path, environment: ["TERM": "xterm"])
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        func take() -> Bool {
            let count = read(master, &buffer, buffer.count)
            if count > 0 { bytes += buffer.prefix(count) }
            return count > 0
        }
        // Longer than the line needs to come, where one is to come at all.
        let deadline = Date().addingTimeInterval(arguments.isEmpty ? 30 : 1)
        while bytes.isEmpty, Date() < deadline { if !take() { usleep(1_000) } }
        let seen = !bytes.isEmpty
        try folder.write(#"{"MeterNames": {}}"#, to: "names.json")
        _ = try run.answer()
        while take() {}
        return (String(decoding: bytes, as: UTF8.self), seen)
    }

    @Test("comes while the work goes on, and is taken away when it is done")
    func shown() throws {
        let (shown, seen) = try screen([])
        #expect(seen)
        #expect(shown.hasPrefix("meterfix: importing into healthy.sqlite …"))
        #expect(shown.contains("\r\u{1B}[K"))
    }

    @Test("does not come with --quiet")
    func quiet() throws { #expect(try screen(["--quiet"]).shown.isEmpty) }
}
