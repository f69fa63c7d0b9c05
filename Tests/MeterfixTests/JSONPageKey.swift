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
