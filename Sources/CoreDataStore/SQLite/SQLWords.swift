/// A statement in pieces: its words, and each other character by itself. White space and comments are left out.
struct SQLWord {
    /// Without quotation marks.
    let text: String
    /// Whether it was in quotation marks: then it is a name or a text, and no keyword.
    let isQuoted: Bool

    func isKeyword(_ word: SQLName) -> Bool { !isQuoted && SQLName(text) == word }

    func isMark(_ mark: String) -> Bool { !isQuoted && text == mark }

    /// Whether it can be a name.
    var isName: Bool { isQuoted || text.first.map(Self.isPartOfName) ?? false }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$"
    }

    /// https://www.sqlite.org/lang_keywords.html
    private static let closing: [Character: Character] = ["'": "'", "\"": "\"", "`": "`", "[": "]"]

    static func all(in sql: String) -> [SQLWord] {
        var words: [SQLWord] = []
        var rest = Substring(sql)
        while let first = rest.first {
            if let end = closing[first] {
                words.append(SQLWord(text: takeQuoted(from: &rest, until: end), isQuoted: true))
            } else if isPartOfName(first) {
                let word = rest.prefix(while: isPartOfName)
                words.append(SQLWord(text: String(word), isQuoted: false))
                rest = rest.dropFirst(word.count)
            } else if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else {
                if !first.isWhitespace { words.append(SQLWord(text: String(first), isQuoted: false)) }
                rest = rest.dropFirst()
            }
        }
        return words
    }

    /// Takes what is in quotation marks. A mark that is there twice is one that belongs to the text.
    private static func takeQuoted(from rest: inout Substring, until end: Character) -> String {
        var text = ""
        rest = rest.dropFirst()
        while true {
            let part = rest.prefix { $0 != end }
            text += part
            rest = rest.dropFirst(part.count + 1)
            guard end != "]", rest.first == end else { return text }
            text.append(end)
            rest = rest.dropFirst()
        }
    }
}
