/// Takes back what was done to a log after it was written: signs, numbers and other things before its lines, lines that were
/// broken, signs that stand for others. What has to be done is decided once, as the beginning of the log shows.
struct LogMending {
    /// What was done last is taken back first.
    private var steps: [any LogStep] = []
    private var signs: LogSigns

    private static let mostSteps = 12

    /// Lines that are not in the text any more, on their own or at all.
    var missing: Int { steps.reduce(0) { $0 + $1.missing } }

    /// Whether it stood in an answer to a mail.
    var wasQuoted: Bool { steps.contains { $0 is LogQuotes } }

    /// - Parameter start: the first chunk.
    init(_ start: [UInt8]) {
        var text = start
        while steps.count < Self.mostSteps, var step = Self.step(text, after: steps) {
            steps.append(step)
            step.mend(&text, isEnd: true)
        }
        // A log whose own quotation marks are what they were has other ones only in its messages.
        let hasStrings = text.contains(UInt8(ascii: "\"")) && LogLayout(text).hasStrings
        signs = LogSigns(areAll: !hasStrings)
    }

    /// Nil where nothing is to be done any more.
    private static func step(_ text: [UInt8], after steps: [any LogStep]) -> (any LogStep)? {
        let last = steps.lastIndex { $0 is LogWrapping }
        if last == nil, LogQuotes.mayBeBroken(text), let wrapping = LogWrapping(text) { return wrapping }
        if let tags = LogTagRemoval(text) { return tags }
        if let quotes = LogQuotes(text) { return quotes }
        if let numbers = LogLineNumbers(text) { return numbers }
        if let names = LogFileNames(text) { return names }
        if let prefixes = LogPrefixRemoval(text) { return prefixes }
        // Lines that belong together may look broken: only a mail in a mail is broken twice.
        let mayBeBroken = last.map { steps[$0...].contains { $0 is LogQuotes } } ?? true
        return mayBeBroken ? LogWrapping(text) : nil
    }

    /// - Parameter chunk: nil at the end of the log.
    /// - Returns: what of the text can be told by now.
    mutating func text(of chunk: [UInt8]?) -> [UInt8] {
        var text = chunk ?? []
        for index in steps.indices { steps[index].mend(&text, isEnd: chunk == nil) }
        signs.mend(&text, isEnd: chunk == nil)
        return text
    }
}

/// One thing that was done to a log, and is taken back.
protocol LogStep {
    /// Lines that are not in the text any more, on their own or at all.
    var missing: Int { get }

    /// - Parameters:
    ///   - text: the next part; afterwards what of it can be told by now.
    ///   - isEnd: whether it is the last one.
    mutating func mend(_ text: inout [UInt8], isEnd: Bool)
}

extension LogStep {
    var missing: Int { 0 }
}

/// Takes away what begins a block of code in a page, before the first line of it.
private struct LogTagRemoval: LogStep {
    private static let tags: [StaticString] = ["<pre>", "<pre ", "<code>", "<code "]
    private static let longest = 200
    private var starts: LogLineStarts

    init?(_ start: [UInt8]) {
        let hasTags = start.withUnsafeBufferPointer { bytes in
            LogLineStarts.lines(of: bytes).contains { Self.withoutTag($0) != nil }
        }
        guard hasTags else { return nil }
        starts = LogLineStarts(start, longest: Self.longest)
    }

    /// Nil for a line that begins with none.
    private static func withoutTag(_ line: LogPart) -> LogPart? {
        guard line.first == UInt8(ascii: "<"), tags.contains(where: line.begins) else { return nil }
        return line.prefix(longest).firstIndex(of: UInt8(ascii: ">")).map { line[($0 + 1)...] }
    }

    mutating func mend(_ text: inout [UInt8], isEnd: Bool) {
        starts.mend(&text, isEnd: isEnd) { line in
            var line = line
            while let rest = Self.withoutTag(line) { line = rest }
            return line
        }
    }
}

/// Takes away what stands before each line and tells nothing that the log does not say itself.
private struct LogPrefixRemoval: LogStep {
    private let prefixes: LogPrefixes
    private var starts: LogLineStarts

    /// Nil for a log without them, and for one in which they alone say when a message was written.
    init?(_ start: [UInt8]) {
        // Most logs have none, and need no closer look.
        let prefixes = start.withUnsafeBufferPointer { LogPrefixes(LogLineStarts.lines(of: $0)) }
        guard let prefixes, LogLayout(start).needsNoPrefixes else { return nil }
        self.prefixes = prefixes
        starts = LogLineStarts(start, longest: LogPrefixes.longest)
    }

    mutating func mend(_ text: inout [UInt8], isEnd: Bool) {
        starts.mend(&text, isEnd: isEnd) { [prefixes] in prefixes.line($0) ?? $0 }
    }
}
