internal import Answer
internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterJournal

/// What stopped a command.
extension StoreError {
    /// The answer where it has to be a page all the same.
    /// - Parameter store: as the user gave it, where the error may be about another file.
    func blocks(store: String? = nil) -> [Block] {
        let (store, message) = self.message(for: store)
        return [.heading("\(store)"), .note(.error, "\(message)")] + (hint.map { ["hint: \($0)"] } ?? [])
    }

    /// The same as a document.
    func json(command: String, store: String? = nil) -> JSONValue {
        let (store, message) = self.message(for: store)
        return JSONDocument.error(message, hint: hint, code: ExitStatus(kind).rawValue, command: command, store: store)
    }

    /// The store, and the message with the file that it is about if that is another one.
    private func message(for store: String?) -> (store: String, message: String) {
        guard let store, store != path else { return (path, message) }
        return (store, "\(path): \(message)")
    }
}

extension JSONDocument {
    /// - Parameters:
    ///   - command: nil where the arguments do not begin with one.
    ///   - store: nil for wrong usage.
    static func error(
        _ message: String, hint: String?, code: Int32, command: String?, store: String? = nil
    ) -> JSONValue {
        let error: JSONValue = ["code": Int(code), "message": message, "hint": hint]
        return .object(head(command: command, store: store) + [.init("error", error)])
    }
}

/// What the parser says of how a command is used: in its own words, and in lines as long as they come.
enum UsageText {
    /// What is wrong, as any other error has it: in lower case, without a full stop.
    static func sentence(_ message: String) -> String {
        let start = message.prefix(2)
        let isWord = start.first?.isUppercase == true && start.last?.isLowercase == true
        let text = isWord ? message.prefix(1).lowercased() + message.dropFirst() : message
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// Help with its examples at the end, where a terminal shows them; of an error, where to read more as a hint.
    static func withExamplesLast(_ message: String) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        guard message.hasPrefix("OVERVIEW: ") else {
            guard let last = lines.last,
                let help = last.firstMatch(of: /^  See '(meterfix .*)' for more information\.$/)
            else { return message }
            lines[lines.count - 1] = "hint: \(help.1)"
            return lines.joined(separator: "\n")
        }
        lines = lines.map { $0.replacing(/\ SUBCOMMANDS:$/, with: ":") }
        guard let start = lines.firstIndex(where: { $0 == "EXAMPLES" || $0 == "EXAMPLE" }),
            let end = lines[start...].firstIndex(where: { $0.hasPrefix("USAGE: ") })
        else { return lines.joined(separator: "\n") }
        let examples = lines[start..<end]
        lines.removeSubrange(start..<end)
        let isWhole = lines.last?.contains("<subcommand>' for detailed help") == true
        let place = isWhole ? lines.count - 1 : lines.count
        let gap: [Substring] = lines[..<place].last?.isEmpty == true ? [] : [""]
        lines.insert(contentsOf: gap + examples, at: place)
        if isWhole {
            lines[lines.count - 1] = "See 'meterfix help <subcommand>' and 'meterfix help \(ExitStatus.helpName)'."
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// Of help and of messages that go to no terminal, as the parser has it.
    static let columns = 80

    /// Breaks these lines before an argument or an option, never in one.
    static func wrapped(_ message: String, columns: Int) -> String {
        message.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let head = "usage: "
            guard line.lowercased().hasPrefix(head), DisplayWidth.of(line) > columns else { return String(line) }
            var lines: [String] = []
            var current = ""
            for word in words(of: line) {
                if !current.isEmpty, DisplayWidth.of(current) + 1 + DisplayWidth.of(word) > columns {
                    lines.append(current)
                    current = String(repeating: " ", count: head.count) + word
                } else {
                    current += current.isEmpty ? word : " " + word
                }
            }
            return (lines + [current]).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Split at the spaces that are in no brackets.
    private static func words(of line: Substring) -> [String] {
        var words = [""]
        var depth = 0
        for character in line {
            if character == "[" || character == "<" { depth += 1 }
            if character == "]" || character == ">" { depth -= 1 }
            if character == " ", depth == 0 { words.append("") } else { words[words.count - 1].append(character) }
        }
        return words
    }
}
