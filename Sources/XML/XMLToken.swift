/// A piece of XML. Offsets are bytes from the start of the text.
package enum XMLToken: Hashable, Sendable {
    case start(XMLTag)
    case end(name: String, offset: Int)
    /// All text up to the next tag, with entities and CDATA resolved.
    case text(XMLText)

    package var offset: Int {
        switch self {
        case .start(let tag): tag.offset
        case .end(_, let offset): offset
        case .text(let text): text.offset
        }
    }
}

/// `<name …>` or `<name …/>`.
package struct XMLTag: Hashable, Sendable {
    package let name: String
    /// Without contents: `<true/>`.
    package let isEmpty: Bool
    package let offset: Int
    /// What is between the name and the end of the tag. Attributes are often not needed, so they are read on demand.
    let attributeRange: Range<Int>
}

package struct XMLText: Hashable, Sendable {
    package let value: String
    /// Only white space, not written as entities.
    package let isBlank: Bool
    /// Where it begins, without leading white space.
    package let offset: Int
}
