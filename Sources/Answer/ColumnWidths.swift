/// How wide the columns of a table are where lines have an end.
enum ColumnWidths {
    /// A column that is broken in the middle of words is not narrower than this, unless all of its cells are.
    private static let narrowest = 8

    /// Takes from the widest columns first, and breaks words only where nothing else helps.
    /// - Parameters:
    ///   - natural: what each column needs for its longest cell.
    ///   - whole: what it needs so that nothing is broken that is easier to read as a whole.
    ///   - least: what it needs so that no word is broken where it has no separator.
    ///   - available: for all columns together, without what is between them.
    /// - Returns: nil where a table cannot be read any more at this width.
    static func fitting(
        natural: [Int], whole: @autoclosure () -> [Int], least: @autoclosure () -> [Int], available: Int
    ) -> [Int]? {
        if natural.reduce(0, +) <= available { return natural }
        var widths = least()
        var rest = available - widths.reduce(0, +)
        guard rest >= 0 else {
            let narrow = natural.map { min($0, narrowest) }
            guard narrow.reduce(0, +) <= available else { return nil }
            return between(narrow, zip(widths, narrow).map(max), available)
        }
        let whole = whole()
        for column in whole.indices.sorted(by: { (whole[$0], $0) < (whole[$1], $1) }) {
            let more = whole[column] - widths[column]
            guard more <= rest else { continue }
            widths[column] += more
            rest -= more
        }
        return between(widths, natural, available)
    }

    /// As wide as possible: no column wider than one level, but for its least width, or than its greatest.
    private static func between(_ least: [Int], _ greatest: [Int], _ available: Int) -> [Int] {
        func widths(_ level: Int) -> [Int] { zip(least, greatest).map { max($0, min($1, level)) } }
        var (low, high) = (0, greatest.max() ?? 0)
        while low < high {
            let middle = (low + high + 1) / 2
            if widths(middle).reduce(0, +) <= available { low = middle } else { high = middle - 1 }
        }
        return widths(low)
    }
}
