/// A part of an answer. An answer is a list of them, and each renderer knows all of them.
package enum Block {
    /// What the blocks after it are about.
    case heading(Inline)
    /// A part with a heading of its own, and the blocks in it.
    case section(Inline, [Block])
    /// Blocks that belong together and stand apart from those around them.
    case group([Block])
    case paragraph(Inline)
    /// A paragraph to be read from beginning to end, in lines that are easy to read.
    case prose(Inline)
    case list([Inline], marker: Marker = .none)
    case table(Table)
    case pairs([Pair])
    /// A picture, or a table of what it shows.
    case merging(Merging)
    /// Lines that are shown as they are, such as statements.
    case code([String])
    /// What must not be overlooked.
    case note(Tone, Inline)
    /// What is left to say of the block before it.
    case remark(Inline)
    case verdict(Verdict)
    /// The beginning of a page: cards, and beside the first one those that are asides.
    case opening([Card])
    case card(Card)
    case part(Part)
    case questions([Question])
    case steps([Step])
    case points([Point])
    /// Numbers that are seen at first sight, each with its words.
    case figures([Pair])
    /// Before and after, and the same in a sentence.
    case towers(Towers, after: Towers, text: String)
    /// Places that something passes through, and whether it does: one hop less than stations.
    case flow([Station], hops: [Hop])
    case lanes(Lanes)
    case contents([Entry])
    /// A block that a table of contents leads to.
    indirect case place(Place, Block)

    /// What the items of a list begin with.
    package enum Marker: Sendable {
        case none, dash
        /// For what to do next.
        case arrow
        case number

        /// On a terminal.
        /// - Parameter index: of the item, from 0.
        func text(at index: Int) -> String {
            switch self {
            case .none: ""
            case .dash: "- "
            case .arrow: "→ "
            case .number: "\(index + 1). "
            }
        }
    }

    /// A key and its values, each on a line of its own.
    package struct Pair: Sendable {
        package let key: String
        package var values: [Inline]

        package init(_ key: String, _ values: Inline...) { self.init(key, values) }

        package init(_ key: String, _ values: [Inline]) {
            self.key = key
            self.values = values
        }

        /// Nothing where there are no values.
        package static func some(_ key: String, _ values: [Inline]) -> [Pair] {
            values.isEmpty ? [] : [Pair(key, values)]
        }
    }
}

extension Block {
    /// Rows of cells, with or without a head. A row may have fewer cells than others.
    package struct Table: Sendable {
        package let head: [Cell]
        package let rows: [[Cell]]
        /// Columns after which a cell of a terminal's table is cut where lines have no end; where cells wrap, after ten times
        /// as many. Markdown and HTML show it whole.
        package let widest: Int
        /// Whether a narrow page shows each row as a list of its cells; otherwise such a table is moved to and fro.
        package let isStacked: Bool

        package init(
            _ head: [Cell] = [], widest: Int = .max, isStacked: Bool = false, rows: [[Cell]] = []
        ) {
            self.head = head
            self.widest = widest
            self.isStacked = isStacked
            self.rows = rows
        }

        /// Of the longest row.
        var columns: Int { max(head.count, rows.reduce(0) { max($0, $1.count) }) }
    }

    /// One text in a table.
    package struct Cell: Sendable {
        package enum Kind: Sendable {
            case text
            /// A machine's word, such as an address.
            case code
            /// With its unit, if it has one.
            case number
            /// A date and time of day.
            case moment
            /// A sentence about the row, which is never cut.
            case remark
        }

        package fileprivate(set) var text: String
        package let kind: Kind
        /// Whether it is the one among several that matters.
        package var isMarked: Bool
        /// Whether it only repeats what another cell says.
        package var isFaint = false
        /// What a terminal shows in its place where there is too little room.
        package var shorter: String?

        package init(_ text: String, _ kind: Kind = .text, isMarked: Bool = false) {
            self.text = text
            self.kind = kind
            self.isMarked = isMarked
        }

        package static func text(_ text: String) -> Cell { Cell(text) }
        package static func code(_ text: String) -> Cell { Cell(text, .code) }
        package static func number(_ text: String) -> Cell { Cell(text, .number) }
        package static func moment(_ text: String) -> Cell { Cell(text, .moment) }
        package static func remark(_ text: String) -> Cell { Cell(text, .remark) }

        /// Whether it stands for nothing at all.
        var isDash: Bool { text.isEmpty || text == "–" }

        /// As a terminal shows it where there is too little room.
        var shortened: Cell {
            var cell = self
            if let shorter { (cell.text, cell.shorter) = (shorter, nil) }
            return cell
        }
    }
}

extension [Block] {
    /// Nothing where its body is empty.
    package static func section(_ heading: Inline, _ body: [Block]) -> [Block] {
        body.isEmpty ? [] : [.section(heading, body)]
    }

    /// What must not be overlooked, and what it is about; nothing where there is nothing.
    package static func warning(_ sentence: Inline, of lines: [String]) -> [Block] {
        lines.isEmpty ? [] : [.note(.warning, sentence), .list(lines.map { Inline($0) }, marker: .dash)]
    }
}

extension Block: ExpressibleByStringInterpolation {
    /// A text alone is a paragraph.
    package init(stringLiteral value: String) { self = .paragraph(Inline(value)) }

    package init(stringInterpolation: Inline.StringInterpolation) {
        self = .paragraph(Inline(stringInterpolation: stringInterpolation))
    }
}

extension Block.Cell: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }
}

/// Text within a block, in runs of one style each.
///
/// Whatever is in it is text: no renderer takes a part of it for markup, and each makes its control characters visible.
package struct Inline: Sendable {
    package struct Run: Sendable {
        package let text: String
        package let style: Style
    }

    package enum Style: Sendable, Equatable {
        case plain
        case strong
        case faint
        /// To be typed or pasted as it is.
        case code
        /// What a customer typed, such as a name: on a page it has a direction of its own.
        case customer
        case tone(Tone)
    }

    package private(set) var runs: [Run]

    package init(_ text: String, _ style: Style = .plain) { runs = text.isEmpty ? [] : [Run(text: text, style: style)] }

    /// The text without its styles.
    package var text: String { runs.map(\.text).joined() }

    package static func strong(_ text: String) -> Inline { Inline(text, .strong) }
    package static func code(_ text: String) -> Inline { Inline(text, .code) }
    package static func customer(_ text: String) -> Inline { Inline(text, .customer) }
    package static func tone(_ tone: Tone, _ text: String) -> Inline { Inline(text, .tone(tone)) }

    package static func + (left: Inline, right: Inline) -> Inline {
        var sum = left
        sum.runs += right.runs
        return sum
    }
}

extension Collection where Element == Inline {
    /// One after the other, with this between them.
    package func joined(separator: String) -> Inline {
        dropFirst().reduce(first ?? "") { $0 + Inline(separator) + $1 }
    }
}

/// Whether something is well or how bad it is.
package enum Tone: String, Sendable {
    case good, note, warning, error
}

extension Inline: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var inline = Inline("")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { inline = inline + Inline(literal) }

        /// Words in a style of their own.
        package mutating func appendInterpolation(_ part: Inline) { inline = inline + part }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            inline = inline + Inline(value.description)
        }
    }

    package init(stringLiteral value: String) { self.init(value) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.inline }
}
