internal import MeterModel

/// One message of a log: when, by whom, and its text with every white space as one space.
struct LogMessage {
    var time: LogMoment?
    /// The process that wrote it; nil where the log does not say.
    var process: String?
    /// Without date and process.
    var text: ArraySlice<UInt8>
    /// With small letters for capital ones.
    private(set) lazy var folded: [UInt8] = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    var lines = 1
    /// Whether the log says that Core Data wrote it.
    var isOfCoreData = false

    /// The lines of a message, put together.
    struct Raw {
        let isDated: Bool
        private(set) var bytes: [UInt8] = []
        private(set) var lines = 0
        /// Where the first tabs of its first line are.
        private(set) var tabs: [Int] = []
        /// What is open: curly brackets less those that are closed, and quotation marks.
        private var (depth, quotes) = (0, 0)

        init(isDated: Bool) {
            self.isDated = isDated
            bytes.reserveCapacity(1 << 10)
        }

        mutating func add(_ line: Slice<UnsafeBufferPointer<UInt8>>, limit: Int) {
            lines += 1
            if lines > 1 { bytes.append(0x20) }
            let part = line.prefix(max(0, limit - bytes.count))
            var last = bytes.last
            // Byte by byte into room that is there: to append each takes three times as long.
            bytes += [UInt8](unsafeUninitializedCapacity: part.count) { room, count in
                for byte in part {
                    switch byte {
                    case 0x20, 0x09, 0x0A, 0x0D:
                        if last != 0x20 {
                            room[count] = 0x20
                            count += 1
                        }
                        if byte == 0x09, lines == 1, tabs.count < 3 { tabs.append(count - 1) }
                        last = 0x20
                        continue
                    case UInt8(ascii: "{"): depth += 1
                    case UInt8(ascii: "}"): depth -= 1
                    case UInt8(ascii: "\""): quotes ^= 1
                    default: break
                    }
                    room[count] = byte
                    count += 1
                    last = byte
                }
            }
        }

        /// Whether a line belongs to this message.
        func goesOn(with kind: LogLineKind, _ style: LogLayout.Style) -> Bool {
            switch kind {
            case .dated: false
            case .startsAnywhere: style == .closed || isOnlyLevel
            case .startsLevel: style == .dated || style == .closed || isOnlyLevel
            case .starts: style != .plain || isOnlyLevel
            case .continues, .closes: true
            case .other: style != .plain || isOpen
            }
        }

        /// Whether there is only `CoreData: error:` yet.
        private var isOnlyLevel: Bool { bytes.count < 24 && bytes.last { $0 != 0x20 } == UInt8(ascii: ":") }

        private var isOpen: Bool {
            let end = bytes.suffix(5).reversed().drop { $0 == 0x20 }
            guard let last = end.first else { return false }
            return depth > 0 || quotes != 0 || [UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ";")].contains(last)
                || last == UInt8(ascii: "-") && end.dropFirst().first == 0x20 || end.starts(with: "…".utf8.reversed())
        }
    }

    init(text: ArraySlice<UInt8>, time: LogMoment?, process: String?) {
        (self.text, self.time, self.process) = (text, time, process)
    }

    /// Reads date and process, in each form in which Apple's tools write them.
    init(_ raw: Raw) {
        var rest = raw.bytes[...].drop { $0 == 0x20 }
        (text, lines) = (rest, raw.lines)
        if raw.isDated {
            if (0x30...0x39).contains(rest.first ?? 0) {
                time = LogMoment(takenFrom: &rest)
                rest = rest.drop { $0 == 0x20 }
                readOwner(in: rest)
            } else if rest.prefix(3).allSatisfy({ $0 >= 0x41 }), rest.dropFirst(3).first == 0x20, rest.count > 15,
                LogLineKind.isShaped(
                    rest.dropFirst(rest.dropFirst(4).first == 0x20 ? 8 : rest.dropFirst(5).first == 0x20 ? 6 : 7),
                    like: "00:00:00")
            {
                // idevicesyslog: month, day, time, host.
                time = LogMoment(withoutYear: &rest)
                take(wordFrom: &rest)
                readOwner(in: rest)
            } else {
                // Console: level, time, process, in columns.
                take(wordFrom: &rest)
                time = LogMoment(withoutDate: &rest)
                rest = rest.drop { $0 == 0x20 }
                if raw.tabs.count == 3, raw.tabs[2] > rest.startIndex, raw.tabs[2] < rest.endIndex {
                    process = Self.name(rest[..<raw.tabs[2]])
                    text = rest[(raw.tabs[2] + 1)...]
                } else {
                    readColumns(in: rest)
                }
            }
        } else if rest.contains("Type: "), let place = rest.range(of: " | Timestamp: "),
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
    }

    private func take(wordFrom rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 != 0x20 }.drop { $0 == 0x20 }
    }

    private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self).trimmingSpaces
        return text.isEmpty || text.utf8.count > 200 ? nil : text
    }

    /// `0xTHREAD Type 0xACTIVITY PID TTL PROCESS: (LIBRARY) [SUBSYSTEM:CATEGORY]`, `HOST PROCESS[PID]: …`,
    /// `TT PROCESS[PID:TID] …`, `PROCESS[PID:TID] …` and `PROCESS(LIBRARY)[PID] <Level>: …`.
    private mutating func readOwner(in rest: ArraySlice<UInt8>) {
        var rest = rest
        text = rest
        if rest.begins("0x") {
            for _ in 0..<5 { take(wordFrom: &rest) }
            guard let colon = rest.range(of: ": ") else { return }
            process = Self.name(rest[..<colon.lowerBound])
            text = rest[colon.upperBound...]
            return
        }
        let near = rest.prefix(200)
        guard
            let bracket = near.indices.first(where: {
                near[$0] == UInt8(ascii: "[") && Self.isProcessID(near[($0 + 1)...])
            }),
            let end = near[bracket...].firstIndex(of: UInt8(ascii: "]"))
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
    private static func isProcessID(_ rest: ArraySlice<UInt8>) -> Bool {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        let end = rest[digits.endIndex...].first
        return !digits.isEmpty && (end == UInt8(ascii: "]") || end == UInt8(ascii: ":"))
    }

    /// Where columns are not told apart by tabs, the process ends before the level or the subsystem of the message.
    private mutating func readColumns(in rest: ArraySlice<UInt8>) {
        text = rest
        let near = rest.prefix(200)
        let ends = ([" CoreData", " CloudKit: ", " error: ", " warning: ", " debug: ", " fault: "] as [StaticString])
            .compactMap { near.range(of: $0)?.lowerBound }
        guard let end = ends.min() else { return }
        process = Self.name(rest[..<end])
        text = rest[(end + 1)...]
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var rest = self[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
