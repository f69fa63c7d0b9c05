/// A line of a letter as somebody typed it: without the signs in front of what is quoted, and whole where the mail says how
/// it was broken (RFC 3676).
struct LetterLine {
    private(set) var text: String
    /// From 1, in the letter as it came.
    let number: Int
    /// Characters that it has there; nil where it cannot have been broken.
    let length: Int?
    private let depth: Int

    private init(_ line: ArraySlice<UInt8>, number: Int, isFlowed: Bool) {
        var text = String(decoding: line, as: UTF8.self).unicodeScalars[...]
        length = isFlowed ? nil : text.count
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
        self.depth = depth
    }

    static func all(in letter: [UInt8], _ head: MailHead) -> [LetterLine] {
        var found: [LetterLine] = []
        var (lines, number, goesOn) = (MailLines(letter[...]), 0, false)
        while let bytes = lines.next() {
            number += 1
            let line = LetterLine(bytes, number: number, isFlowed: head.isFlowed)
            if goesOn, let last = found.last, last.depth == line.depth {
                found[found.count - 1].text = (head.dropsBlanks ? String(last.text.dropLast()) : last.text) + line.text
            } else {
                found.append(line)
            }
            // Two hyphens and a blank are the line above a signature.
            goesOn = head.isFlowed && line.text.last == " " && line.text != "-- "
        }
        return found
    }
}
