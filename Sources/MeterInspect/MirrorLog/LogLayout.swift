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
        // A chunk that is not the last one ends in the middle of a line.
        let sample = start.prefix(1 << 18)
        hasReturns = start.contains(0x0D)
        if let first = sample.first(where: { !LogLineKind.isSpace($0) }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            sample.contains("\"eventMessage\"")
        {
            isJSON = true
            return
        }
        let lines = sample.split { $0 == 0x0A || $0 == 0x0D }.filter { !$0.allSatisfy(LogLineKind.isSpace) }
        guard !lines.isEmpty else { return }
        func share(_ isSo: (ArraySlice<UInt8>) -> Bool) -> Int { lines.count(where: isSo) * 100 / lines.count }
        isQuoted = share { $0.first == UInt8(ascii: ">") } >= 70
        hasFences = lines.contains { $0.drop(while: LogLineKind.isSpace).begins("```") }
        isBulleted = !isQuoted && share { $0.begins("- ") || $0.begins("* ") || $0.begins("• ") } >= 50
        if !isQuoted { indentation = lines.map { $0.prefix { $0 == 0x20 || $0 == 0x09 }.count }.min() ?? 0 }
        var (kinds, long, longest) = ([LogLineKind](), 0, 0)
        for line in lines {
            line.withUnsafeBufferPointer { line in
                guard let line = stripped(line[...]) else { return }
                kinds.append(LogLineKind(line))
                // What has no space cannot be broken.
                if line.count > 80, line.contains(0x20) { long += 1 }
                longest = max(longest, line.count)
            }
        }
        let (dated, closed) = (kinds.count { $0 == .dated }, kinds.count { $0 == .closes })
        // A mail breaks a message into many lines.
        if dated * 25 >= kinds.count, dated * 2 >= kinds.count(where: { $0 == .startsAnywhere }) {
            style = .dated
        } else if closed * 25 >= kinds.count, closed > 0 {
            style = .closed
        } else if kinds.contains(where: { $0 == .startsAnywhere || $0 == .startsLevel }),
            long * 20 < kinds.count, longest > 60
        {
            style = .wrapped
        }
    }

    /// A line without what a mail or a thread puts before it; nil for one that is no line of the log.
    func stripped(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>>? {
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
        if hasFences, line.drop(while: LogLineKind.isSpace).begins("```") { return nil }
        if isBulleted {
            for bullet in ["- ", "* ", "• "] as [StaticString] where line.begins(bullet) {
                return line.dropFirst(bullet.utf8CodeUnitCount)
            }
        }
        return line
    }
}
