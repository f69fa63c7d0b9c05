extension Block {
    /// Rows of cells, with or without a head. A row may have fewer cells than others.
    package struct Table: Sendable {
        package let head: [Cell]
        package private(set) var rows: [[Cell]] = []
        /// Columns after which a cell of a terminal's table is cut where lines have no end; where cells wrap, after ten times
        /// as many. Markdown and HTML show it whole.
        package let widest: Int

        package init(_ head: [Cell] = [], widest: Int = .max) {
            self.head = head
            self.widest = widest
        }

        package mutating func add(_ row: [Cell]) { rows.append(row) }

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

        package let text: String
        package let kind: Kind
        /// Whether it is the one among several that matters.
        package var isMarked: Bool

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
    }
}

extension Block.Cell: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }
}
