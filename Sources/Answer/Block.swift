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
    /// A picture, or its numbers.
    case chart(BarChart)
    /// A picture, or a table of what it shows.
    case merging(Merging)
    /// Lines that are shown as they are, such as statements.
    case code([String])
    /// What must not be overlooked.
    case note(Tone, Inline)
    /// What is left to say of the block before it.
    case remark(Inline)
    /// Blocks that are made when they are printed, so that a long answer is not in memory as a whole.
    case deferred(() -> [Block])

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

        package init(_ key: String, _ values: Inline...) {
            self.key = key
            self.values = values
        }
    }
}
