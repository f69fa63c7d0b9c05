/// How many typing errors apart two texts are.
package enum EditDistance {
    /// Characters that are missing, added or replaced, and neighbours that are swapped, each counted once ("optimal string
    /// alignment").
    /// - Returns: nil if they are further apart than `limit`.
    package static func between<Text: Collection>(_ one: Text, _ other: Text, limit: Int) -> Int?
    where Text.Element: Equatable {
        guard abs(one.count - other.count) <= limit else { return nil }
        let (one, other) = (Array(one), Array(other))
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (index, element) in one.enumerated() {
            var current = [index + 1]
            for (position, candidate) in other.enumerated() {
                var cost = min(last[position + 1], current[position]) + 1
                cost = min(cost, last[position] + (element == candidate ? 0 : 1))
                if index > 0, position > 0, element == other[position - 1], one[index - 1] == candidate {
                    cost = min(cost, beforeLast[position - 1] + 1)
                }
                current.append(cost)
            }
            guard let least = current.min(), least <= limit else { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[other.count] <= limit ? last[other.count] : nil
    }
}
