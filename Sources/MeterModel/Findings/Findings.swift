/// What the checks found in a store, in the order of the catalogue and, of one check, of row numbers.
extension [Finding] {
    /// Those of each check that follow one another: a finding may be worse or better than its check.
    package var byCheck: [ArraySlice<Finding>] {
        var parts: [ArraySlice<Finding>] = []
        var start = startIndex
        for index in indices {
            let next = index + 1
            if next < endIndex, self[next].id == self[index].id, self[next].severity == self[index].severity {
                continue
            }
            parts.append(self[start..<next])
            start = next
        }
        return parts
    }

    /// The worst severity; nil where there is nothing.
    package var worst: Severity? { lazy.map(\.severity).max() }

    /// Of the checks that found something.
    package var ids: Set<String> { Set(lazy.map(\.id)) }

    package func count(of severity: Severity) -> Int { count { $0.severity == severity } }

    /// Without those of some checks.
    package func without(_ ids: Set<String>) -> [Finding] { filter { !ids.contains($0.id) } }
}
