/// The levels of an answer's headings: one at the top, others below it, and sections below the heading before them.
struct Headings {
    private let top: Int
    private var last: Int?
    private static let lowest = 6

    /// - Parameter top: the level of the first heading.
    init(top: Int) { self.top = top }

    /// The level of a heading that comes now.
    mutating func next() -> Int {
        let level = last == nil ? top : top + 1
        last = level
        return level
    }

    /// - Parameter depth: how many sections it is in.
    func level(ofSection depth: Int) -> Int { min((last ?? top) + 1 + depth, Self.lowest) }
}
