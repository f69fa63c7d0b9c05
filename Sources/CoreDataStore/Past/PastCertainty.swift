/// How sure it is that a row or a record of the past was so (the measured shares are in Documentation/past.md).
package enum PastCertainty: String, Comparable, Sendable, CaseIterable {
    /// A row of a state of which every page is known, before a step that the history explains.
    case certain
    /// A row of such a state in a store without history, or of a whole page of the table, or a deleted row that is
    /// complete but for its first bytes.
    case likely
    /// It looks like a row of the table in every value.
    case possible

    /// The more certain is the greater.
    package static func < (first: PastCertainty, second: PastCertainty) -> Bool { first.rank < second.rank }

    private var rank: Int {
        switch self {
        case .possible: 0
        case .likely: 1
        case .certain: 2
        }
    }
}
