/// `Documentation/json.md`: what is said of the keys of each kind of document.
struct JSONPage {
    /// A row of a table. One row can be about several paths.
    struct Row {
        let paths: [String]
        /// `text`, `null`, `absent`, `array of object` …
        let types: [String]
        /// The values of an enumeration.
        let words: Set<String>
    }

    /// In the order of the page, by the heading without its backquotes.
    let sections: [(heading: String, rows: [Row])]

    /// What every document has.
    static let head = "Every document"

    init(_ text: String) {
        var sections: [(heading: String, rows: [Row])] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") {
                sections.append((String(line.dropFirst(3).replacing("`", with: "")), []))
            } else if line.hasPrefix("| `"), !sections.isEmpty {
                let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
                guard cells.count == 3 else { continue }
                let types = cells[1].split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
                sections[sections.count - 1].rows.append(
                    Row(
                        paths: Self.quoted(cells[0]), types: types,
                        words: types.contains("word") ? Set(Self.quoted(cells[2])) : []))
            }
        }
        self.sections = sections
    }

    private static func quoted(_ cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    /// The rows of a section with those of every document, as far as the section does not say otherwise.
    func rows(of heading: String) -> [Row] {
        let own = sections.first { $0.heading == heading }?.rows ?? []
        let paths = Set(own.flatMap(\.paths))
        let head = sections.first { $0.heading == Self.head }?.rows ?? []
        return head.filter { paths.isDisjoint(with: $0.paths) } + own
    }
}

extension JSONPage.Row {
    /// The types that fit what is in the documents; empty where none does.
    func types(for type: String, _ texts: Set<String>) -> [String] {
        switch type {
        case "text":
            let fitting = types.filter { said in texts.contains { fits($0, said) } }
            return texts.allSatisfy { text in fitting.contains { fits(text, $0) } } ? fitting : []
        case "array": return types.filter { $0.hasPrefix("array") }
        case "integer", "number", "null": return types.filter { [type, "value", "any"].contains($0) }
        default: return types.filter { [type, "any"].contains($0) }
        }
    }

    private func fits(_ text: String, _ type: String) -> Bool {
        switch type {
        case "text", "value", "any": true
        case "word": words.contains(text)
        case "date": text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z/) != nil
        case "hex": text.wholeMatch(of: /([0-9a-f]{2})*/) != nil
        case "address": text.wholeMatch(of: /([0-9A-F]{2}:){5}[0-9A-F]{2}|([0-9a-f]{2}:){5}[0-9a-f]{2}/) != nil
        default: false
        }
    }
}
