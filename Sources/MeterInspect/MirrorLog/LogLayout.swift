/// How a log was put into a mail or a thread, as its beginning shows.
struct LogLayout {
    /// What tells messages apart.
    private(set) var style = Style.plain

    enum Style {
        /// Each begins with its date, or with its level and the time.
        case dated
        /// Xcode's line of facts is below each.
        case closed
        /// The first words of a line.
        case plain
        /// The same, in lines that a mail has broken.
        case wrapped
    }

    /// Whether lines end in carriage returns.
    private(set) var hasReturns = false
    /// Whether it is JSON, as `log show` writes it.
    private(set) var isJSON = false
    private var isQuoted = false
    private var hasFences = false
    private var isBulleted = false
    /// Spaces before all lines.
    private var indentation = 0

    /// - Parameter start: the first chunk.
    init(_ start: [UInt8]) {
        hasReturns = start.contains(0x0D)
        // A chunk that is not the last one ends in the middle of a line.
        start.withUnsafeBufferPointer { look(at: $0.prefix(1 << 18)) }
    }

    private mutating func look(at sample: LogPart) {
        let first = sample.first { !LogBytes.isSpace($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "["), sample.contains("\"eventMessage\"") {
            isJSON = true
            return
        }
        let lines = sample.split { $0 == 0x0A || $0 == 0x0D }.filter { !$0.allSatisfy(LogBytes.isSpace) }
        guard !lines.isEmpty else { return }
        func share(_ isSo: (LogPart) -> Bool) -> Int { lines.count(where: isSo) * 100 / lines.count }
        isQuoted = share { $0.first == UInt8(ascii: ">") } >= 70
        hasFences = lines.contains { $0.drop(while: LogBytes.isSpace).begins("```") }
        isBulleted = !isQuoted && share { $0.begins("- ") || $0.begins("* ") || $0.begins("• ") } >= 50
        if !isQuoted { indentation = lines.map { $0.prefix { $0 == 0x20 || $0 == 0x09 }.count }.min() ?? 0 }
        let stripped = lines.compactMap(stripped)
        let kinds = stripped.map { LogLineKind($0) }
        // What has no space cannot be broken.
        let long = stripped.count { $0.count > 80 && $0.contains(0x20) }
        let (dated, closed) = (kinds.count { $0 == .dated }, kinds.count { $0 == .closes })
        // A mail breaks a message into many lines.
        if dated * 25 >= kinds.count, dated * 2 >= kinds.count(where: { $0 == .startsAnywhere }) {
            style = .dated
        } else if closed * 25 >= kinds.count, closed > 0 {
            style = .closed
        } else if kinds.contains(where: { $0 == .startsAnywhere || $0 == .startsLevel }),
            long * 20 < kinds.count, stripped.contains(where: { $0.count > 60 })
        {
            style = .wrapped
        }
    }

    /// A line without what a mail or a thread puts before it; nil for one that is no line of the log.
    func stripped(_ line: LogPart) -> LogPart? {
        if isQuoted {
            guard line.first == UInt8(ascii: ">") else { return nil }
            var line = line
            while line.first == UInt8(ascii: ">") {
                line = line.dropFirst()
                if line.first == 0x20 { line = line.dropFirst() }
            }
            return line
        }
        let line = line.dropFirst(indentation)
        if hasFences, line.drop(while: LogBytes.isSpace).begins("```") { return nil }
        if isBulleted {
            for bullet in ["- ", "* ", "• "] as [StaticString] where line.begins(bullet) {
                return line.dropFirst(bullet.utf8CodeUnitCount)
            }
        }
        return line
    }
}
