import Foundation

/// `Documentation/json.md`: what is said of the keys of each kind of document.
///
/// In a block of code each line is a key, its types and a few words: `wal?: integer|null  bytes`. Keys of an object are
/// indented by two spaces below it. A type with a capital letter is an object that has its own block.
struct JSONPage {
    /// A line of a block. One line can be about several paths.
    struct Row {
        let paths: [String]
        /// `text`, `null`, `absent`, `array of object` …
        let types: [String]
        /// The values of an enumeration.
        let words: Set<String>
        /// Of a key in a shared object: the object and the path in it, `Finding.rows`.
        var origin: String?
    }

    /// In the order of the page, by the heading without its backquotes. Shared objects are written out.
    let sections: [(heading: String, rows: [Row])]

    /// The headings of the sections about a kind of document.
    var kinds: [String] { sections.filter { !$0.rows.isEmpty && $0.heading != Self.head }.map(\.heading) }

    static let current = Result { JSONPage(try PackageFolder.text("Documentation/json.md")) }

    /// What every document has.
    static let head = "Every document"

    init(_ text: String) {
        var blocks: [(heading: String, isShared: Bool, keys: [JSONPageKey])] = []
        var isInBlock = false
        for line in text.split(separator: "\n") {
            if line == "```" {
                isInBlock.toggle()
            } else if isInBlock, !blocks.isEmpty {
                if let key = JSONPageKey(line) { blocks[blocks.count - 1].keys.append(key) }
            } else if let heading = line.wholeMatch(of: /##(#?) (.+)/) {
                blocks.append((String(heading.2.replacing("`", with: "")), !heading.1.isEmpty, []))
            }
        }
        let shared = Dictionary(
            blocks.filter(\.isShared).map { ($0.heading, $0.keys) }, uniquingKeysWith: { first, _ in first })
        sections = blocks.filter { !$0.isShared }.map { ($0.heading, Self.rows($0.keys, at: [""], shared, in: nil)) }
    }

    /// - Parameter prefixes: of the paths of all keys; empty, or with a period at the end.
    private static func rows(
        _ keys: [JSONPageKey], at prefixes: [String], _ shared: [String: [JSONPageKey]], in origin: String?
    ) -> [Row] {
        var rows: [Row] = []
        // The paths of the objects that are open, by their depth, and where they are in the shared object.
        var open: [(paths: [String], origin: String?)] = [(prefixes, origin.map { $0 + "." })]
        for key in keys {
            open.removeLast(max(0, open.count - 1 - key.depth))
            let (parents, place) = open[open.count - 1]
            let paths = parents.flatMap { parent in key.names.map { parent + $0 } }
            let own = place.map { $0 + key.names[0] }
            rows.append(Row(paths: paths, types: key.types, words: key.words, origin: own))
            let inside = paths.map { $0 + (key.isArray ? "[]." : ".") }
            open.append((inside, own.map { $0 + "." }))
            if let name = key.shared, let keys = shared[name] {
                rows += Self.rows(keys, at: inside, shared, in: name)
            }
        }
        return rows
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

/// A line of `Documentation/json.md` about a key.
struct JSONPageKey {
    /// How many objects it is in, on the page.
    let depth: Int
    let names: [String]
    let types: [String]
    let words: Set<String>
    let isArray: Bool
    /// The shared object that the value is, or the elements of an array are.
    let shared: String?

    init?(_ line: Substring) {
        guard let match = line.wholeMatch(of: /( *)([A-Za-z0-9]+(?:, [A-Za-z0-9]+)*)(\??): (\S+)(?:  .*)?/) else {
            return nil
        }
        depth = match.1.count / 2
        names = match.2.split(separator: ", ").map(String.init)
        var types: [String] = []
        var words: Set<String> = []
        var shared: String?
        for part in match.4.split(separator: "|") {
            var type = part
            let isArray = type.first == "["
            if isArray { type = type.dropFirst().dropLast() }
            if type.first == "\"" {
                words.insert(String(type.dropFirst().dropLast()))
                type = "word"
            } else if type.first?.isUppercase == true {
                shared = String(type)
                type = "object"
            }
            let said = (isArray ? "array of " : "") + type
            if !types.contains(said) { types.append(said) }
        }
        if !match.3.isEmpty { types.append("absent") }
        self.types = types
        self.words = words
        self.shared = shared
        isArray = types.contains { $0.hasPrefix("array of object") }
    }
}
