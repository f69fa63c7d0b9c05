/// A line of a letter as somebody typed it: without the signs in front of what is quoted, and whole where the mail says how
/// it was broken (RFC 3676).
struct LetterLine {
    private(set) var text: String
    /// Of its first line in the letter as it came, from 1, and of its last one.
    let number: Int
    private(set) var end: Int
    /// Characters of that.
    private(set) var length: Int
    /// Signs of quotation in front of it.
    let depth: Int

    private init(_ line: ArraySlice<UInt8>, number: Int, isFlowed: Bool) {
        var text = String(decoding: line, as: UTF8.self).unicodeScalars[...]
        length = text.count
        var depth = 0
        while text.first == ">" {
            text.removeFirst()
            depth += 1
            if text.first == " " { text.removeFirst() }
        }
        // Blanks in front of a line are doubled.
        if isFlowed, depth == 0, text.first == " " { text.removeFirst() }
        // Programs keep several blanks together with one that a line is not broken at.
        self.text = String(text).replacing("\u{A0}", with: " ")
        self.number = number
        end = number
        self.depth = depth
    }

    private mutating func append(_ line: LetterLine, dropsBlank: Bool) {
        if dropsBlank { text.removeLast() }
        text += line.text
        (end, length) = (line.end, line.length)
    }

    static func all(in letter: [UInt8], _ head: MailHead) -> [LetterLine] {
        var found: [LetterLine] = []
        var (lines, number, goesOn) = (MailLines(letter[...]), 0, false)
        while let bytes = lines.next() {
            number += 1
            let line = LetterLine(bytes, number: number, isFlowed: head.isFlowed)
            if goesOn, found.last?.depth == line.depth {
                found[found.count - 1].append(line, dropsBlank: head.dropsBlanks)
            } else {
                found.append(line)
            }
            // Two hyphens and a blank are the line above a signature.
            goesOn = head.isFlowed && line.text.last == " " && line.text != "-- "
        }
        return found
    }
}
