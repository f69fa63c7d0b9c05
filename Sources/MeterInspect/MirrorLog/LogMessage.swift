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
    /// Where its words are.
    private(set) var places: [Int?] = []
    private(set) var say = LogSay.other
    /// Each with what the log says of it.
    private(set) var errors: [LoggedErrors.Found] = []
    /// What its words tell, and whether only where nothing else does.
    private(set) var told: [(fault: MirrorFault, isOtherwise: Bool)] = []

    func has(_ word: LogWord) -> Bool { !places.isEmpty && places[word.rawValue] != nil }

    private mutating func findWords() { places = LogWord.filter.places(in: UnsafeBufferPointer(rebasing: text)) }

    /// - Parameter text: all of it; it says neither when nor by whom.
    init(_ text: LogPart, time: LogMoment?, process: String?, isOfCoreData: Bool) {
        (self.text, self.time, self.process, self.isOfCoreData, lines) = (text, time, process, isOfCoreData, 1)
        findWords()
    }

    /// Reads date and process, in each form in which Apple's tools write them.
    /// - Parameter bytes: those of the lines.
    init(_ joined: LogJoinedLines, _ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = bytes[...].withoutSpace
        (text, lines, isOfCoreData) = (rest, joined.lines, false)
        if joined.isDated {
            let isDaily = rest.begins("0")
            // idevicesyslog: month, day, time, host.
            let isMonthly = rest.dropFirst(3).begins(" ") && [6, 7].contains { rest.dropFirst($0).begins("00:00:00") }
            // Console: level, time, process, in columns.
            if !isDaily, !isMonthly { rest.takeWord() }
            time = LogMoment(takenFrom: &rest)
            rest = rest.withoutSpace
            if isMonthly { rest.takeWord() }
            text = rest
            if isDaily || isMonthly {
                readOwner(in: rest)
            } else if joined.tabs.count == 3, rest.indices.dropFirst().contains(joined.tabs[2]) {
                split(rest, processEnd: joined.tabs[2])
            } else {
                // Where columns are not told apart by tabs, the process ends before the level or the subsystem.
                let near = rest.prefix(200)
                let ends = Self.columns.compactMap { near.range(of: $0)?.lowerBound }
                if let end = ends.min() { split(rest, processEnd: end) }
            }
        } else if let place = rest.range(of: " | Timestamp: "), rest.contains("Type: "),
            let type = rest[..<place.lowerBound].lastIndex(of: UInt8(ascii: "T"))
        {
            // Xcode: the line below the message.
            var stamp = rest[place.upperBound...]
            time = LogMoment(takenFrom: &stamp)
            process = stamp.after(" | Process: ").flatMap { Self.name($0.prefix { $0 != UInt8(ascii: "|") }) }
            text = rest[..<type]
        }
        findWords()
    }

    private static let columns: [StaticString] = [
        " CoreData", " CloudKit: ", " error: ", " warning: ", " debug: ", " fault: ",
    ]

    private mutating func split(_ rest: LogPart, processEnd end: Int, gap: Int = 1) {
        process = Self.name(rest[..<end])
        text = rest[(end + gap)...]
    }

    private static func name(_ bytes: LogPart) -> String? {
        var name = bytes.withoutSpace
        while name.last == 0x20 { name.removeLast() }
        return name.isEmpty || name.count > 200 ? nil : name.text
    }

    /// `0xTHREAD Type 0xACTIVITY PID TTL PROCESS: (LIBRARY) [SUBSYSTEM:CATEGORY]`, `HOST PROCESS[PID]: …`,
    /// `TT PROCESS[PID:TID] …`, `PROCESS[PID:TID] …` and `PROCESS(LIBRARY)[PID] <Level>: …`.
    private mutating func readOwner(in rest: LogPart) {
        var rest = rest
        if rest.begins("0x") {
            for _ in 0..<5 { rest.takeWord() }
            if let colon = rest.range(of: ": ") { split(rest, processEnd: colon.lowerBound, gap: 2) }
            return
        }
        let near = rest.prefix(200)
        let bracket = near.indices.first { near[$0] == UInt8(ascii: "[") && Self.isProcessID(near[($0 + 1)...]) }
        guard let bracket, let end = near[bracket...].firstIndex(of: UInt8(ascii: "]")) else { return }
        var name = rest[..<bracket]
        text = rest[(end + 1)...]
        if text.begins(":") {
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
        let end = rest.drop(while: \.isDigit)
        return rest.begins("0") && (end.begins("]") || end.begins(":"))
    }
}

/// What is in it.
extension LogMessage {
    /// Whether nothing went wrong as far as it says.
    var isEmpty: Bool { errors.isEmpty && told.allSatisfy { $0.fault.kind == .noise } }

    /// Whether it only tells that the system has hidden parts of it.
    var isRedactedOnly: Bool { errors.isEmpty && told.allSatisfy { $0.fault.id == "redacted" } }

    /// Whether it is about no error at all.
    var isNote: Bool { errors.isEmpty && told.allSatisfy { $0.fault.kind == .note } }

    /// Reads what it says.
    /// - Returns: false for a message that is about something else.
    mutating func read() -> Bool {
        say = LogSay(self)
        var isTold = false
        switch say {
        case .idle, .began: return isOfMirror
        case .ended, .finished, .finishedAutomatic, .printed: errors = LoggedErrors.all(in: self)
        case .recovers:
            errors = LoggedErrors.all(in: self)
            // A recovery that names its error tells nothing else.
            isTold = errors.isEmpty
        case .decided, .other: (errors, isTold) = (LoggedErrors.all(in: self), true)
        }
        if isTold {
            told = MirrorFault.told(by: UnsafeBufferPointer(rebasing: text))
        } else if has(.hidden) {
            told = Self.redacted
        }
        // What a line says that is known to mean nothing is no error that nobody knows.
        if told.contains(where: { $0.fault.kind == .noise }) {
            errors.removeAll { $0.error.fault.id == "unknown-error" }
        }
        return isOfMirror || told.contains { $0.fault.kind != .noise && $0.fault.id != "redacted" }
    }

    private static let redacted = Array("<private>".utf8).withUnsafeBufferPointer(MirrorFault.told)
}
