internal import Texts

/// How a log was written, and put into a mail or a thread, as its beginning shows.
struct LogLayout {
    /// Whether it is JSON: objects one after the other, or an array of them.
    private(set) var isJSON = false
    /// What cuts it where it is a table.
    private(set) var table: LogTable?
    /// Whether its messages stand between quotation marks.
    var hasStrings: Bool { isJSON || table != nil }
    /// Lines that begin a message: the first words of a line, where nothing else tells messages apart.
    private var starts: [LogLineKind] = [.dated, .startsAnywhere, .startsLevel, .starts, .other]
    private var hasFences = false
    private var isBulleted = false
    /// Spaces before all lines.
    private var indentation = 0
    /// What stands before each line.
    private(set) var prefixes: LogPrefixes?

    /// Whether each message begins with its date, or with its level and the time.
    var isDated: Bool { starts.count == 2 }

    /// Whether messages say themselves when they were written, or nobody does: then what stands before each line can go.
    var needsNoPrefixes: Bool { hasStrings || isDated || !(prefixes?.hasTime ?? false) }

    /// Bytes of most lines at most, with some to spare, where lines are so short that a mail may have broken them; nil
    /// where they are not.
    private var mailWidth: Int?

    /// Whether the next line may be the rest of a line that a mail has broken: its first word had no room there.
    /// - Parameter length: bytes of the line before.
    func isBroken(_ length: Int, before next: LogPart) -> Bool {
        guard let mailWidth, length <= Self.widestMail else { return false }
        return length + 1 + next.prefix { !$0.isBlank }.count >= mailWidth
    }

    private static let widestMail = 100

    func isStart(_ kind: LogLineKind) -> Bool { kind == .gap || starts.contains(kind) }

    /// - Parameters:
    ///   - start: the first chunk.
    ///   - isOfMail: whether a mail program may have broken lines, whatever they look like.
    init(_ start: [UInt8], isOfMail: Bool = false) {
        // A chunk that is not the last one ends in the middle of a line.
        start.withUnsafeBufferPointer { look(at: $0.prefix(1 << 18), isOfMail) }
    }

    private mutating func look(at sample: LogPart, _ isOfMail: Bool) {
        var lines = sample.split(whereSeparator: \.isLineEnd).filter { !$0.allSatisfy(\.isSpace) }
        prefixes = LogPrefixes(LogLineStarts.lines(of: sample.base))
        if let prefixes { lines = lines.map { prefixes.line($0) ?? $0 }.filter { !$0.allSatisfy(\.isSpace) } }
        guard let first = lines.first else { return }
        func share(_ isSo: (LogPart) -> Bool) -> Int { lines.count(where: isSo) * 100 / lines.count }
        let beginning = (prefixes == nil ? sample : first).drop(while: \.isSpace)
        let isOfJSON = { (line: LogPart) in "{}[]\"".utf8.contains(line.first { !$0.isSpace } ?? 0) }
        isJSON = Self.isJSON(beginning) && share(isOfJSON) >= 90 || Self.areObjects(lines)
        table = isJSON ? nil : LogTable(lines)
        guard !isJSON, table == nil else { return }
        hasFences = lines.contains { $0.drop(while: \.isSpace).begins("```") }
        isBulleted = share { line in Self.bullets.contains(where: line.begins) } >= 50
        indentation = lines.map { $0.prefix { $0 == 0x20 || $0 == 0x09 }.count }.min() ?? 0
        let stripped = lines.compactMap(withoutSigns)
        let kinds = stripped.map { LogLineKind($0) }
        func count(_ kind: LogLineKind) -> Int { kinds.count { $0 == kind } }
        // What has no space cannot be broken.
        let isShort = stripped.count(where: { $0.count > 80 && $0.contains(0x20) }) * 20 < kinds.count
        let broken = isShort || isOfMail ? stripped.filter { $0.count <= Self.widestMail && $0.contains(0x20) } : []
        let lengths = broken.map(\.count).sorted(by: >)
        // A few lines are from elsewhere, and signs that were taken back have made others shorter.
        mailWidth = lengths.isEmpty ? nil : lengths[lengths.count / 20] - 16
        // A mail breaks a message into many lines.
        if count(.dated) * 25 >= kinds.count, count(.dated) * 2 >= count(.startsAnywhere) {
            starts = [.dated, .startsAnywhere]
        } else if count(.closes) * 25 >= kinds.count, count(.closes) > 0 {
            // Xcode's line of facts is below each.
            starts = [.dated]
        } else if count(.startsAnywhere) + count(.startsLevel) > 0, stripped.contains(where: { $0.count > 60 }), isShort
        {
            // Lines that a mail has broken.
            starts = [.dated, .startsAnywhere, .startsLevel]
        }
    }

    private static func isJSON(_ beginning: LogPart) -> Bool {
        let inner = beginning.dropFirst().drop(while: \.isSpace)
        return beginning.begins("{") && inner.begins("\"") || beginning.begins("[") && inner.begins("{")
    }

    /// Whether all that may be of the mirror stands in objects, whatever somebody or a program wrote around these.
    static func areObjects(_ lines: [LogPart]) -> Bool {
        let candidates = lines.filter(LogRecord.mayBeIn)
        func isMember(_ line: LogPart) -> Bool {
            guard line.begins("\""), let end = line.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else { return false }
            return line[(end + 1)...].drop(while: \.isBlank).begins(":")
        }
        return !candidates.isEmpty
            && candidates.allSatisfy { line in
                let line = line.drop(while: \.isSpace)
                return isJSON(line) || isMember(line)
            }
            && lines.contains { line in
                let line = line.drop(while: \.isSpace)
                return isJSON(line) || line.begins("{") && line.count == 1
            }
    }

    private static let bullets: [StaticString] = ["- ", "* ", "• "]

    /// A line without what a mail or a thread puts before it; nil for one that is no line of the log.
    func stripped(_ line: LogPart) -> LogPart? { withoutSigns(prefixes?.line(line) ?? line) }

    private func withoutSigns(_ line: LogPart) -> LogPart? {
        let line = line.dropFirst(indentation)
        if hasFences, line.drop(while: \.isSpace).begins("```") { return nil }
        let bullet = isBulleted ? Self.bullets.first(where: line.begins) : nil
        return line.dropFirst(bullet?.utf8CodeUnitCount ?? 0)
    }
}
