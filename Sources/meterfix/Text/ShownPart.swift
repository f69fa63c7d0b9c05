internal import Answer

/// The part of a long list that is shown, and what is said of the rest.
struct ShownPart<Element> {
    let elements: ArraySlice<Element>
    private let rest: Int

    /// - Parameter most: how many are shown without `--verbose`.
    init(of elements: [Element], most: Int, showsAll: Bool) {
        self.elements = showsAll ? elements[...] : elements.prefix(most)
        rest = elements.count - self.elements.count
    }

    /// Nothing where all are shown.
    var remark: [Block] { Block.remark(onRest: rest) }
}

extension Block {
    /// What is said of what is not shown; nothing where all is.
    static func remark(onRest rest: Int) -> [Block] {
        rest > 0 ? [.remark("… and \(rest) more, see --verbose or --json")] : []
    }
}
