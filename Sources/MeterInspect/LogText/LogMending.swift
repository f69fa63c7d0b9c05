/// Takes back what was done to a log after it was written: numbers before its lines, lines that were broken, signs that
/// stand for others. What has to be done is decided once, as the beginning of the log shows.
struct LogMending {
    /// Of a log whose lines were broken, that had numbers before or got them afterwards.
    private var numbers, earlierNumbers: LogLineNumbers?
    private var wrapping: LogWrapping?
    private var signs: LogSigns

    /// Line ends that were taken away.
    var joins: Int { wrapping?.joins ?? 0 }

    /// - Parameter start: the first chunk.
    init(_ start: [UInt8]) {
        var text = start
        let numbers = LogLineNumbers(start)
        if var numbers { numbers.mend(&text, isEnd: true) }
        let wrapping = LogWrapping(text)
        if var wrapping { wrapping.mend(&text, isEnd: true) }
        let earlierNumbers = wrapping == nil || numbers != nil ? nil : LogLineNumbers(text)
        if var earlierNumbers { earlierNumbers.mend(&text, isEnd: true) }
        // A log whose own quotation marks are what they were has other ones only in its messages.
        let hasStrings = text.contains(UInt8(ascii: "\"")) && LogLayout(text).hasStrings
        (self.numbers, self.earlierNumbers) = (numbers, earlierNumbers)
        (self.wrapping, signs) = (wrapping, LogSigns(areAll: !hasStrings))
    }

    /// - Parameter chunk: nil at the end of the log.
    /// - Returns: what of the text can be told by now.
    mutating func text(of chunk: [UInt8]?) -> [UInt8] {
        var text = chunk ?? []
        numbers?.mend(&text, isEnd: chunk == nil)
        wrapping?.mend(&text, isEnd: chunk == nil)
        earlierNumbers?.mend(&text, isEnd: chunk == nil)
        signs.mend(&text, isEnd: chunk == nil)
        return text
    }
}
