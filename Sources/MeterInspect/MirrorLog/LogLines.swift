internal import CoreDataStore
internal import Texts

/// Cuts the text of a log into lines and puts the lines of one message together, of messages that can be about the mirror
/// alone. Everything else is only counted.
struct LogLines {
    private static let longest = LogJoinedLines.longest
    /// Lines that are looked through for the beginning of a message.
    private static let mostBefore = 40

    private let layout: LogLayout

    private(set) var lines = 0

    /// What was read and is not done with yet.
    private var text: [UInt8] = []
    /// Where the lines that were not looked at yet begin.
    private var place = 0
    /// The message that may go on.
    private var message: LogJoinedLines?
    private var isInLongLine = false

    init(_ layout: LogLayout) {
        self.layout = layout
    }

    /// - Parameters:
    ///   - chunk: nil at the end of the log.
    ///   - found: is handed each message that can be about the mirror.
    mutating func add(_ chunk: [UInt8]?, _ found: (LogJoinedLines) -> Void) {
        if let chunk {
            text += chunk
        } else if text.count > place, !Self.isEnd(text[text.count - 1]) {
            text.append(UInt8(ascii: "\n"))
        }
        let isEnd = chunk == nil
        var text = self.text
        self.text = []
        text.withUnsafeBufferPointer { buffer in work(through: buffer, isEnd: isEnd, found) }
        if isEnd, let last = message.take() { found(last) }
        // What comes before may be the beginning of what comes next.
        let kept = max(0, place - Self.longest / 8)
        text.removeSubrange(..<kept)
        place -= kept
        self.text = text
    }

    private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private mutating func work(
        through text: UnsafeBufferPointer<UInt8>, isEnd: Bool, _ found: (LogJoinedLines) -> Void
    ) {
        // Where the message before ended: nothing before belongs to another one.
        var floor = 0
        var word: Int? = -1
        while place < text.count {
            if message == nil, !isInLongLine {
                if let known = word, known < place { word = LogWord.ofMirror.firstWord(in: text, from: place)?.place }
                // All lines before the one with the word are about something else.
                let limit = word ?? text.count
                skip(to: limit, in: text)
            }
            guard place < text.count else { return }
            guard let end = lineEnd(in: text, from: place, isEnd: isEnd) else {
                guard text.count - place > Self.longest else { return }
                addLine(text[place..<text.count], isPart: true, hasWord: word != nil, in: text, floor: &floor, found)
                (isInLongLine, place) = (true, text.count)
                return
            }
            let hasWord = message == nil ? word.map { $0 < end } ?? false : true
            addLine(text[place..<end], isPart: false, hasWord: hasWord, in: text, floor: &floor, found)
            place = next(after: end, in: text)
        }
    }

    /// Passes over whole lines, up to the one in which `limit` is.
    private mutating func skip(to limit: Int, in text: UnsafeBufferPointer<UInt8>) {
        guard limit > place, let bytes = text.baseAddress else { return }
        // The last line end before `limit`.
        var start = limit
        while start > place, !Self.isEnd(bytes[start - 1]) { start -= 1 }
        // A carriage return whose line feed is still to come ends nothing yet.
        if start == text.count, start > place, bytes[start - 1] == 0x0D { start -= 1 }
        while start > place, !Self.isEnd(bytes[start - 1]) { start -= 1 }
        var ends = 0
        for index in place..<start {
            ends &+= bytes[index] == 0x0A ? 1 : 0
        }
        if layout.hasReturns {
            for index in place..<start where bytes[index] == 0x0D {
                if index + 1 >= text.count || bytes[index + 1] != 0x0A { ends += 1 }
            }
        }
        lines += ends
        place = start
    }

    /// Nil where the line goes on in the next chunk.
    private func lineEnd(in text: UnsafeBufferPointer<UInt8>, from start: Int, isEnd: Bool) -> Int? {
        guard let end = ByteSearch.firstIndex(of: 0x0A, or: 0x0D, in: text, from: start) else { return nil }
        // The line feed may be the next chunk's first byte.
        return text[end] == 0x0D && end + 1 == text.count && !isEnd ? nil : end
    }

    private func next(after end: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        text[end] == 0x0D && end + 1 < text.count && text[end + 1] == 0x0A ? end + 2 : end + 1
    }

    private mutating func addLine(
        _ whole: LogPart, isPart: Bool, hasWord: Bool,
        in text: UnsafeBufferPointer<UInt8>, floor: inout Int, _ found: (LogJoinedLines) -> Void
    ) {
        guard !isInLongLine else {
            isInLongLine = isPart
            return
        }
        lines += 1
        guard let line = layout.stripped(whole) else { return }
        let kind = LogLineKind(line)
        if message?.goesOn(with: kind, layout.style) == true {
            message?.add(line)
            if kind == .closes { finish(before: whole.endIndex, &floor, found) }
            return
        }
        if message != nil {
            finish(before: whole.startIndex, &floor, found)
            guard LogWord.ofMirror.firstWord(in: UnsafeBufferPointer(rebasing: line), from: 0) != nil else { return }
        } else if !hasWord {
            return
        }
        let before = beginning(before: whole.startIndex, kind, in: text, floor: floor)
        var raw = LogJoinedLines(isDated: (before.first.map { LogLineKind($0) } ?? kind) == .dated)
        for line in before { raw.add(line) }
        raw.add(line)
        message = raw
        if kind == .closes { finish(before: whole.endIndex, &floor, found) }
    }

    private mutating func finish(before place: Int, _ floor: inout Int, _ found: (LogJoinedLines) -> Void) {
        if let last = message.take() { found(last) }
        floor = place
    }

    /// The lines of a message before the first one that has a word.
    private func beginning(
        before start: Int, _ kind: LogLineKind, in text: UnsafeBufferPointer<UInt8>, floor: Int
    ) -> [LogPart] {
        var kind = kind
        var found: [LogPart] = []
        var place = start
        while found.count < Self.mostBefore {
            switch kind {
            case .dated: return found
            case .startsAnywhere: if layout.style != .closed { return found }
            case .startsLevel: if layout.style == .plain || layout.style == .wrapped { return found }
            case .starts, .other: if layout.style == .plain { return found }
            case .closes where found.isEmpty: break
            case .closes:
                // That of the message before.
                found.removeFirst()
                return found
            case .continues: break
            }
            var end = place
            // Over one line end.
            if end > floor, text[end - 1] == 0x0A { end -= 1 }
            if end > floor, text[end - 1] == 0x0D { end -= 1 }
            var begin = end
            while begin > floor, !Self.isEnd(text[begin - 1]) { begin -= 1 }
            guard begin < end else { break }
            place = begin
            guard let line = layout.stripped(text[begin..<end]) else { continue }
            found.insert(line, at: 0)
            kind = LogLineKind(line)
        }
        // Without a beginning, the line stands for itself.
        return layout.style == .dated ? [] : found
    }
}
