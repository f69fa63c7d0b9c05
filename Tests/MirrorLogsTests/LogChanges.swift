import Foundation
import Testing

/// What people and programs do to a log after it was written.
struct LogChange: CustomTestStringConvertible, Sendable {
    let name: String
    let change: @Sendable ([UInt8]) -> [UInt8]

    var testDescription: String { name }

    private init(_ name: String, bytes change: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        (self.name, self.change) = (name, change)
    }

    private init(_ name: String, _ change: @escaping @Sendable (String) -> String) {
        self.init(name, bytes: { Array(change(String(decoding: $0, as: UTF8.self)).utf8) })
    }

    private init(_ name: String, eachLine change: @escaping @Sendable (Int, [UInt8]) -> [UInt8]) {
        self.init(name, bytes: { Self.lines($0, change) })
    }

    static let signs = [
        LogChange("typographic apostrophes") { $0.replacing("'", with: "’") },
        LogChange("typographic quotation marks") { $0.replacing("'", with: "‘").replacing("\"", with: "”") },
        LogChange("German quotation marks") { $0.replacing("\" ", with: "“ ").replacing("\"", with: "„") },
        LogChange("HTML by name") { escaped($0).replacing("'", with: "&apos;") },
        LogChange("HTML by number") { escaped($0).replacing("'", with: "&#x27;") },
        LogChange("HTML by decimal number") { escaped($0).replacing("'", with: "&#39;") },
        LogChange("no-break spaces") { $0.replacing(" ", with: "\u{A0}") },
        LogChange("a no-break space for every other one") { $0.replacing("  ", with: "\u{A0} ") },
        LogChange("narrow no-break spaces") { $0.replacing(" ", with: "\u{202F}") },
        LogChange("spaces as wide as a digit") { $0.replacing(" ", with: "\u{2007}") },
    ]

    static let numbers = [
        LogChange("cat -n", eachLine: { Array("\(padded($0, 6))\t".utf8) + $1 }),
        LogChange("nl", eachLine: { $1.isEmpty ? Array("       ".utf8) : Array("\(padded($0, 6))\t".utf8) + $1 }),
        LogChange("grep -n", eachLine: { Array("\($0):".utf8) + $1 }),
        LogChange("an editor", eachLine: { Array("\(padded($0, 4)) | ".utf8) + $1 }),
        LogChange("bat", eachLine: { Array("\(padded($0, 4)) │ ".utf8) + $1 }),
        LogChange("less -N", eachLine: { Array("\(padded($0, 7)) ".utf8) + $1 }),
    ]

    /// What is put before each line.
    static let prefixes = [
        LogChange("a build on GitHub", eachLine: { Array("\(stamp($0)) ".utf8) + $1 }),
        LogChange("a build, a step and a time", eachLine: { Array("build\tRun tests\t\(stamp($0)) ".utf8) + $1 }),
        LogChange(
            "fastlane", eachLine: { Array("[08:\(10 + $0 / 60):\(String(100 + $0 % 60).dropFirst())]: ▸ ".utf8) + $1 }),
        LogChange("Jenkins", eachLine: { Array("[\(stamp($0))] ".utf8) + $1 }),
        LogChange("docker compose", eachLine: { Array("app-1  | ".utf8) + $1 }),
        LogChange(
            "ts", eachLine: { Array("Nov 20 08:\(10 + $0 / 60):\(String(100 + $0 % 60).dropFirst()) ".utf8) + $1 }),
        LogChange("a name in brackets", eachLine: { Array("[sync] ".utf8) + $1 }),
        LogChange("grep in a file", eachLine: { Array("logs/a.log:".utf8) + $1 }),
        LogChange("grep -n in a file", eachLine: { Array("a.log:\($0):".utf8) + $1 }),
        LogChange("rg --vimgrep", eachLine: { Array("a.log:\($0):1:".utf8) + $1 }),
        LogChange("grep in several files", eachLine: { Array("\($0.isMultiple(of: 2) ? "a" : "b").log:".utf8) + $1 }),
        LogChange(
            "grep -n -C 1 in a file",
            eachLine: { line, text in
                let sign = line.isMultiple(of: 3) ? ":" : "-"
                return Array("console\(sign)\(line)\(sign)".utf8) + text
            }),
        LogChange(
            "grep -n -C 1",
            eachLine: { line, text in Array("\(line)\(line.isMultiple(of: 3) ? ":" : "-")".utf8) + text }),
    ]

