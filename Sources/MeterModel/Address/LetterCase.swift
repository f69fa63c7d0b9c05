/// The letter case of canonical addresses. The app compares addresses as exact text, so a store has one.
package enum LetterCase: String, Sendable, CaseIterable {
    case upper, lower
}

/// Counts of the usable addresses written as six pairs with colons, by letter case: they tell which case a store uses.
package struct LetterCaseCount: Hashable, Sendable {
    package private(set) var upper = 0
    package private(set) var lower = 0

    package init() {}

    /// Counts an address that is written as six pairs with colons and has letters, all in the same case.
    package mutating func count(_ notation: MACAddress.Notation) {
        guard notation.separator == .colons else { return }
        switch notation.letters {
        case .upper: upper += 1
        case .lower: lower += 1
        case .none, .mixed: break
        }
    }

    /// Whether no address that was counted tells a case.
    package var isEmpty: Bool { upper == 0 && lower == 0 }

    /// More lower than upper → lower, otherwise upper.
    package var letterCase: LetterCase { lower > upper ? .lower : .upper }
}
