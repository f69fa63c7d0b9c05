internal import Texts

/// Puts lines together again that a terminal, `fold` or a mail program has broken at a width.
struct LogWrapping: LogStep {
    private static let widths = 40...300
    /// Bytes of a line that are waited for.
    private static let longest = 1 << 16

    /// Columns of the longest line.
    private let width: Int
    /// Whether lines end in the middle of words, all of them at the same width.
    private let isHard: Bool
    /// Whether a line that ends between two words keeps the space.
    private var keepsSpaces = false
    /// Whether a column is a sign as it is shown, and not a byte.
    private let areShown: Bool
    private let starts: LogWrapStarts

    /// Line ends that were taken away.
    private(set) var missing = 0
    private var rest: [UInt8] = []

    /// Nil for a log whose lines are as they were, which most are.
    /// - Parameter start: the first chunk.
    init?(_ start: [UInt8]) {
        let found = start.withUnsafeBufferPointer { bytes in
            let lines = bytes.prefix(1 << 18).split(whereSeparator: \.isLineEnd).filter { !$0.allSatisfy(\.isSpace) }
            guard lines.count > 2 else { return LogWrapping?.none }
            if let wrapping = Self.withSpaces(lines) { return wrapping }
            // Signs of several bytes may have come before the lines were broken, or afterwards.
            let hard = [false, true].compactMap { Self.hard(lines, areShown: $0) }.max { $0.full < $1.full }
            let between = Self.withoutSpaces(lines)
            guard let hard, hard.others * 3 <= hard.full || !(between?.isWhole ?? false) else {
                return between?.wrapping
            }
            return hard.wrapping
        }
        guard let found else { return nil }
        self = found
    }

    private init(width: Int, isHard: Bool, areShown: Bool, _ lines: [LogPart]) {
        (self.width, self.isHard, self.areShown) = (width, isHard, areShown)
        let isBroken = { (line: LogPart, next: LogPart) in
            let columns = Self.columns(of: line, areShown)
            guard !Self.areRows(line, next) else { return false }
            return isHard ? columns >= width : Self.hasNoRoom(line, next, columns, width, areShown)
        }
        starts = LogWrapStarts(lines, isBroken)
    }
}

/// How lines were broken, as the beginning of the log shows.
extension LogWrapping {
    /// Lines that end between words, each as late as it can, with the space behind the last word.
    private static func withSpaces(_ lines: [LogPart]) -> LogWrapping? {
        guard let width = lines.map({ columns(of: $0, false) }).max(), widths.contains(width) else { return nil }
        var wrapping = LogWrapping(width: width, isHard: false, areShown: false, lines)
        wrapping.keepsSpaces = true
        var (broken, others) = (0, 0)
        for (line, next) in zip(lines, lines.dropFirst()) {
            if line.last == 0x20 {
                // The lines of a log have none.
                broken += wrapping.isBroken(line, next) ? 1 : 0
                others += wrapping.isBroken(line, next) ? 0 : 1
            } else if line.contains(0x20), columns(of: line, false) == width {
                others += 1
            }
        }
        return broken >= max(2, lines.count / 25) && broken >= 3 * others ? wrapping : nil
    }

    /// Lines that end between words, each as late as it can, without that space.
    /// - Returns: nil where there are few; and whether these are nearly all lines that no other record follows.
    private static func withoutSpaces(_ lines: [LogPart]) -> (wrapping: LogWrapping, isWhole: Bool)? {
        let found = [false, true].compactMap { areShown in
            widthBetweenWords(lines, areShown).map { (width: $0.width, explained: $0.explained, areShown: areShown) }
        }
        guard let best = found.max(by: { $0.explained < $1.explained }) else { return nil }
        let wrapping = LogWrapping(width: best.width, isHard: false, areShown: best.areShown, lines)
        let pairs = zip(lines, lines.dropFirst()).filter { !wrapping.starts.areAt($1, isSure: false) }
        let broken = pairs.count { wrapping.isBroken($0, $1) }
        // Lines of one kind are about as long as each other, and nobody has broken them.
        let alike = pairs.count { wrapping.isBroken($0, $1) && LogWrapStarts.areAlike($0, $1) }
        guard broken >= max(3, lines.count / 5), broken * 2 >= pairs.count, alike * 2 < broken else { return nil }
        return (wrapping, broken * 10 >= pairs.count * 9)
    }

    /// The width that explains where most lines end: the line and the first word of the next one are wider, and few lines
    /// are. A word that is longer than a line has one of its own.
    /// - Returns: nil where no width explains any; and how many lines it explains.
    private static func widthBetweenWords(_ lines: [LogPart], _ areShown: Bool) -> (width: Int, explained: Int)? {
        var steps = [Int](repeating: 0, count: widths.upperBound + 2)
        for (line, next) in zip(lines, lines.dropFirst()) {
            let columns = columns(of: line, areShown)
            guard line.drop(while: \.isBlank).contains(0x20) else { continue }
            // Too long for each narrower width.
            steps[0] -= 1
            steps[min(columns, widths.upperBound + 1)] += 1
            guard !LogWrapStarts.areSure(at: next), columns <= widths.upperBound else { continue }
            let word = Self.columns(of: next.prefix { !$0.isBlank }, areShown)
            steps[columns] += 1
            steps[min(columns + 1 + word, widths.upperBound + 1)] -= 1
        }
        var (best, count, sum) = (0, 0, 0)
        for width in steps.indices {
            sum += steps[width]
            if sum > count, widths.contains(width) { (best, count) = (width, sum) }
        }
        return count > 0 ? (best, count) : nil
    }

