internal import Answer

/// The part of a long list that is shown, and what is said of the rest.
struct ShownPart<Element> {
    let elements: ArraySlice<Element>
    /// How many are not shown.
    let rest: Int

    /// - Parameters:
    ///   - count: how many there are, where `elements` are only the first of them.
    ///   - most: how many are shown without `--verbose`.
    init(of elements: [Element], among count: Int? = nil, most: Int, showsAll: Bool) {
        self.elements = showsAll ? elements[...] : elements.prefix(most)
        rest = (count ?? elements.count) - self.elements.count
    }

    /// Nothing where all are shown.
    var remark: [Block] { Block.remark(onRest: rest) }
}

extension Block {
    /// What is said of what is not shown; nothing where all is.
    static func remark(onRest rest: Int) -> [Block] { Inline.rest(rest).map(Block.remark) }
}

extension Inline {
    /// What is said of what is not shown; nothing where all is.
    /// - Parameter things: what there is more of, where that is not plain.
    static func rest(_ count: Int, of things: String? = nil) -> [Inline] {
        count > 0 ? ["… and \(count) more\(things.map { " \($0)" } ?? ""), see --verbose or --json"] : []
    }
}
