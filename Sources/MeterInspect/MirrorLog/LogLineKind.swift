/// What the first bytes of a line of a log say about it.
enum LogLineKind {
    /// `2026-11-20 08:14:00`, `Nov 20 08:14:00` or `error 08:14:00`: a message begins.
    case dated
    /// What begins a message where lines have no date, and in any log (`CoreData: error: `).
    case starts, startsAnywhere
    /// `error: CoreData+CloudKit:`, the twin of `CoreData: error: CoreData+CloudKit:`.
    case startsLevel
    /// What goes on with the message before it, where lines have no date.
    case continues
    /// The line that Xcode writes below a message: `Type: Error | Timestamp: … | Process: …`.
    case closes
    case other

    init(_ line: LogPart) {
        guard let first = line.first else {
            self = .continues
            return
        }
        self =
            switch first {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): Self.isDate(line) ? .dated : .other
            case UInt8(ascii: "T") where line.begins("Type: ") && line.contains(" | Timestamp: "): .closes
            case UInt8(ascii: "C") where Self.hasLevel(in: line, after: "CoreData: "): .startsAnywhere
            case _ where Self.isTwin(line): .startsLevel
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\""), UInt8(ascii: ")"), UInt8(ascii: "}"),
                UInt8(ascii: "]"), UInt8(ascii: ">"):
                .continues
            case _ where Self.beginnings.contains(where: { line.begins($0) }) && !line.begins("error: Error Domain"):
                .starts
            case _ where Self.continuations.contains(where: { line.begins($0) }): .continues
            case _ where Self.isMonth(line) || Self.isLevel(line): .dated
            default: .other
            }
    }

    private static let beginnings: [StaticString] = [
        "CoreData:", "CoreData+CloudKit:", "error: ", "warning: ", "fault: ", "debug: ", "CloudKit: ", "BUG IN CLIENT",
        "updateTaskRequest", "*** ", "<NSPersistentCloudKitContainerEvent",
    ]
    private static let continuations: [StaticString] = [
        "<CKError", "Error Domain=", "Recovery encountered", "UserInfo=", "(null)", "...", "-[",
    ]
    static let levels: [StaticString] = [
        "error", "warning", "CloudKit", "debug", "fault", "annotation", "sql", "default", "info", "notice", "details",
    ]
    private static let months: [StaticString] = [
        "Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec ",
    ]

    private static func isTwin(_ line: LogPart) -> Bool {
        guard let level = levels.first(where: { line.begins($0) }) else { return false }
        return line.dropFirst(level.utf8CodeUnitCount).begins(": CoreData")
    }

    private static func hasLevel(in line: LogPart, after start: StaticString) -> Bool {
        guard line.begins(start) else { return false }
        let rest = line.dropFirst(start.utf8CodeUnitCount)
        return levels.contains { rest.begins($0) && rest.dropFirst($0.utf8CodeUnitCount).first == UInt8(ascii: ":") }
    }

    /// `YYYY-MM-DD hh:mm:ss`.
    private static func isDate(_ line: LogPart) -> Bool {
        LogBytes.isShaped(line, like: "0000-00-00") && LogBytes.isShaped(line.dropFirst(11), like: "00:00:00")
    }

    private static func isMonth(_ line: LogPart) -> Bool {
        guard months.contains(where: { line.begins($0) }), line.count >= 15 else { return false }
        return LogBytes.isShaped(line.dropFirst(7), like: "00:00:00")
    }

    private static func isLevel(_ line: LogPart) -> Bool {
        guard let level = levels.first(where: { line.begins($0) }) else { return false }
        let rest = line.dropFirst(level.utf8CodeUnitCount)
        return (rest.first.map(LogBytes.isSpace) ?? false)
            && LogBytes.isShaped(rest.drop(while: LogBytes.isSpace), like: "00:00:00")
    }
}
