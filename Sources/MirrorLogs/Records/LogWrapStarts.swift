internal import Texts

/// What lines begin with that begin a line of the log, too, and not only one of the broken log.
struct LogWrapStarts {
    /// Bytes of a line that tell it from others.
    private static let (short, long) = (8, 20)

    private let isDated: Bool
    private let isQuoted: Bool
    /// Whether lines had numbers before they were broken.
    private let isNumbered: Bool
    /// The beginnings of lines before which no line was broken, with `0` for each digit.
    private var beginnings: Set<[UInt8]> = []

    init(_ lines: [LogPart], _ isBroken: (LogPart, LogPart) -> Bool) {
        let sure = lines.prefix(1) + zip(lines, lines.dropFirst()).filter { !isBroken($0, $1) }.map(\.1)
        let kinds = sure.map { LogLineKind($0) }
        let dated = kinds.count { $0 == .dated }
        isDated = dated > 0 && dated >= kinds.count { [.startsAnywhere, .startsLevel, .starts].contains($0) }
        isQuoted = lines.count { $0.begins(">") } * 5 > lines.count
        isNumbered = sure.count(where: LogLineNumbers.mayBeAt) * 10 > sure.count * 8
        for line in sure {
            beginnings.insert(Self.shape(of: line, Self.long))
            beginnings.insert(Self.shape(of: line, Self.short))
        }
    }

    private static func shape(of line: LogPart, _ length: Int) -> [UInt8] {
        line.prefix(length).map { $0.isDigit ? UInt8(ascii: "0") : $0 }
    }

    /// Whether it is the beginning of a record, or of a line of one.
    /// - Parameter isSure: whether the line before was broken beyond doubt: then only a record can begin.
    func areAt(_ line: LogPart, isSure: Bool) -> Bool {
        if isQuoted { return line.begins(">") }
        if isNumbered { return LogLineNumbers.mayBeAt(line) }
        return switch LogLineKind(line) {
        // Dates are inside messages, too.
        case .dated: beginnings.contains(Self.shape(of: line, Self.long))
        case .closes, .gap: true
        case .startsAnywhere, .startsLevel: !isDated
        case .continues: false
        // What begins with `error: ` may be the end of a sentence.
        case .starts, .other: !isDated && !isSure && beginnings.contains(Self.shape(of: line, Self.short))
        }
    }

    /// Whether two lines begin alike.
    static func areAlike(_ one: LogPart, _ other: LogPart) -> Bool { shape(of: one, 6) == shape(of: other, 6) }

    /// Whether a record begins here in any log.
    static func areSure(at line: LogPart) -> Bool {
        switch LogLineKind(line) {
        case .dated, .startsAnywhere, .startsLevel, .closes, .gap: true
        case .starts, .continues, .other: false
        }
    }

    /// Whether it looks like the beginning of a record.
    func mayBeAt(_ line: LogPart) -> Bool {
        switch LogLineKind(line) {
        case .dated, .starts, .startsAnywhere, .startsLevel, .closes, .gap: true
        case .continues, .other: isQuoted && line.begins(">") || line.first?.isBlank ?? false
        }
    }
}
