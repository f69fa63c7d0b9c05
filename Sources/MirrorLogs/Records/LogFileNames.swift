internal import Texts

/// Takes away the name of the file, and the numbers of line and column, that `grep` and `rg` put before each line that they
/// have found, and before those around it: `a.log:12:`, `a.log:12:5:` and `a.log-13-`.
struct LogFileNames: LogStep {
    /// More files than anybody looks through for one ticket.
    private static let most = 16
    /// Bytes in which a name and a number are.
    private static let longest = 300

    private let names: [[UInt8]]
    /// How many numbers stand behind a name.
    private let numbers: Int
    private var starts: LogLineStarts

    /// Lines that were left out: `--` between what was found.
    var missing: Int { starts.dropped }

    /// Nil for a log without them, which most are.
    /// - Parameter start: the first chunk.
    init?(_ start: [UInt8]) {
        let found = start.withUnsafeBufferPointer { bytes in
            let lines = LogLineStarts.lines(of: bytes).filter { !Self.isGap($0) }
            return [2, 1, 0].lazy.compactMap { Self.names(of: lines, numbers: $0) }.first
        }
        guard let found else { return nil }
        (names, numbers) = found
        starts = LogLineStarts(start, longest: Self.longest)
    }

    /// What `grep` writes between lines that do not follow one another.
    static func isGap(_ line: LogPart) -> Bool { line.begins("--") && line.dropFirst(2).allSatisfy(\.isSpace) }

    /// The names that nearly all lines have, where messages begin behind them.
    private static func names(of lines: [LogPart], numbers: Int) -> (names: [[UInt8]], numbers: Int)? {
        var names: [[UInt8]] = []
        for line in lines {
            guard let name = name(of: line, isSure: numbers > 0), !names.contains(where: line.starts) else { continue }
            names.append(Array(name))
            if names.count > most { return nil }
        }
        guard !names.isEmpty else { return nil }
        let behind = lines.compactMap { Self.line($0, without: names, numbers) }
        guard behind.count * 10 >= lines.count * 9, LogPrefixes.areRecords(behind) else { return nil }
        return (names, numbers)
    }

    /// Up to the first colon; nil where that is no name of a file.
    /// - Parameter isSure: whether a number has to follow: then a name needs no ending.
    private static func name(of line: LogPart, isSure: Bool) -> LogPart? {
        let near = line.prefix(200)
        // `C:\`, which a path on Windows begins with.
        let drive = near.dropFirst().begins(":\\") ? 2 : 0
        guard let colon = near.dropFirst(drive).firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = near[..<colon]
        // An hour is none.
        let isHour =
            name.suffix(2).allSatisfy(\.isDigit) && (name.dropLast(2).last.map { $0.isBlank || $0 == 0x54 } ?? true)
        guard name.contains(where: \.isLetter), !isHour, !name.contains("CoreData"), LogLineKind(name) == .other else {
            return nil
        }
        if name.contains(where: { "./\\".utf8.contains($0) }) || name.begins("(standard input)") { return name }
        let isWord = name.first?.isLetter ?? false && !name.contains(where: \.isBlank)
        return isSure && isWord && LogLineNumbers.withoutNumber(near[(colon + 1)...], before: UInt8(ascii: ":")) != nil
            ? name : nil
    }

    /// Nil for a line that begins with none of the names.
    private static func line(_ line: LogPart, without names: [[UInt8]], _ numbers: Int) -> LogPart? {
        for name in names where line.starts(with: name) {
            let rest = line.dropFirst(name.count)
            guard let sign = rest.first, ":-".utf8.contains(sign) else { continue }
            let behind = (0..<numbers).reduce(Optional(rest.dropFirst())) { behind, _ in
                behind.flatMap { LogLineNumbers.withoutNumber($0, before: sign) }
            }
            if let behind { return behind }
        }
        return nil
    }

    mutating func mend(_ text: inout [UInt8], isEnd: Bool) {
        starts.mend(&text, isEnd: isEnd) { [names, numbers] line in
            if Self.isGap(line) { return nil }
            return Self.line(line, without: names, numbers) ?? line
        }
    }
}
