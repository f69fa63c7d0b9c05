/// A sentence for people, which knows where times, commands and a meter's own words stand in it: no answer looks for them.
/// (It is its text and some places, because a store can have millions of findings, most without any.)
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

    /// As JSON has it.
    package private(set) var description: String
    /// The pieces that are no text, and how many bytes of the description are before each.
    private var marks: [(place: Int, piece: Piece)] = []

    package init(_ text: String) { description = text }
    package init(stringLiteral text: String) { self.init(text) }

    /// A text of `CoreDataStore`, which writes commands between backticks.
    package init(marked text: String) {
        self.init("")
        var rest = text[...]
        while let match = rest.firstMatch(of: /`(meterfix [^`]*)`/) {
            description += rest[..<match.range.lowerBound]
            append(.command(String(match.1)))
            rest = rest[match.range.upperBound...]
        }
        description += rest
    }

    package var pieces: [Piece] {
        var (pieces, rest) = ([Piece](), description[...])
        for (place, piece) in marks {
            let start = description.utf8.index(description.startIndex, offsetBy: place)
            if rest.startIndex < start { pieces.append(.text(String(rest[..<start]))) }
            pieces.append(piece)
            rest = description[description.utf8.index(start, offsetBy: piece.description.utf8.count)...]
        }
        return rest.isEmpty ? pieces : pieces + [.text(String(rest))]
    }

    /// Whether it has this address or name, which need not be said beside it then.
    package func mentions(_ value: String) -> Bool { marks.contains { $0.piece == .value(value) } }

    private mutating func append(_ piece: Piece) {
        marks.append((description.utf8.count, piece))
        description += piece.description
    }

    package static func + (left: Sentence, right: Sentence) -> Sentence {
        var both = left
        both += right
        return both
    }

    package static func += (left: inout Sentence, right: Sentence) {
        if !right.marks.isEmpty {
            let length = left.description.utf8.count
            left.marks += right.marks.map { ($0.place + length, $0.piece) }
        }
        left.description += right.description
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sentence = Sentence("")

        package init(literalCapacity: Int, interpolationCount: Int) {
            // A date has twenty-four bytes, and few parts have more.
            sentence.description.reserveCapacity(literalCapacity + 24 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { appendInterpolation(literal) }
        package mutating func appendInterpolation(_ text: String) {
            // Between two parts there is an empty one.
            if !text.isEmpty { sentence.description += text }
        }
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            sentence.description += value.description
        }
        package mutating func appendInterpolation(_ time: Timestamp) { sentence.append(.time(time)) }
        package mutating func appendInterpolation(_ command: StoreCommand) {
            sentence.append(.command(command.description))
        }
        package mutating func appendInterpolation(command: String) { sentence.append(.command(command)) }
        package mutating func appendInterpolation(value: String) { sentence.append(.value(value)) }
        package mutating func appendInterpolation(_ part: Sentence) { sentence += part }
    }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sentence }
}

/// Two are equal where JSON says the same of them.
extension Sentence: Hashable {
    package static func == (left: Sentence, right: Sentence) -> Bool { left.description == right.description }
    package func hash(into hasher: inout Hasher) { description.hash(into: &hasher) }
}

extension [Sentence] {
    package func joined(separator: Sentence) -> Sentence {
        var joined = first ?? ""
        for part in dropFirst() { joined += separator + part }
        return joined
    }

    /// `a, b and c`.
    package var joinedByAnd: Sentence {
        count < 2 ? first ?? "" : Array(dropLast()).joined(separator: ", ") + " and " + self[count - 1]
    }
}
