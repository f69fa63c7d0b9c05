internal import CoreDataStore

/// One message of a log: when, by whom, and its text with every white space as one space. It is there as long as its
/// lines are.
struct LogMessage {
    private(set) var time: LogMoment?
    /// The process that wrote it; nil where the log does not say.
    private(set) var process: String?
    /// Without date and process.
    private(set) var text: LogPart
    let lines: Int
    /// Whether the log says that Core Data wrote it.
    let isOfCoreData: Bool
    /// The bits of its words.
    private var words: UInt64 = 0

    /// Whether a word is in it.
    func has(_ word: LogWord) -> Bool { words & 1 << UInt64(word.rawValue) != 0 }

    private mutating func findWords() { words = LogWord.filter.words(in: UnsafeBufferPointer(rebasing: text)) }

    /// - Parameter text: all of it; it says neither when nor by whom.
    init(_ text: LogPart, time: LogMoment?, process: String?, isOfCoreData: Bool) {
        (self.text, self.time, self.process, self.isOfCoreData, lines) = (text, time, process, isOfCoreData, 1)
        findWords()
    }

    /// Reads date and process, in each form in which Apple's tools write them.
    /// - Parameter bytes: those of the lines.
    init(_ joined: LogJoinedLines, _ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = bytes.drop { $0 == 0x20 }
        (text, lines, isOfCoreData) = (rest, joined.lines, false)
        if joined.isDated {
            if LogBytes.isDigit(rest.first ?? 0) {
                time = LogMoment(takenFrom: &rest)
                readOwner(in: rest.drop { $0 == 0x20 })
            } else if let place = Self.monthLength(rest), LogBytes.isShaped(rest.dropFirst(place), like: "00:00:00") {
                // idevicesyslog: month, day, time, host.
                time = LogMoment(withoutYear: &rest)
                take(wordFrom: &rest)
                readOwner(in: rest)
            } else {
                // Console: level, time, process, in columns.
                take(wordFrom: &rest)
                time = LogMoment(withoutDate: &rest)
                rest = rest.drop { $0 == 0x20 }
                if joined.tabs.count == 3, joined.tabs[2] > rest.startIndex, joined.tabs[2] < rest.endIndex {
                    split(rest, process: rest.startIndex..<joined.tabs[2], textFrom: joined.tabs[2] + 1)
                } else {
                    readColumns(in: rest)
                }
            }
        } else if let place = rest.range(of: " | Timestamp: "), rest.contains("Type: "),
            let type = rest[..<place.lowerBound].lastIndex(of: UInt8(ascii: "T"))
        {
            // Xcode: the line below the message.
            var stamp = rest[place.upperBound...]
            time = LogMoment(takenFrom: &stamp)
            if let name = stamp.range(of: " | Process: ") {
                process = Self.name(stamp[name.upperBound...].prefix { $0 != UInt8(ascii: "|") })
            }
            text = rest[..<type]
        }
        findWords()
    }

    /// Bytes of a month and a day, `Nov  2 `, in which white space is one space or was not there; nil for something else.
    private static func monthLength(_ rest: LogPart) -> Int? {
        guard rest.prefix(3).allSatisfy({ $0 >= 0x41 }), rest.dropFirst(3).first == 0x20, rest.count > 15 else {
            return nil
        }
        return rest.dropFirst(4).first == 0x20 ? 8 : rest.dropFirst(5).first == 0x20 ? 6 : 7
    }

    private func take(wordFrom rest: inout LogPart) {
        rest = rest.drop { $0 != 0x20 }.drop { $0 == 0x20 }
    }

    private mutating func split(_ rest: LogPart, process range: Range<Int>, textFrom start: Int) {
        process = Self.name(rest[range])
        text = rest[start...]
    }

    private static func name(_ bytes: LogPart) -> String? {
        var name = bytes.drop { $0 == 0x20 }
        while name.last == 0x20 { name.removeLast() }
        return name.isEmpty || name.count > 200 ? nil : String(decoding: name, as: UTF8.self)
    }

    /// `0xTHREAD Type 0xACTIVITY PID TTL PROCESS: (LIBRARY) [SUBSYSTEM:CATEGORY]`, `HOST PROCESS[PID]: …`,
    /// `TT PROCESS[PID:TID] …`, `PROCESS[PID:TID] …` and `PROCESS(LIBRARY)[PID] <Level>: …`.
    private mutating func readOwner(in rest: LogPart) {
        var rest = rest
        text = rest
        if rest.begins("0x") {
            for _ in 0..<5 { take(wordFrom: &rest) }
            guard let colon = rest.range(of: ": ") else { return }
            split(rest, process: rest.startIndex..<colon.lowerBound, textFrom: colon.upperBound)
            return
        }
        let near = rest.prefix(200)
        guard
            let bracket = near.indices.first(where: {
                near[$0] == UInt8(ascii: "[") && Self.isProcessID(near[($0 + 1)...])
            }), let end = near[bracket...].firstIndex(of: UInt8(ascii: "]"))
        else { return }
        var name = rest[..<bracket]
        text = rest[(end + 1)...]
        if text.first == UInt8(ascii: ":") {
            text = text.dropFirst()
            if let space = name.firstIndex(of: 0x20) { name = name[(space + 1)...] }
        } else if let short = Self.shortLevels.first(where: name.begins) {
            name = name.dropFirst(short.utf8CodeUnitCount)
        }
        process = Self.name(name.prefix { $0 != UInt8(ascii: "(") })
    }

    private static let shortLevels: [StaticString] = ["Df ", "Db ", "E ", "F ", "I ", "A "]

    /// Digits, and for a thread a colon and hexadecimal digits.
    private static func isProcessID(_ rest: LogPart) -> Bool {
        let digits = rest.prefix(while: LogBytes.isDigit)
        let end = rest[digits.endIndex...].first
        return !digits.isEmpty && (end == UInt8(ascii: "]") || end == UInt8(ascii: ":"))
    }

    /// Where columns are not told apart by tabs, the process ends before the level or the subsystem of the message.
    private mutating func readColumns(in rest: LogPart) {
        text = rest
        let near = rest.prefix(200)
        let ends = ([" CoreData", " CloudKit: ", " error: ", " warning: ", " debug: ", " fault: "] as [StaticString])
            .compactMap { near.range(of: $0)?.lowerBound }
        guard let end = ends.min() else { return }
        split(rest, process: rest.startIndex..<end, textFrom: end + 1)
    }
}
