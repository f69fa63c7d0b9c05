/// What to do about a finding. A literal is an advice.
package enum Cure: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// This command cures it.
    case command(StoreCommand)
    /// So does this one, once a person has found out or decided what the sentence asks.
    case question(String, then: StoreCommand)
    /// What a person can do, or why there is nothing to do.
    case advice(Sentence)

    package init(stringLiteral text: String) { self = .advice(Sentence(text)) }
    package init(stringInterpolation: Sentence.StringInterpolation) {
        self = .advice(Sentence(stringInterpolation: stringInterpolation))
    }

    /// The command; nil where there is none.
    package var command: StoreCommand? {
        switch self {
        case .command(let command), .question(_, let command): command
        case .advice: nil
        }
    }

    /// As in JSON: a command line, or a sentence.
    package var description: String {
        switch self {
        case .command(let command): command.description
        case .question(let question, let command): "\(question): \(command)"
        case .advice(let sentence): sentence.description
        }
    }

    /// The same, for a person.
    package var sentence: Sentence {
        switch self {
        case .command(let command): "\(command)"
        case .question(let question, let command): "\(question): \(command)"
        case .advice(let sentence): sentence
        }
    }

    /// The same for a store that has moved.
    package func forStore(at path: String) -> Cure {
        switch self {
        case .command(let command): .command(command.forStore(at: path))
        case .question(let question, let command): .question(question, then: command.forStore(at: path))
        case .advice: self
        }
    }
}

/// A command line of meterfix that can be pasted into a shell.
package struct StoreCommand: Hashable, Sendable, CustomStringConvertible {
    /// Its name and its options, as a user types them.
    package let words: String
    /// The paths of the stores that it is given, not quoted.
    package let stores: [String]

    package init(_ words: String, stores: [String]) {
        self.words = words
        self.stores = stores
    }

    /// `rebuild` of `rebuild --in-use`.
    package var name: Substring { words.prefix { $0 != " " } }

    package var description: String {
        (["meterfix", words] + stores.map(ShellWord.quoted)).joined(separator: " ")
    }

    /// With one more option after its name.
    package func adding(_ option: String) -> StoreCommand {
        StoreCommand("\(name) \(option)\(words.dropFirst(name.count))", stores: stores)
    }

    package func forStore(at path: String) -> StoreCommand { StoreCommand(words, stores: [path]) }
}
