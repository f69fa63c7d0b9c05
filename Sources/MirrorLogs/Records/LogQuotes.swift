internal import Texts

/// Takes away the sign that a mail program puts before each line of what is quoted, and the lines that are not.
struct LogQuotes: LogStep {
    /// Bytes in which the sign is.
    private static let longest = 64

    private var starts: LogLineStarts

    /// Lines that were left out: what somebody has written around the log.
    var missing: Int { starts.dropped }

    /// Nil for a log that nobody quotes, which most are.
    /// - Parameter start: the first chunk.
    init?(_ start: [UInt8]) {
        guard Self.share(of: start) >= 70 || Self.holdsAll(of: start) else { return nil }
        starts = LogLineStarts(start, longest: Self.longest)
    }

    /// Whether so many lines have no sign that somebody may have broken those that have one.
    static func mayBeBroken(_ start: [UInt8]) -> Bool { (20..<95).contains(share(of: start)) }

    /// Of 100 lines, how many have a sign.
    private static func share(of start: [UInt8]) -> Int {
        count(start) { lines in lines.count { quoted($0) != nil } * 100 / max(1, lines.count) }
    }

    /// Whether all that may be of a log is quoted, however much somebody has written around it.
    private static func holdsAll(of start: [UInt8]) -> Bool {
        count(start) { lines in
            let found = lines.filter(LogRecord.mayBeIn)
            return found.allSatisfy { quoted($0) != nil } ? found.count : 0
        } > 0
    }

    private static func count(_ start: [UInt8], _ body: ([LogPart]) -> Int) -> Int {
        start.withUnsafeBufferPointer { body(LogLineStarts.lines(of: $0)) }
    }

    private static func quoted(_ line: LogPart) -> LogPart? {
        let start = line.drop(while: \.isBlank)
        guard let sign = ([">", "&gt;"] as [StaticString]).first(where: start.begins) else { return nil }
        let rest = start.dropFirst(sign.utf8CodeUnitCount)
        return rest.first == 0x20 ? rest.dropFirst() : rest
    }

    mutating func mend(_ text: inout [UInt8], isEnd: Bool) { starts.mend(&text, isEnd: isEnd, Self.quoted) }
}
