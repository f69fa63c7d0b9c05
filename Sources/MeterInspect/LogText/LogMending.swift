/// Takes back what was done to a log after it was written: signs, numbers and other things before its lines, lines that were
/// broken, signs that stand for others. What has to be done is decided once, as the beginning of the log shows.
struct LogMending {
    /// What was done last is taken back first.
    private var steps: [Step] = []
    private var signs: LogSigns

    private static let mostSteps = 12

    /// Lines that are not in the text any more, on their own or at all.
    var missing: Int { steps.reduce(0) { $0 + $1.missing } }

    /// Whether it stood in an answer to a mail.
    var wasQuoted: Bool { steps.contains(where: \.isQuotes) }

    /// - Parameter start: the first chunk.
    init(_ start: [UInt8]) {
        var text = start
        while steps.count < Self.mostSteps, let step = Step(text, after: steps) {
            steps.append(step)
            var step = step
            step.mend(&text, isEnd: true)
        }
        // A log whose own quotation marks are what they were has other ones only in its messages.
        let hasStrings = text.contains(UInt8(ascii: "\"")) && LogLayout(text).hasStrings
        signs = LogSigns(areAll: !hasStrings)
    }

    /// - Parameter chunk: nil at the end of the log.
    /// - Returns: what of the text can be told by now.
    mutating func text(of chunk: [UInt8]?) -> [UInt8] {
        var text = chunk ?? []
        for index in steps.indices { steps[index].mend(&text, isEnd: chunk == nil) }
        signs.mend(&text, isEnd: chunk == nil)
        return text
    }

    private enum Step {
        case quotes(LogQuotes)
        case numbers(LogLineNumbers)
        case prefixes(LogPrefixRemoval)
        case wrapping(LogWrapping)

        /// Nil where nothing is to be done any more.
        init?(_ text: [UInt8], after steps: [Step]) {
            let last = steps.lastIndex(where: \.isWrapping)
            if last == nil, LogQuotes.mayBeBroken(text), let wrapping = LogWrapping(text) {
                self = .wrapping(wrapping)
            } else if let quotes = LogQuotes(text) {
                self = .quotes(quotes)
            } else if let numbers = LogLineNumbers(text) {
                self = .numbers(numbers)
            } else if let prefixes = LogPrefixRemoval(text) {
                self = .prefixes(prefixes)
            } else if last.map({ steps[$0...].contains(where: \.isQuotes) }) ?? true, let wrapping = LogWrapping(text) {
                // Lines that belong together may look broken: only a mail in a mail is broken twice.
                self = .wrapping(wrapping)
            } else {
                return nil
            }
        }

        private var isWrapping: Bool { if case .wrapping = self { true } else { false } }
        var isQuotes: Bool { if case .quotes = self { true } else { false } }

        var missing: Int {
            switch self {
            case .quotes(let quotes): quotes.dropped
            case .wrapping(let wrapping): wrapping.joins
            case .numbers, .prefixes: 0
            }
        }

        mutating func mend(_ text: inout [UInt8], isEnd: Bool) {
            switch self {
            case .quotes(var quotes):
                quotes.mend(&text, isEnd: isEnd)
                self = .quotes(quotes)
            case .numbers(var numbers):
                numbers.mend(&text, isEnd: isEnd)
                self = .numbers(numbers)
            case .prefixes(var prefixes):
                prefixes.mend(&text, isEnd: isEnd)
                self = .prefixes(prefixes)
            case .wrapping(var wrapping):
                wrapping.mend(&text, isEnd: isEnd)
                self = .wrapping(wrapping)
            }
        }
    }
}

/// Takes away what stands before each line and tells nothing that the log does not say itself.
private struct LogPrefixRemoval {
    private let prefixes: LogPrefixes
    private var starts: LogLineStarts

    /// Nil for a log without them, and for one in which they alone say when a message was written.
    init?(_ start: [UInt8]) {
        let layout = LogLayout(start)
        guard let prefixes = layout.prefixes, layout.needsNoPrefixes else { return nil }
        self.prefixes = prefixes
        starts = LogLineStarts(start, longest: LogPrefixes.longest)
    }

    mutating func mend(_ text: inout [UInt8], isEnd: Bool) {
        starts.mend(&text, isEnd: isEnd) { [prefixes] in prefixes.line($0) ?? $0 }
    }
}
