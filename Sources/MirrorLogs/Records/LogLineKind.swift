internal import Texts

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
    /// `[... 300 lines omitted ...]`: what somebody has left out.
    case gap
    case other

    init(_ line: LogPart) {
        // Most lines.
        let stamp = line.dropFirst(line.begins("[") ? 1 : 0)
        if stamp.begins("0000-00-00"), stamp.dropFirst(11).begins("00:00:00") {
            self = .dated
            return
        }
        if Self.isGap(line) {
            self = .gap
            return
        }
        // Somebody may have copied the first line from behind its indentation.
        if line.first?.isSpace ?? false {
            let rest = line.drop(while: \.isSpace)
            let kind = LogLineKind(rest)
            let isSure = [.dated, .startsAnywhere, .startsLevel, .closes].contains(kind) || Self.isEvent(rest)
            self = isSure ? kind : .continues
            return
        }
        let level = Self.behindLevel(line)
        if Self.months.contains(where: line.begins) && line.dropFirst(7).begins("00:00:00")
            || level?.first?.isSpace ?? false && level?.drop(while: \.isSpace).begins("00:00:00") ?? false
        {
            self = .dated
        } else if line.begins("Type: "), line.contains(" | Timestamp: ") {
            self = .closes
        } else if line.begins("CoreData: ") && Self.behindLevel(line.dropFirst(10))?.begins(":") ?? false
            || line.begins("BUG IN CLIENT OF CLOUDKIT: ") || line.begins("=== Messages dropped")
        {
            self = .startsAnywhere
        } else if level?.begins(": CoreData") ?? false {
            self = .startsLevel
        } else if Self.beginnings.contains(where: line.begins), !line.begins("error: Error Domain") {
            self = .starts
        } else {
            let isContinued = line.isEmpty || Self.continuations.contains(where: line.begins)
            self = isContinued ? .continues : Self.isBehindPrefix(line) ? .startsAnywhere : .other
        }
    }

    private static let beginnings: [StaticString] = [
        "CoreData:", "CoreData+CloudKit:", "error: ", "warning: ", "fault: ", "debug: ", "CloudKit: ", "BUG IN CLIENT",
        "updateTaskRequest", "*** ", event,
    ]
    private static let event: StaticString = "<NSPersistentCloudKitContainerEvent"

    /// Whether a line begins with the description of an event, which only an app prints.
    static func isEvent(_ line: LogPart) -> Bool { line.drop(while: \.isSpace).begins(event) }

    private static let continuations: [StaticString] = [
        "\"", ")", "}", "]", ">", "<CKError", "Error Domain=", "Recovery encountered", "UserInfo=", "(null)",
        "...", "-[", "error: Error Domain=", "Code=",
    ]
    private static let levels: [StaticString] = [
        "error", "warning", "CloudKit", "debug", "fault", "annotation", "sql", "default", "info", "notice", "details",
    ]
    private static let months: [StaticString] = [
        "Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec ",
    ]

    /// Whether nothing else is in a line than that lines are left out, behind a number, dots or a bracket.
    static func isGap(_ line: LogPart) -> Bool {
        guard line.count < 60, let first = line.first, !first.isLetter else { return false }
        let words = line.split { !$0.isLetter }.map { $0.text.lowercased() }
        return words.contains(where: leavingOut.contains)
            && words.allSatisfy { leavingOut.contains($0) || leftOut.contains($0) }
    }

    private static let leavingOut: Set<String> = [
        "omitted", "snip", "snipped", "truncated", "elided", "removed", "skipped", "deleted", "trimmed",
    ]
    private static let leftOut: Set<String> = [
        "line", "lines", "log", "logs", "output", "message", "messages", "entries", "rest", "more", "many", "some",
        "similar", "other", "of", "the", "here", "were", "was", "been", "have", "has", "by", "me",
    ]

    /// Whether Core Data's words stand behind what a test tool or a build machine puts before each line.
    private static func isBehindPrefix(_ line: LogPart) -> Bool {
        guard let words = line.prefix(60).after("CoreData: ") else { return false }
        return behindLevel(line[words.startIndex...])?.begins(":") ?? false
    }

    private static func behindLevel(_ line: LogPart) -> LogPart? {
        levels.first(where: line.begins).map { line.dropFirst($0.utf8CodeUnitCount) }
    }
}