    /// Lines that are full but for the last one of each record.
    /// - Returns: nil where there are none; and how many are full, and how many others have no room for the next word.
    private static func hard(
        _ lines: [LogPart], areShown: Bool
    ) -> (wrapping: LogWrapping, full: Int, others: Int)? {
        let columns = lines.map { Self.columns(of: $0, areShown) }
        // A long word may have a line of its own where lines end between words, and a few lines may come from elsewhere.
        let wide = zip(lines, columns).filter { $0.0.contains(0x20) }.map(\.1).sorted(by: >)
        guard let width = wide.dropFirst(wide.count / 50).first, widths.contains(width),
            columns.count(where: { $0 == width }) > 1
        else { return nil }
        let wrapping = LogWrapping(width: width, isHard: true, areShown: areShown, lines)
        var (full, ends, others, spaces) = (0, 0, 0, 0)
        for ((line, next), columns) in zip(zip(lines, lines.dropFirst()), zip(columns, columns.dropFirst())) {
            // That of a list is a line of its own.
            let isIndented = next.begins("\t") || next.begins("  ")
            if columns.0 == width, !isIndented, !areRows(line, next), !wrapping.starts.areAt(next, isSure: false) {
                full += 1
                ends += columns.1 < width ? 1 : 0
            } else if columns.0 < width, hasNoRoom(line, next, columns.0, width, areShown),
                !wrapping.starts.mayBeAt(next)
            {
                others += 1
                spaces += line.last == 0x20 ? 1 : 0
            }
        }
        let isSure = full > 1 && ends > 0 && full * 25 >= lines.count
        return isSure && others <= full && spaces * 4 <= full ? (wrapping, full, others) : nil
    }

    /// Whether two lines are the end and the beginning of rows in which every field stands between quotation marks.
    private static func areRows(_ line: LogPart, _ next: LogPart) -> Bool {
        let quote = UInt8(ascii: "\"")
        return line.last == quote && next.first == quote && line.first == quote
    }

    /// Columns that a line takes, with tabs as a terminal has them.
    private static func columns(of line: LogPart, _ areShown: Bool) -> Int {
        var (columns, place) = (0, line.startIndex)
        while place < line.endIndex {
            let byte = line[place]
            let isEscape = areShown && byte == UInt8(ascii: "&")
            place += isEscape ? LogSigns.sign(in: line.base, at: place)?.length ?? 1 : 1
            if byte == 0x09 {
                columns = (columns / 8 + 1) * 8
            } else if !areShown || byte & 0xC0 != 0x80 {
                columns += 1
            }
        }
        return columns
    }

    /// Whether the first word of the next line would not have fitted into a line.
    private static func hasNoRoom(
        _ line: LogPart, _ next: LogPart, _ columns: Int, _ width: Int, _ areShown: Bool
    ) -> Bool {
        let word = next.prefix { $0 != 0x20 && $0 != 0x09 }
        let space = line.last == 0x20 || word.isEmpty ? 0 : 1
        return columns + space + Self.columns(of: word, areShown) >= width
    }
}

/// Putting together.
extension LogWrapping {
    /// Whether a line goes on in the next one.
    private func isBroken(_ line: LogPart, _ next: LogPart) -> Bool {
        guard !next.isEmpty, !Self.areRows(line, next) else { return false }
        let columns = Self.columns(of: line, areShown)
        guard isHard else {
            guard Self.hasNoRoom(line, next, columns, width, areShown) else { return false }
            return !keepsSpaces || line.last?.isBlank ?? false || isInWord(line, columns)
        }
        // A tab for which there was no room left.
        return columns == width || next.first == 0x09 && (columns / 8 + 1) * 8 > width && columns < width
    }

    /// Whether a line is one long word that was broken, too.
    private func isInWord(_ line: LogPart, _ columns: Int) -> Bool {
        isHard || keepsSpaces && columns == width && !line.contains(where: \.isBlank)
    }

    mutating func mend(_ text: inout [UInt8], isEnd: Bool) {
        let whole = rest + text
        text.removeAll(keepingCapacity: true)
        rest = whole.withUnsafeBufferPointer { bytes in
            var place = 0
            while let end = ByteSearch.firstIndex(of: 0x0A, or: 0x0D, in: bytes, from: place) {
                let isPair = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A
                let next = end + (isPair ? 2 : 1)
                let nextEnd = ByteSearch.firstIndex(of: 0x0A, or: 0x0D, in: bytes, from: next)
                // The next line is needed to tell.
                if nextEnd == nil, !isEnd, bytes.count - next < Self.longest { break }
                add(bytes[place..<end], bytes[end..<next], bytes[next..<(nextEnd ?? bytes.count)], to: &text)
                place = next
            }
            if isEnd || bytes.count - place > 2 * Self.longest {
                text += bytes[place...]
                place = bytes.count
            }
            return Array(bytes[place...])
        }
    }

    private mutating func add(_ line: LogPart, _ end: LogPart, _ next: LogPart, to text: inout [UInt8]) {
        text += line
        let endsWithSpace = line.last?.isBlank ?? false
        guard isBroken(line, next), !starts.areAt(next, isSure: keepsSpaces && endsWithSpace) else {
            text += end
            return
        }
        missing += 1
        if !endsWithSpace, !isInWord(line, Self.columns(of: line, areShown)) { text.append(0x20) }
    }
}
