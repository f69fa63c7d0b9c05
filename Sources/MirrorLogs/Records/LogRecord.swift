internal import CoreDataStore

/// One record of a log, whatever program wrote it and in whatever layout: a message, when, and by whom.
struct LogRecord {
    /// Its text with every white space as one space, and before it what the layout puts there.
    let bytes: [UInt8]
    /// Where the text of the message is in ``bytes``.
    let text: Range<Int>
    let time: LogMoment?
    /// Whether the message itself says when it was written.
    let hasOwnTime: Bool
    /// The process that wrote it.
    let owner: LogProcess
    /// Whether the log says that Core Data wrote it.
    let isOfCoreData: Bool
    /// Whether the log says that it is an error or a fault.
    let isComplaint: Bool
    /// Lines of the log that it takes.
    let lines: Int
}

/// Cuts the text of a log, chunk by chunk, into records that can be about the mirror. Everything else is only counted.
protocol LogCutter {
    /// Lines so far.
    var lines: Int { get }
    /// Records that break off or are damaged, and were not read.
    var unread: Int { get }

    /// - Parameters:
    ///   - chunk: nil at the end of the log.
    ///   - found: is handed each record.
    mutating func add(_ chunk: [UInt8]?, _ found: (LogRecord) -> Void)
}

extension LogRecord {
    /// The records in lines that belong together: more than one where somebody has put a whole log on one line.
    static func all(in joined: LogJoinedLines) -> [LogRecord] {
        joined.bytes.withUnsafeBufferPointer { bytes in
            let beginnings = secondBeginnings(in: bytes[...])
            guard !beginnings.isEmpty else { return [LogRecord(joined)] }
            let ends = beginnings + [bytes.count]
            return zip([0] + beginnings, ends).enumerated().map { number, part in
                var one = LogJoinedLines()
                let line = bytes[part.0..<part.1]
                _ = one.add(line, LogLineKind(line), LogLayout([]))
                return LogRecord(one, lines: number == 0 ? max(1, joined.lines - beginnings.count) : 1)
            }
        }
    }

    /// What stands in each message of the mirror once.
    static let sign: StaticString = "CoreData+CloudKit: -["

    private static func secondBeginnings(in text: LogPart) -> [Int] {
        guard text.count > 400, let first = text.range(of: sign) else { return [] }
        var (found, floor): ([Int], Int) = ([], first.upperBound)
        while let next = text[floor...].range(of: sign) {
            found.append(beginning(before: next.lowerBound, in: text, notBefore: floor))
            floor = next.upperBound
        }
        return found
    }

    /// Where the date is that stands before a message, else its level.
    private static func beginning(before place: Int, in text: LogPart, notBefore floor: Int) -> Int {
        let near = text[max(floor, place - 400)..<place]
        let date = near.indices.last { index in
            near[index...].begins("0000-00-00") && near[(index + 11)...].begins("00:00:00")
        }
        if let date { return date }
        var start = place
        for word in [["error: ", "warning: ", "CloudKit: ", "fault: ", "debug: "], ["CoreData: "]] as [[StaticString]] {
            if let level = word.first(where: { near[..<start].suffix($0.utf8CodeUnitCount).begins($0) }) {
                start -= level.utf8CodeUnitCount
            }
        }
        return start
    }
}
