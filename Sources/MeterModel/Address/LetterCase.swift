/// The letter case of canonical addresses. The app compares addresses as exact text, so a store has one.
package enum LetterCase: String, Sendable, CaseIterable {
    case upper, lower
}

/// Which case a store uses, read from its data: counts of the usable addresses written as six colon pairs.
package struct LetterCaseCount: Hashable, Sendable {
    package private(set) var upper = 0
    package private(set) var lower = 0

    package init() {}

    /// Counts an address that is written as six colon pairs, has a letter, and has all its letters in one case.
    package mutating func count(_ notation: MACAddress.Notation) {
        guard notation.separator == .colons else { return }
        switch notation.letters {
        case .upper: upper += 1
        case .lower: lower += 1
        case .none, .mixed: break
        }
    }

    /// More lower than upper → lower, otherwise upper.
    package var letterCase: LetterCase { lower > upper ? .lower : .upper }
}