    /// What somebody, or a program, writes above and below a log.
    static let surroundings = [
        LogChange("a fence", bytes: { Array("```\n".utf8) + ended($0) + Array("```\n".utf8) }),
        LogChange("a sentence", bytes: { Array("Here is the log:\n".utf8) + $0 }),
        LogChange("a prompt", bytes: { ended($0) + Array("ana@mac ~ % \n".utf8) }),
    ]

    static let quotes = [
        LogChange("an answer", eachLine: { Array("> ".utf8) + $1 }),
        LogChange("an answer to an answer", eachLine: { Array(">> ".utf8) + $1 }),
    ]

    /// As mail programs break lines: between words, without the blank.
    static let wordWraps = [72, 76, 78, 80, 100].map { width in
        LogChange("at \(width) between words", eachLine: { brokenBetweenWords($1, width) })
    }

    static let wraps =
        [60, 76, 78, 80, 90, 100, 132, 200].map { width in
            LogChange("fold -w \(width)", bytes: { folded($0, width) })
        }
        + [72, 80, 100].map { width in
            LogChange("fold -s -w \(width)", bytes: { folded($0, width, isAtSpaces: true) })
        }

    /// Several of these, one after the other.
    static let several = [
        LogChange("numbers, then a wrap", [numbers[0], wraps[3]]),
        LogChange("a wrap, then numbers", [wraps[3], numbers[0]]),
        LogChange("a wrap, then quotation marks", [wraps[3], signs[1]]),
        LogChange("a wrap, then HTML", [wraps[3], signs[4]]),
        LogChange("a wrap, then an answer", [wraps[3], quotes[0]]),
        LogChange("a wrap between words, then an answer", [wordWraps[0], quotes[0]]),
        LogChange("numbers, then an answer", [numbers[0], quotes[0]]),
    ]

    static let all = signs + numbers + wraps

    private init(_ name: String, _ changes: [LogChange]) {
        self.init(name, bytes: { bytes in changes.reduce(bytes) { $1.change($0) } })
    }

    private static func ended(_ bytes: [UInt8]) -> [UInt8] { bytes.last == 0x0A ? bytes : bytes + [0x0A] }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// Microseconds after each other, whatever the log says.
    private static func stamp(_ line: Int) -> String { "2026-11-20T07:15:00.\(1_000_000 + line)Z" }

    private static func padded(_ number: Int, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - String(number).count)) + String(number)
    }

    private static func lines(_ bytes: [UInt8], _ change: (Int, [UInt8]) -> [UInt8]) -> [UInt8] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let end: [UInt8] = lines.last?.isEmpty ?? true ? [0x0A] : []
        if !end.isEmpty { lines.removeLast() }
        let changed = lines.enumerated().map { change($0.offset + 1, Array($0.element)) }
        return Array(changed.joined(separator: [0x0A])) + end
    }

    /// A line in parts of whole words, without the blanks at which it is broken; a tab is as wide as a terminal shows it.
    private static func brokenBetweenWords(_ line: [UInt8], _ width: Int) -> [UInt8] {
        func columns(_ text: [UInt8]) -> Int { text.reduce(0) { $1 == 0x09 ? ($0 / 8 + 1) * 8 : $0 + 1 } }
        var (parts, part, blanks): ([[UInt8]], [UInt8], [UInt8]) = ([], [], [])
        for word in line.split(separator: 0x20, omittingEmptySubsequences: false) {
            if columns(part + blanks + word) > width, part.contains(where: { $0 != 0x20 }) {
                parts.append(part)
                (part, blanks) = ([], [])
            }
            if !word.isEmpty {
                part += blanks + word
                blanks = []
            }
            blanks.append(0x20)
        }
        return Array((parts + [part]).joined(separator: [0x0A]))
    }

    /// As GNU's `fold` breaks lines.
    private static func folded(_ bytes: [UInt8], _ width: Int, isAtSpaces: Bool = false) -> [UInt8] {
        func column(_ column: Int, _ byte: UInt8) -> Int {
            byte == 0x0D ? 0 : byte == 0x09 ? (column / 8 + 1) * 8 : column + 1
        }
        var (text, line, columns): ([UInt8], [UInt8], Int) = ([], [], 0)
        for byte in bytes {
            if byte == 0x0A {
                text += line + [byte]
                (line, columns) = ([], 0)
                continue
            }
            if column(columns, byte) > width, !line.isEmpty {
                let space = isAtSpaces ? line.lastIndex { $0 == 0x20 || $0 == 0x09 } : nil
                let end = space.map { $0 + 1 } ?? line.count
                text += line[..<end] + [0x0A]
                line.removeFirst(end)
                columns = line.reduce(0, column)
            }
            line.append(byte)
            columns = column(columns, byte)
        }
        return text + line
    }
}
