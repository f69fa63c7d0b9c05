/// Text in lines of a given width.
struct WrappedText {
    /// Columns of a line.
    private let limit: Int
    private var lines: [[Inline.Run]] = []
    private var line: [Inline.Run] = []
    private var width = 0
    private var endsWithCommand = false

    /// What a line is not broken in, unless it is longer than a line.
    private struct Word {
        var runs: [Inline.Run] = []
        var width = 0
        /// Before it.
        var spaces = 0
        var spaceStyle = Inline.Style.plain
        /// Whether a command is in it, which has a line of its own.
        var isCommand = false
    }

    /// At least one line, broken between words where that is possible. What is typed or pasted as it is stays on one line,
    /// however long it is, and a command has that line for itself. An address is never broken.
    /// - Parameters:
    ///   - runs: without control characters.
    ///   - width: columns of a line.
    static func lines(of runs: [Inline.Run], width: Int) -> [[Inline.Run]] {
        if runs.reduce(0, { $0 + DisplayWidth.of($1.text) }) <= width { return [runs] }
        var text = WrappedText(limit: max(2, width))
        for word in text.words(of: runs) { text.add(word) }
        text.endLine()
        return text.lines
    }

    /// The columns of its longest word.
    /// - Parameter breaksWords: whether parts of a date or a path may be on lines of their own.
    static func leastWidth(of text: String, breaksWords: Bool) -> Int {
        var (widest, width) = (0, 0)
        if breaksWords, hasAddress(text) {
            let words = text.split(separator: " ")
            return words.map { hasAddress($0) ? DisplayWidth.of($0) : leastWidth(of: String($0), breaksWords: true) }
                .max() ?? 0
        }
        func add(_ scalar: Unicode.Scalar, _ columns: Int) {
            width = scalar == " " ? 0 : width + columns
            widest = max(widest, width)
            if breaksWords && isSeparator(scalar) { width = 0 }
        }
        for scalar in text.unicodeScalars {
            guard let columns = DisplayWidth.ofAlone(scalar) else {
                (widest, width) = (0, 0)
                for character in text { add(character.unicodeScalars.first ?? " ", DisplayWidth.of(character)) }
                break
            }
            add(scalar, columns)
        }
        return widest
    }

    /// Whether it has a hardware address: twelve hex digits with the usual separators between them, or none.
    static func hasAddress(_ text: some StringProtocol) -> Bool {
        var digits = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                digits += 1
            case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."): break
            default:
                if digits == 12 { return true }
                digits = 0
            }
        }
        return digits == 12
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "/", ":", ".", ",", ";", "_", "?", "&", "=", "@": true
        default: false
        }
    }

    private init(limit: Int) { self.limit = limit }

    private func words(of runs: [Inline.Run]) -> [Word] {
        var words: [Word] = []
        var word = Word()
        for run in runs {
            if run.style == .code {
                // A space before a word is none of a command.
                word.isCommand = word.isCommand || run.text.utf8.dropFirst().contains(UInt8(ascii: " "))
                word.runs.append(run)
                word.width += DisplayWidth.of(run.text)
                continue
            }
            let parts = run.text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            for (index, bytes) in parts.enumerated() {
                let part = Substring(bytes)
                if index > 0 {
                    if !word.runs.isEmpty {
                        words.append(word)
                        word = Word()
                    }
                    word.spaces += 1
                    word.spaceStyle = run.style
                }
                guard !part.isEmpty else { continue }
                word.runs.append(Inline.Run(text: String(part), style: run.style))
                word.width += DisplayWidth.of(part)
            }
        }
        return word.runs.isEmpty ? words : words + [word]
    }

    private mutating func add(_ word: Word) {
        if !line.isEmpty && (word.isCommand || endsWithCommand || width + word.spaces + word.width > limit) {
            endLine()
        }
        endsWithCommand = word.isCommand
        // Spaces are part of the text at its beginning, unless they are wider than a line, but not where a line was broken.
        let isContinued = line.isEmpty && !lines.isEmpty
        if !isContinued && word.spaces < limit {
            append(Inline.Run(text: String(repeating: " ", count: word.spaces), style: word.spaceStyle), word.spaces)
        }
        if width + word.width <= limit {
            for run in word.runs { append(run, DisplayWidth.of(run.text)) }
        } else {
            breakUp(word)
        }
    }

    /// A word that is longer than a line, if possible behind a character that separates.
    private mutating func breakUp(_ word: Word) {
        var rest = word.runs.flatMap(parts)[...]
        while !rest.isEmpty {
            var count = 0
            var columns = width
            while count < rest.count {
                columns += rest[rest.startIndex + count].width
                if columns > limit { break }
                count += 1
            }
            if count < rest.count {
                let start = rest.prefix(count)
                if let place = start.lastIndex(where: \.isSeparator), place > start.startIndex {
                    count = place - start.startIndex + 1
                }
                // At least one, even where it is wider than a line.
                if count == 0 && line.isEmpty { count = 1 }
            }
            for part in rest.prefix(count) { append(part.run, part.width) }
            rest = rest.dropFirst(count)
            if !rest.isEmpty { endLine() }
        }
    }

    /// What is never broken: a character, or what is kept whole.
    private typealias Part = (run: Inline.Run, width: Int, isSeparator: Bool)

    private func parts(_ run: Inline.Run) -> [Part] {
        if run.style == .code || Self.hasAddress(run.text) { return [(run, DisplayWidth.of(run.text), false)] }
        return run.text.map { character in
            (
                Inline.Run(text: String(character), style: run.style), DisplayWidth.of(character),
                character.unicodeScalars.allSatisfy(Self.isSeparator)
            )
        }
    }

    private mutating func append(_ run: Inline.Run, _ columns: Int) {
        guard !run.text.isEmpty else { return }
        if let last = line.last, last.style == run.style {
            line[line.count - 1] = Inline.Run(text: last.text + run.text, style: run.style)
        } else {
            line.append(run)
        }
        width += columns
    }

    private mutating func endLine() {
        lines.append(line)
        line = []
        width = 0
    }
}
