/// A set of fields by their positions in the layout. Attributes beyond the 64th share one bit: they count as changed
/// together.
package struct FieldSet: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package init(_ position: Int) { rawValue = 1 << UInt64(min(position, 63)) }

    package init(_ positions: some Sequence<Int>) {
        rawValue = positions.reduce(0) { $0 | 1 << UInt64(min($1, 63)) }
    }

    package func contains(position: Int) -> Bool { contains(FieldSet(position)) }

    package static let all = FieldSet(rawValue: .max)
}
