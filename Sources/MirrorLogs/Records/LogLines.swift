internal import CoreDataStore
internal import Texts

/// Cuts the text of a log into lines and puts the lines of one message together, of messages that can be about the mirror
/// alone. Everything else is only counted.
struct LogLines: LogCutter {
    private static let longest = LogJoinedLines.longest
    /// Lines that are looked through for the beginning of a message.
    private static let mostBefore = 40

    private let layout: LogLayout

    private(set) var lines = 0
    /// Each line is a line, wherever it ends.
    let unread = 0

    /// What was read and is not done with yet.
    private var text: [UInt8] = []
    /// Where the lines that were not looked at yet begin.
    private var place = 0
    /// Where the message before ended: nothing before belongs to another one.
    private var floor = 0
    /// The message that may go on.
    private var message: LogJoinedLines?
    private var isInLongLine = false

    init(_ layout: LogLayout) {
        self.layout = layout
    }

    mutating func add(_ chunk: [UInt8]?, _ found: (LogRecord) -> Void) {
        text += chunk ?? []
        if chunk == nil, let last = text[place...].last, !last.isLineEnd { text.append(0x0A) }
        var text = text
        self.text = []
        text.withUnsafeBufferPointer { buffer in work(through: buffer, isEnd: chunk == nil, found) }
        if chunk == nil { finish(before: place, found) }
        // What comes before may be the beginning of what comes next.
        let kept = max(0, place - Self.longest / 8)
        text.removeSubrange(..<kept)
        (place, floor) = (place - kept, max(0, floor - kept))
        self.text = text
    }

    private mutating func work(
        through text: UnsafeBufferPointer<UInt8>, isEnd: Bool, _ found: (LogRecord) -> Void
    ) {
        var word: Int? = -1
        while place < text.count {
            if message == nil, !isInLongLine {
                if let known = word, known < place { word = LogRecord.words.firstWord(in: text, from: place)?.place }
                // All lines before the one with the word are about something else.
                skip(to: word ?? text.count, in: text)
            }
            guard place < text.count else { return }
            let lineEnd = lineEnd(in: text, from: place, isEnd: isEnd)
            guard let end = lineEnd ?? (text.count - place > Self.longest ? text.count : nil) else { return }
            let whole = text[place..<end]
            if !isInLongLine, message == nil, word != nil, let line = layout.stripped(whole) {
                message = LogJoinedLines()
                goBack(from: LogLineKind(line), in: text)
                continue
            }
            if !isInLongLine, !add(whole) {
                finish(before: place, found)
                continue
            }
            lines += isInLongLine ? 0 : 1
            isInLongLine = lineEnd == nil
            place = next(after: end, in: text)
            if message?.isClosed ?? false { finish(before: place, found) }
        }
    }

    /// - Returns: false for a line with which another message begins.
    private mutating func add(_ whole: LogPart) -> Bool {
        guard message != nil, let line = layout.stripped(whole) else { return true }
        let moment = message?.lines == 0 ? layout.prefixes?.moment(before: whole) : nil
        return message?.add(line, LogLineKind(line), layout, moment) ?? true
    }

    private mutating func finish(before place: Int, _ found: (LogRecord) -> Void) {
        if let last = message.take() { LogRecord.all(in: last).forEach(found) }
        floor = place
    }

    /// Passes over whole lines, up to the one in which `limit` is.
    private mutating func skip(to limit: Int, in text: UnsafeBufferPointer<UInt8>) {
        guard limit > place else { return }
        var start = lineStart(before: limit, in: text, notBefore: place)
        // A carriage return whose line feed is still to come ends nothing yet.
        if start == text.count, start > place, text[start - 1] == 0x0D {
            start = lineStart(before: start - 1, in: text, notBefore: place)
        }
        guard start > place else { return }
        let passed = UnsafeBufferPointer(rebasing: text[place..<start])
        let returns = ByteSearch.count(of: 0x0D, in: passed)
        lines += ByteSearch.count(of: 0x0A, in: passed) + returns
        if returns > 0 { lines -= zip(passed, passed.dropFirst()).count { $0 == 0x0D && $1 == 0x0A } }
        place = start
    }

    private func lineStart(before place: Int, in text: UnsafeBufferPointer<UInt8>, notBefore floor: Int) -> Int {
        var start = place
        while start > floor, !text[start - 1].isLineEnd { start -= 1 }
        return start
    }

    /// Nil where the line goes on in the next chunk.
    private func lineEnd(in text: UnsafeBufferPointer<UInt8>, from start: Int, isEnd: Bool) -> Int? {
        guard let end = ByteSearch.firstIndex(of: 0x0A, or: 0x0D, in: text, from: start) else { return nil }
        // The line feed may be the next chunk's first byte.
        return text[end] == 0x0D && end + 1 == text.count && !isEnd ? nil : end
    }

    private func next(after end: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        guard end < text.count else { return end }
        return text[end] == 0x0D && end + 1 < text.count && text[end + 1] == 0x0A ? end + 2 : end + 1
    }

    /// Goes back to the line with which the message of the line at `place` begins.
    private mutating func goBack(from kind: LogLineKind, in text: UnsafeBufferPointer<UInt8>) {
        var (kind, start, count) = (kind, place, 0)
        while !layout.isStart(kind), count < Self.mostBefore {
            var end = start
            // Over one line end.
            if end > floor, text[end - 1] == 0x0A { end -= 1 }
            if end > floor, text[end - 1] == 0x0D { end -= 1 }
            let before = lineStart(before: end, in: text, notBefore: floor)
            guard before < end else { break }
            let line = layout.stripped(text[before..<end])
            let kindBefore = line.map { LogLineKind($0) } ?? kind
            // That of the message before.
            if kindBefore == .closes || kindBefore == .gap { break }
            (kind, start, count) = (kindBefore, before, count + 1)
        }
        // Without a date, the line stands for itself.
        guard layout.isStart(kind) || !layout.isDated else { return }
        (place, lines) = (start, lines - count)
    }
}
