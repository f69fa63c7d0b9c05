internal import Texts

/// Takes away the numbers that `cat -n`, `grep -n`, editors and the pages of a ticket put before each line.
struct LogLineNumbers: LogStep {
    /// What stands between a number and its line.
    private enum Separator: CaseIterable {
        case tab, colon, bar, space
        /// `1:` before what `grep -A` has found, and `2-` before the lines around it.
        case context
    }

    /// Digits of a number: no log that somebody numbers has ten million lines.
    private static let mostDigits = 7

    private let separator: Separator
    private var starts: LogLineStarts

    /// Nil for a log without numbers, which most are.
    /// - Parameter start: the first chunk.
    init?(_ start: [UInt8]) {
        let found = start.withUnsafeBufferPointer { bytes in
            let lines = LogLineStarts.lines(of: bytes)
            return Separator.allCases.first { Self.areNumbered(lines, by: $0) }
        }
        guard let found else { return nil }
        separator = found
        starts = LogLineStarts(start, longest: 64)
    }

    /// Whether nearly all lines have a number, and each one a higher one than the line before.
    private static func areNumbered(_ lines: [LogPart], by separator: Separator) -> Bool {
        let lines = separator == .context ? lines.filter { !LogFileNames.isGap($0) } : lines
        // Most logs have none on their first lines.
        guard lines.prefix(3).contains(where: { split($0, separator) != nil }) else { return false }
        let numbered = lines.compactMap { split($0, separator) }
        let steps = zip(numbered, numbered.dropFirst()).count {
            separator == .space ? $1.number == $0.number + 1 : $1.number > $0.number
        }
        // Lines around what was found stand beside that; a year alone is no number.
        guard separator != .context || lines.contains(where: { split($0, .colon) != nil }) else { return false }
        // Of one or two lines, a number alone tells nothing.
        let isSure = lines.count > 2 || numbered.allSatisfy { isStart($0.line) }
        return isSure && numbered.count * 10 >= lines.count * 9 && steps * 10 >= (numbered.count - 1) * 9
    }

    /// Whether a line may have one, whatever the others have.
    static func mayBeAt(_ line: LogPart) -> Bool {
        [.tab, .colon, .bar].contains { split(line, $0) != nil }
    }

    private static func isStart(_ line: LogPart) -> Bool {
        let line = line.drop(while: \.isBlank)
        return switch LogLineKind(line) {
        case .dated, .starts, .startsAnywhere, .startsLevel, .gap: true
        case .continues, .closes, .other: line.begins("{") || line.begins("[{")
        }
    }

    /// A line and its number; nil for a line without one.
    private static func split(_ line: LogPart, _ separator: Separator) -> (number: Int, line: LogPart)? {
        guard let digits = digits(of: line) else { return nil }
        let behind: LogPart?
        switch separator {
        case .tab: behind = withoutNumber(line, before: 0x09)
        case .colon: behind = withoutNumber(line, before: colon)
        case .bar:
            let bar = line[digits.endIndex...].withoutSpace
            let length = bar.begins("|") ? 1 : bar.begins("│") ? 3 : 0
            behind = length == 0 ? nil : bar.dropFirst(length + (bar.dropFirst(length).first == 0x20 ? 1 : 0))
        case .space: behind = withoutNumber(line, before: 0x20)
        case .context:
            behind = withoutNumber(line, before: UInt8(ascii: "-")) ?? withoutNumber(line, before: colon)
        }
        return behind.map { (digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }, $0) }
    }

    private static let colon = UInt8(ascii: ":")

    private static func digits(of line: LogPart) -> LogPart? {
        let digits = line.drop(while: \.isBlank).prefix(while: \.isDigit)
        return (1...mostDigits).contains(digits.count) ? digits : nil
    }

    /// A line without the number that it begins with, and the sign behind that; nil for one without.
    static func withoutNumber(_ line: LogPart, before sign: UInt8) -> LogPart? {
        guard let digits = digits(of: line) else { return nil }
        let rest = line[digits.endIndex...]
        // The hours of `08:14:00` are no number of a line.
        let isClock = digits.count == 2 && rest.begins(":00:00") && !rest.dropFirst(6).begins(":")
        return rest.first == sign && !isClock ? rest.dropFirst() : nil
    }

    mutating func mend(_ text: inout [UInt8], isEnd: Bool) {
        starts.mend(&text, isEnd: isEnd) { [separator] in Self.split($0, separator)?.line ?? $0 }
    }
}
