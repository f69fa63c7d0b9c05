/// Text in lines of a given width.
struct WrappedText {
    /// Columns of a line.
    private let limit: Int
    /// What is typed or pasted as it is stays on one line, however long it is.
    private let keepsCode: Bool
    private var lines: [[Inline.Run]] = []
    private var line: [Inline.Run] = []
    private var width = 0

    /// What a line is not broken in, unless it is longer than a line.
    private struct Word {
        var runs: [Inline.Run] = []
        var width = 0
        /// Before it.
        var spaces = 0
        var spaceStyle = Inline.Style.plain
        var isKept = false
    }

    /// At least one line; between words where that is possible.
    /// - Parameters:
    ///   - runs: without control characters.
    ///   - width: columns of a line.
    static func lines(of runs: [Inline.Run], width: Int, keepsCode: Bool = true) -> [[Inline.Run]] {
        var text = WrappedText(limit: max(2, width), keepsCode: keepsCode)
        for word in text.words(of: runs) { text.add(word) }
        text.endLine()
        return text.lines
    }

    /// What a text needs at least so that no part of it is broken which is one: a word, or a part of an address, of a date
    /// or of a path.
    static func leastWidth(of text: String) -> Int {
        var (widest, width) = (0, 0)
        for character in text {
            width = character == " " ? 0 : width + DisplayWidth.of(character)
            widest = max(widest, width)
            if isSeparator(character) { width = 0 }
        }
        return widest
    }

    private static func isSeparator(_ character: Character) -> Bool { "-/:.,;_?&=@".contains(character) }

    private init(limit: Int, keepsCode: Bool) {
        self.limit = limit
        self.keepsCode = keepsCode
    }

    private func words(of runs: [Inline.Run]) -> [Word] {
        var words: [Word] = []
        var word = Word()
        for run in runs {
            if keepsCode && run.style == .code {
                word.isKept = true
                word.runs.append(run)
                word.width += DisplayWidth.of(run.text)
                continue
            }
            for (index, part) in run.text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
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
        if !line.isEmpty && width + word.spaces + word.width > limit { endLine() }
        // Spaces are part of the text at its beginning, but not where a line was broken.
        let isContinued = line.isEmpty && !lines.isEmpty
        if !isContinued {
            append(Inline.Run(text: String(repeating: " ", count: word.spaces), style: word.spaceStyle), word.spaces)
        }
        if word.isKept || width + word.width <= limit {
            for run in word.runs { append(run, DisplayWidth.of(run.text)) }
        } else {
            breakUp(word)
        }
    }

    /// A word that is longer than a line, if possible behind a character that separates.
    private mutating func breakUp(_ word: Word) {
        var rest = word.runs.flatMap { run in run.text.map { ($0, run.style) } }[...]
        while !rest.isEmpty {
            var count = 0
            var columns = width
            while count < rest.count {
                columns += DisplayWidth.of(rest[rest.startIndex + count].0)
                if columns > limit { break }
                count += 1
            }
            if count < rest.count {
                let part = rest.prefix(count)
                if let place = part.lastIndex(where: { Self.isSeparator($0.0) }), place > part.startIndex {
                    count = place - part.startIndex + 1
                }
                // At least one, even where two columns are more than there are.
                if count == 0 && line.isEmpty { count = 1 }
            }
            for (character, style) in rest.prefix(count) {
                append(Inline.Run(text: String(character), style: style), DisplayWidth.of(character))
            }
            rest = rest.dropFirst(count)
            if !rest.isEmpty { endLine() }
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
