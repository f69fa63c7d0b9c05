/// A sentence for people, which knows where times, commands and a meter's own words stand in it: no answer looks for them.
///
/// Two sentences are equal where JSON says the same of them.
package struct Sentence: Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
    package enum Piece: Hashable, Sendable {
        case text(String)
        /// Exact in JSON; people read it as the answer shows times.
        case time(Timestamp)
        /// Between backticks in JSON.
        case command(String)
        /// An address or a name of a meter.
        case value(String)

        package var description: String {
            switch self {
            case .text(let text), .value(let text): text
            case .time(let time): time.description
            case .command(let words): "`\(words)`"
            }
        }
    }

    package private(set) var pieces: [Piece]

    package init(_ pieces: [Piece]) { self.pieces = pieces }
    package init(_ text: String) { pieces = [.text(text)] }
    package init(stringLiteral text: String) { self.init(text) }

    /// A text of `CoreDataStore`, which writes commands between backticks.
    package init(marked text: String) {
        pieces = []
        var rest = text[...]
        while let match = rest.firstMatch(of: /`(meterfix [^`]*)`/) {
            pieces += [.text(String(rest[..<match.range.lowerBound])), .command(String(match.1))]
            rest = rest[match.range.upperBound...]
        }
        pieces.append(.text(String(rest)))
    }

    /// As JSON has it.
    package var description: String {
        if pieces.count == 1, case .text(let text) = pieces[0] { return text }
        return pieces.lazy.map(\.description).joined()
    }

    /// Whether it has this address or name, which need not be said beside it then.
    package func mentions(_ value: String) -> Bool { pieces.contains(.value(value)) }

    package static func + (left: Sentence, right: Sentence) -> Sentence { Sentence(left.pieces + right.pieces) }
    package static func += (left: inout Sentence, right: Sentence) { left.pieces += right.pieces }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []
        /// What follows the pieces.
        private var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ value: some Any) { text += "\(value)" }
        package mutating func appendInterpolation(_ time: Timestamp) { append(.time(time)) }
        package mutating func appendInterpolation(_ command: StoreCommand) { append(.command(command.description)) }
        package mutating func appendInterpolation(command: String) { append(.command(command)) }
        package mutating func appendInterpolation(value: String) { append(.value(value)) }
        package mutating func appendInterpolation(_ sentence: Sentence) { sentence.pieces.forEach { append($0) } }

        private mutating func append(_ piece: Piece) {
            if case .text(let more) = piece { return text += more }
            finish()
            pieces.append(piece)
        }

        fileprivate mutating func finish() {
            guard !text.isEmpty || pieces.isEmpty else { return }
            pieces.append(.text(text))
            text = ""
        }
    }

    package init(stringInterpolation: StringInterpolation) {
        var interpolation = stringInterpolation
        interpolation.finish()
        pieces = interpolation.pieces
    }
}

extension Sentence: Hashable {
    package static func == (left: Sentence, right: Sentence) -> Bool { left.description == right.description }
    package func hash(into hasher: inout Hasher) { description.hash(into: &hasher) }
}

extension Sequence<Sentence> {
    package func joined(separator: Sentence) -> Sentence {
        reduce(Sentence([])) { $0.pieces.isEmpty ? $1 : $0 + separator + $1 }
    }
}

extension [Sentence] {
    /// `a, b and c`.
    package var joinedByAnd: Sentence {
        count < 2 ? first ?? "" : dropLast().joined(separator: ", ") + " and " + self[count - 1]
    }
}
