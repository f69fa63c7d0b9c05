internal import Texts

/// What a build machine, `docker compose` or `ts` puts before each line, those of one message too: a time, a name with a bar
/// or a tab behind it, or both.
struct LogPrefixes {
    /// Bytes in which it is.
    static let longest = 300

    /// The same before each line: `app-1  | `, and the job and the step of a build.
    private let name: [UInt8]
    /// Whether a time follows on it.
    let hasTime: Bool

    /// Nil for a log without them, which most are.
    /// - Parameter lines: the first lines, of which none is empty.
    init?(_ lines: [LogPart]) {
        guard lines.count > 2 else { return nil }
        let names = [[], Self.commonName(of: lines)]
        let found = [true, false].lazy.flatMap { hasTime in
            names.map { LogPrefixes(name: $0, hasTime: hasTime) }
        }.first { ($0.hasTime || !$0.name.isEmpty) && $0.isBefore(lines) }
        guard let found else { return nil }
        self = found
    }

    private init(name: [UInt8], hasTime: Bool) {
        (self.name, self.hasTime) = (name, hasTime)
    }

    /// Whether it is before nearly all lines, and messages begin behind it as they do where somebody else has put it there.
    private func isBefore(_ lines: [LogPart]) -> Bool {
        let behind = lines.compactMap(line)
        guard behind.count * 10 >= lines.count * 9 else { return false }
        // A log whose own lines have a date says behind it by whom they are.
        let own = behind.count { LogLineKind($0) == .other && Self.hasProcessID($0) }
        return Self.areRecords(behind) && own * 10 < lines.count
    }

    /// Whether messages begin among lines as they do where somebody else has put something before them.
    static func areRecords(_ lines: [LogPart]) -> Bool {
        let hasStart = lines.contains { line in
            switch LogLineKind(line) {
            case .dated, .startsAnywhere, .startsLevel, .closes: true
            case .starts: line.begins("CoreData") || LogLineKind.isEvent(line)
            case .continues, .gap, .other: line.begins("{\"")
            }
        }
        return hasStart || LogLayout.areObjects(lines) || LogTable(lines) != nil
    }

    private static func hasProcessID(_ line: LogPart) -> Bool {
        let near = line.prefix(80)
        return near.indices.contains { near[$0...].begins("[0") }
    }

    /// What nearly all lines begin with, up to the last sign that ends a column.
    private static func commonName(of lines: [LogPart]) -> [UInt8] {
        let line = lines[lines.count / 2].prefix(200)
        let ends = line.indices.filter { index in
            line[index] == 0x09 || line[index] == 0x20 && index > line.startIndex && "|]".utf8.contains(line[index - 1])
        }
        let name = ends.reversed().lazy.map { line[...$0] }.first { name in
            lines.count { $0.starts(with: name) } * 10 >= lines.count * 9
        }
        // The number of a process is the log's own, as is what Core Data writes.
        guard let name, LogLineKind(name) == .other, !hasProcessID(name), !name.contains("CoreData") else { return [] }
        return Array(name)
    }

    /// A line without what was put before it; nil where nothing was.
    func line(_ line: LogPart) -> LogPart? {
        guard line.starts(with: name) else { return nil }
        let line = line.dropFirst(name.count)
        guard hasTime else { return line }
        let time = Self.time(in: line)
        guard !time.isEmpty else { return nil }
        var rest = line[time.endIndex...].drop { "]:".utf8.contains($0) }
        guard rest.first?.isBlank ?? true else { return nil }
        rest = rest.dropFirst()
        // The sign of xcpretty.
        for sign in ["| ", "▸ "] as [StaticString] where rest.begins(sign) {
            rest = rest.dropFirst(sign.utf8CodeUnitCount)
        }
        return rest
    }

    /// The time before a line.
    func moment(before line: LogPart) -> LogMoment? {
        guard hasTime, line.starts(with: name) else { return nil }
        var time = Self.time(in: line.dropFirst(name.count))
        return LogMoment(takenFrom: &time)
    }

    /// The time with which a line begins, without brackets; empty where it begins with none.
    private static func time(in line: LogPart) -> LogPart {
        let line = line.dropFirst(line.begins("[") ? 1 : 0)
        let clock =
            if line.begins("0000-00-00") { line.dropFirst(11) } else if line.dropFirst(3).begins(" ") {
                line.drop { !$0.isDigit }.drop(while: \.isDigit).dropFirst()
            } else { line }
        guard clock.begins("00:00:00") else { return line.prefix(0) }
        var rest = clock.dropFirst(8)
        if rest.begins(".0") || rest.begins(",0") { rest = rest.dropFirst().drop(while: \.isDigit) }
        if rest.begins("Z") {
            rest = rest.dropFirst()
        } else if rest.begins("+00") || rest.begins("-00") {
            rest = rest.dropFirst(rest.dropFirst(3).begins(":00") ? 6 : 5)
        }
        return line[..<rest.startIndex]
    }
}
