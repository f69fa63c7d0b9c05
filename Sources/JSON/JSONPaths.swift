/// The ways to the values of a text that are wanted, as a tree: each place in it is a number.
struct JSONPaths {
    private struct Place {
        var children: [JSONParts.Step: Int] = [:]
        /// The wanted path that ends here.
        var path: Int?
    }

    /// The place of the value that is the whole text.
    static let top = 0

    private var places = [Place()]

    /// - Parameter paths: from the top value to each that is wanted; none leads through another.
    init(_ paths: [[JSONParts.Step]]) {
        for (index, path) in paths.enumerated() {
            var place = Self.top
            for step in path {
                if let next = places[place].children[step] {
                    place = next
                } else {
                    places.append(Place())
                    places[place].children[step] = places.count - 1
                    place = places.count - 1
                }
            }
            places[place].path = index
        }
    }

    /// Where a step from `place` leads to; nil where nothing is wanted.
    func place(_ step: JSONParts.Step, in place: Int) -> Int? { places[place].children[step] }

    /// Which path ends at `place`.
    func path(endingAt place: Int) -> Int? { places[place].path }

    /// Whether something in an object, or in an array, at `place` is wanted.
    func lead(through place: Int, isObject: Bool) -> Bool {
        places[place].children.keys.contains { ($0 == .element) != isObject }
    }
}
