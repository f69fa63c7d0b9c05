internal import Texts

/// The lines of a message, put together, with every white space as one space.
struct LogJoinedLines {
    /// Whether its first line has a date, and whether its last one closes it.
    private(set) var isDated = false, isClosed = false
    /// When its first line was written, as somebody else says who put that before it.
    private(set) var moment: LogMoment?
    /// Whether it is the description of an event.
    private var isEvent = false
    /// Bytes of its last line.
    private var lengthOfLast = 0
    private(set) var bytes: [UInt8] = []
    private(set) var lines = 0
    /// Where the first tabs of its first line are.
    private(set) var tabs: [Int] = []
    /// What is open in as many bytes as were looked at: curly brackets less those that are closed, quotation marks, and the
    /// place of the last parenthesis.
    private var open = (looked: 0, depth: 0, quotes: 0, parenthesis: nil as Int?)

    /// Bytes that are kept; the rest of a longer message is left out. A line without an end counts as one in parts of
    /// this length.
    static let longest = 1 << 18

    /// Adds a line, which can have line ends in it.
    mutating func add(_ line: LogPart) {
        lines += 1
        if lines > 1, bytes.last != 0x20 { bytes.append(0x20) }
        let part = UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: line))
                .prefix(max(0, Self.longest - bytes.count)))
        var (end, isAfterSpace) = (bytes.count, bytes.last == 0x20)
        bytes.append(contentsOf: part)
        bytes.withUnsafeMutableBytes { room in
            var place = 0
            while place < part.count {
                let length = Self.lengthWithoutOddSpace(part, from: place, isAfterSpace)
                if length > 0 {
                    let same = UnsafeRawBufferPointer(rebasing: part[place..<place + length])
                    UnsafeMutableRawBufferPointer(rebasing: room[end..<end + length]).copyMemory(from: same)
                    (place, end, isAfterSpace) = (place + length, end + length, part[place + length - 1] == 0x20)
                    continue
                }
                let byte = part[place]
                place += 1
                let isSpace = byte.isSpace
                if !isSpace || !isAfterSpace {
                    room[end] = isSpace ? 0x20 : byte
                    end += 1
                }
                if byte == 0x09, lines == 1, tabs.count < 3 { tabs.append(end - 1) }
                isAfterSpace = isSpace
                // Columns are often filled up with blanks.
                while isSpace, place < part.count, part[place] == 0x20 { place += 1 }
            }
        }
        bytes.removeLast(bytes.count - end)
    }

    /// How many bytes can stay as they are, in steps of 8: there is no space behind another one, none that is no blank,
    /// and nothing that may be taken for it.
    private static func lengthWithoutOddSpace(
        _ part: UnsafeRawBufferPointer, from start: Int, _ isAfterSpace: Bool
    ) -> Int {
        guard !isAfterSpace || part[start] != 0x20, let begin = part.baseAddress else { return 0 }
        var place = start
        while place + 8 < part.count {
            let word = UInt64(littleEndian: begin.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let next = UInt64(littleEndian: begin.loadUnaligned(fromByteOffset: place + 1, as: UInt64.self))
            guard blanks(in: word) & blanks(in: next) | (word &- eightBlanks) & ~word & ~sevens == 0 else { break }
            place += 8
        }
        return place - start
    }

    private static let eightBlanks: UInt64 = 0x2020_2020_2020_2020
    private static let sevens: UInt64 = 0x7F7F_7F7F_7F7F_7F7F

    /// The highest bit of each of eight bytes that is a blank.
    private static func blanks(in word: UInt64) -> UInt64 {
        let others = word ^ eightBlanks
        return ~((others & sevens) &+ sevens | others | sevens)
    }

    /// Adds a line if it belongs to this message.
    /// - Parameter moment: what was put before the line says when.
    mutating func add(
        _ line: LogPart, _ kind: LogLineKind, _ layout: LogLayout, _ moment: LogMoment? = nil
    ) -> Bool {
        if lines == 0 {
            (isDated, isEvent) = (kind == .dated, LogLineKind.isEvent(line))
            self.moment = moment
        } else if layout.isStart(kind) {
            if kind == .other ? !isOpen : kind == .dated || !isOnlyLevel { return false }
        } else if isPrinted(line, kind, layout) || isErrorAlone(line, kind) {
            return false
        }
        isClosed = kind == .closes || kind == .gap
        lengthOfLast = line.count
        add(line)
        return true
    }

    /// Whether a line in a log of another layout is what an app printed, without a date, and so no part of this message:
    /// a success with the failure behind it would be neither.
    private mutating func isPrinted(_ line: LogPart, _ kind: LogLineKind, _ layout: LogLayout) -> Bool {
        switch kind {
        case .continues, .closes, .gap: return false
        case .dated, .startsAnywhere, .startsLevel: return isEvent && !isOpen
        case .starts, .other:
            guard !layout.isBroken(lengthOfLast, before: line), !isOpen else { return false }
            if isEvent || LogLineKind.isEvent(line) { return true }
            guard layout.isDated else { return false }
            return !isDated || LogRecord.mayBeIn(line)
        }
    }

    /// Whether a line is an error that was printed by itself: nothing in this message asks for one.
    private mutating func isErrorAlone(_ line: LogPart, _ kind: LogLineKind) -> Bool {
        guard kind == .continues, line.begins("Error Domain=") || line.begins("<CKError"), !isOnlyLevel, !isOpen else {
            return false
        }
        return bytes.withUnsafeBufferPointer { bytes in
            let text = bytes[...]
            // Of a store that is gone, the name is nothing.
            let isOfNoError = text.suffix(8).contains("(null)") && !text.suffix(16).contains("store: (null)")
            return !text.isAboutError || isOfNoError
        }
    }

    /// Whether there is only `CoreData: error:` yet.
    private var isOnlyLevel: Bool { bytes.count < 24 && bytes.last { $0 != 0x20 } == UInt8(ascii: ":") }

    private var isOpen: Bool {
        mutating get {
            for place in open.looked..<bytes.count {
                switch bytes[place] {
                case UInt8(ascii: "{"): open.depth += 1
                case UInt8(ascii: "}"): open.depth -= 1
                case UInt8(ascii: "\""): open.quotes ^= 1
                case UInt8(ascii: "("): open.parenthesis = place
                case UInt8(ascii: ")"): open.parenthesis = nil
                default: break
                }
            }
            open.looked = bytes.count
            let end = bytes.suffix(5).reversed().drop { $0 == 0x20 }
            guard let last = end.first else { return false }
            // A mail breaks `(CKErrorDomain error 25.)`; a parenthesis that is never closed is none.
            let isInParenthesis = open.parenthesis.map { bytes.count - $0 < 100 } ?? false
            return open.depth > 0 || open.quotes != 0 || isInParenthesis
                || ":=;".utf8.contains(last)
                || last == UInt8(ascii: "-") && end.dropFirst().first == 0x20 || end.starts(with: "…".utf8.reversed())
        }
    }
}
