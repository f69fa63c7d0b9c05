extension String.UTF8View {
    /// Where these bytes begin for the first time; nil where they are not. (`String.contains` compares characters, and
    /// takes a hundred times as long for a name in a statement.)
    package func firstIndex(of part: String.UTF8View) -> Index? {
        guard let first = part.first else { return startIndex }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            if rest[start...].starts(with: part) { return start }
            rest = rest[rest.index(after: start)...]
        }
        return nil
    }

    package func contains(_ part: String.UTF8View) -> Bool { firstIndex(of: part) != nil }
}
