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
    case other

    init(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
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

    private static func isTwin(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let level = levels.first(where: { line.begins($0) }) else { return false }
        return line.dropFirst(level.utf8CodeUnitCount).begins(": CoreData")
    }

    private static func hasLevel(in line: Slice<UnsafeBufferPointer<UInt8>>, after start: StaticString) -> Bool {
        guard line.begins(start) else { return false }
        let rest = line.dropFirst(start.utf8CodeUnitCount)
        return levels.contains { rest.begins($0) && rest.dropFirst($0.utf8CodeUnitCount).first == UInt8(ascii: ":") }
    }

    /// `YYYY-MM-DD hh:mm:ss`.
    private static func isDate(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        isShaped(line, like: "0000-00-00") && isShaped(line.dropFirst(11), like: "00:00:00")
    }

    private static func isMonth(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard months.contains(where: { line.begins($0) }), line.count >= 15 else { return false }
        return isShaped(line.dropFirst(7), like: "00:00:00")
    }

    private static func isLevel(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let level = levels.first(where: { line.begins($0) }) else { return false }
        let rest = line.dropFirst(level.utf8CodeUnitCount)
        return (rest.first.map(isSpace) ?? false) && isShaped(rest.drop(while: isSpace), like: "00:00:00")
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// - Parameter shape: `0` is any digit.
    static func isShaped(_ text: some Collection<UInt8>, like shape: StaticString) -> Bool {
        var place = 0
        for byte in text {
            guard place < shape.utf8CodeUnitCount else { break }
            let wanted = shape.utf8Start[place]
            guard wanted == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == wanted else { return false }
            place += 1
        }
        return place == shape.utf8CodeUnitCount
    }
}

/// Search for fixed words in a part of a log.
extension Collection<UInt8> {
    func begins(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        let answer = withContiguousStorageIfAvailable { bytes in
            guard bytes.count >= count else { return false }
            var length = 0
            while length < count, bytes[length] == text.utf8Start[length] { length += 1 }
            return length == count
        }
        return answer ?? false
    }

    func contains(_ text: StaticString) -> Bool { range(of: text) != nil }

    /// Where a text is for the first time; nil where it is not.
    func range(of text: StaticString) -> Range<Index>? {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard let place = withContiguousStorageIfAvailable({ ByteSearch.firstIndex(of: wanted, in: $0) }) ?? nil else {
            return nil
        }
        let start = index(startIndex, offsetBy: place)
        return start..<index(start, offsetBy: wanted.count)
    }
}
