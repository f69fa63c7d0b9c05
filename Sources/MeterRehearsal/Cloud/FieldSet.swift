/// A set of fields by their positions in the layout. Attributes beyond the 64th share one bit: they count as changed
/// together.
struct FieldSet: OptionSet, Hashable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ position: Int) { rawValue = 1 << UInt64(min(position, 63)) }

    init(_ positions: some Sequence<Int>) {
        rawValue = positions.reduce(0) { $0 | 1 << UInt64(min($1, 63)) }
    }

    func contains(position: Int) -> Bool { contains(FieldSet(position)) }

    static let all = FieldSet(rawValue: .max)
}
