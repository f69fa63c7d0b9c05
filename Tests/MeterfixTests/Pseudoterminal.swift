import Foundation
import Testing

/// A terminal without a screen.
enum Pseudoterminal {
    /// The end at which a person would sit, and the path of the end for programs.
    static func open() throws -> (descriptor: Int32, path: String) {
        #if canImport(Darwin)
            let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
            let isOpen = descriptor >= 0 && grantpt(descriptor) == 0 && unlockpt(descriptor) == 0
            let path = ptsname(descriptor)
        #else
            // Glibc has them, but its headers do not declare them to Swift.
            typealias Call = @convention(c) (Int32) -> Int32
            let descriptor = try function("posix_openpt", as: Call.self)(O_RDWR | O_NOCTTY)
            let isOpen =
                try descriptor >= 0 && function("grantpt", as: Call.self)(descriptor) == 0
                && function("unlockpt", as: Call.self)(descriptor) == 0
            let path = try function("ptsname", as: (@convention(c) (Int32) -> UnsafeMutablePointer<CChar>?).self)(
                descriptor)
        #endif
        try #require(isOpen)
        return (descriptor, String(cString: try #require(path)))
    }

    /// What meterfix prints on a terminal of this many columns.
    static func lines(_ arguments: [String], columns: UInt16, in folder: ScratchFolder) throws -> [Substring] {
        let (master, name) = try open()
        defer { close(master) }
        // As long as it is open here too, nothing that was printed is lost when the program ends.
        let terminal = Foundation.open(name, O_RDWR | O_NOCTTY)
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

    #if !canImport(Darwin)
        private static func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
            unsafeBitCast(try #require(dlsym(nil, name)), to: type)
        }
    #endif
}
