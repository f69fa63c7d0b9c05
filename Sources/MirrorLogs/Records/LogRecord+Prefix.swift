internal import Texts

/// What Apple's tools, and those of others, put before the text of a message.
extension LogRecord {
    /// - Parameter lines: of the log; nil for those of the joined ones.
    init(_ joined: LogJoinedLines, lines: Int? = nil) {
        let prefix = joined.bytes.withUnsafeBufferPointer { Prefix(joined, $0[...]) }
        self.init(
            bytes: joined.bytes, text: prefix.text, time: prefix.time ?? joined.moment, hasOwnTime: prefix.time != nil,
            owner: LogProcess(name: prefix.process, number: prefix.processID, host: prefix.host),
            isOfCoreData: false, isComplaint: prefix.isComplaint, lines: lines ?? joined.lines)
    }

    private struct Prefix {
        private(set) var time: LogMoment?
        private(set) var process: String?
        private(set) var processID: Int64?
        private(set) var host: String?
        private(set) var isComplaint = false
        private(set) var text: Range<Int>

        init(_ joined: LogJoinedLines, _ bytes: LogPart) {
            var rest = bytes.withoutSpace
            text = rest.startIndex..<rest.endIndex
            if joined.isDated {
                let hasBracket = rest.begins("[")
                if hasBracket { rest = rest.dropFirst() }
                let isDaily = rest.begins("0")
                // idevicesyslog and the tools that read a device's relay: month, day, time, mostly the device's name.
                let isMonthly =
                    rest.dropFirst(3).begins(" ") && [6, 7].contains { rest.dropFirst($0).begins("00:00:00") }
                // Console: level, time, process, in columns.
                if !isDaily, !isMonthly {
                    isComplaint = Self.isComplaint(rest)
                    rest.takeWord()
                }
                time = LogMoment(takenFrom: &rest)
                // A date that there is not is none of a name either.
                if time == nil { for _ in 0..<(isDaily ? 2 : isMonthly ? 3 : 1) { rest.takeWord() } }
                rest = rest.drop { (hasBracket ? "]:," : ",").utf8.contains($0) }
                rest = rest.withoutSpace
                // Some programs leave the device's name out: then a process comes first.
                let first = rest.prefix { $0 != 0x20 }
                if isMonthly, !Self.appNames.contains(where: rest.begins), !first.contains(UInt8(ascii: "[")) {
                    host = Self.name(first)
                    rest.takeWord()
                }
                let level = hasBracket ? Self.level(in: rest) : nil
                if let level {
                    isComplaint = Self.isComplaint(level)
                    rest = rest[(level.endIndex + 1)...].withoutSpace
                }
                text = rest.startIndex..<rest.endIndex
                if isDaily || isMonthly {
                    readOwner(in: rest, hasHost: !hasBracket)
                    if level != nil, process == nil { readName(in: rest) }
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
                isComplaint = rest[type...].begins("Type: Error") || rest[type...].begins("Type: Fault")
                var stamp = rest[place.upperBound...]
                time = LogMoment(takenFrom: &stamp)
                process = stamp.after(" | Process: ").flatMap { Self.name($0.prefix { $0 != UInt8(ascii: "|") }) }
                text = rest.startIndex..<type
            }
        }

        /// A device's relay has no sign between the device's name and a process; this one has a space in its name.
        private static let appNames: [StaticString] = ["USB Meter(", "USB Meter["]

        private static let columns: [StaticString] = [
            " CoreData", " CloudKit: ", " error: ", " warning: ", " debug: ", " fault: ",
        ]

        private static func isComplaint(_ words: LogPart) -> Bool {
            ["Error", "Fault", "ERROR", "error", "fault"].contains(where: words.begins)
        }

        private mutating func split(_ rest: LogPart, processEnd end: Int, gap: Int = 1) {
            process = Self.name(rest[..<end])
            text = end + gap..<rest.endIndex
        }

        private static func name(_ bytes: LogPart) -> String? {
            var name = bytes.withoutSpace
            while name.last == 0x20 { name.removeLast() }
            return name.isEmpty || name.count > 200 ? nil : name.text
        }

        /// `0xTHREAD Type 0xACTIVITY PID TTL PROCESS: (LIBRARY) [SUBSYSTEM:CATEGORY]`, `HOST PROCESS[PID]: …`,
        /// `TT PROCESS[PID:TID] …`, `PROCESS[PID:TID] …`, `PROCESS(LIBRARY)[PID] <Level>: …` and
        /// `PROCESS{IMAGE}[PID] <LEVEL>: …`.
        private mutating func readOwner(in rest: LogPart, hasHost: Bool) {
            var rest = rest
            if rest.begins("0x") {
                rest.takeWord()
                isComplaint = Self.isComplaint(rest)
                for _ in 0..<2 { rest.takeWord() }
                processID = rest.takeNumber()
                for _ in 0..<2 { rest.takeWord() }
                if let colon = rest.range(of: ": ") { split(rest, processEnd: colon.lowerBound, gap: 2) }
                return
            }
            let near = rest.prefix(200)
            let bracket = near.indices.first { near[$0] == UInt8(ascii: "[") && Self.isProcessID(near[($0 + 1)...]) }
            guard let bracket, let end = near[bracket...].firstIndex(of: UInt8(ascii: "]")) else { return }
            var number = near[(bracket + 1)...]
            processID = number.takeNumber()
            var name = rest[..<bracket]
            var words = rest[(end + 1)...]
            if words.begins(":") {
                words = words.dropFirst()
                if hasHost, let space = name.firstIndex(of: 0x20) {
                    host = host ?? Self.name(name[..<space])
                    name = name[(space + 1)...]
                }
            } else if let short = Self.shortLevels.first(where: name.begins) {
                isComplaint = ["E ", "F "].contains(where: name.begins)
                name = name.dropFirst(short.utf8CodeUnitCount)
            } else if words.begins(" <"), let level = words.prefix(20).range(of: ">: ") {
                isComplaint = ["<Error", "<ERROR", "<Fault", "<FAULT"].contains(where: words.withoutSpace.begins)
                words = words[level.upperBound...]
            }
            process = Self.name(name.prefix { $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: "{") })
            text = words.startIndex..<rest.endIndex
        }

        /// `[Error]` behind a date in brackets, without the first sign.
        private static func level(in rest: LogPart) -> LogPart? {
            guard rest.begins("["), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let level = rest[(rest.startIndex + 1)..<end]
            return !level.isEmpty && level.allSatisfy(\.isLetter) ? level : nil
        }

        /// `PROCESS: …`, behind a level.
        private mutating func readName(in rest: LogPart) {
            guard let colon = rest.prefix(60).range(of: ": "), !rest.begins("CoreData"), !rest.begins("CloudKit"),
                rest[..<colon.lowerBound].allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x20 })
            else { return }
            split(rest, processEnd: colon.lowerBound, gap: 2)
        }

        private static let shortLevels: [StaticString] = ["Df ", "Db ", "E ", "F ", "I ", "A "]

        /// Digits, and for a thread a colon and hexadecimal digits.
        private static func isProcessID(_ rest: LogPart) -> Bool {
            let end = rest.drop(while: \.isDigit)
            return rest.begins("0") && (end.begins("]") || end.begins(":"))
        }
    }
}
