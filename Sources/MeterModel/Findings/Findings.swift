internal import Texts

/// What the checks found in a store, in the order of the catalogue and, of one check, of row numbers.
extension [Finding] {
    /// Those of each check that follow one another: a finding may be worse or better than its check.
    package var byCheck: [ArraySlice<Finding>] {
        runs { $0.id == $1.id && $0.severity == $1.severity }
    }

    /// The worst severity; nil where there is nothing.
    package var worst: Severity? { lazy.map(\.severity).max() }

    /// Of the checks that found something.
    package var ids: Set<String> { Set(byCheck.lazy.compactMap { $0.first?.id }) }

    package func count(of severity: Severity) -> Int { count { $0.severity == severity } }

    /// Without those of some checks.
    package func without(_ ids: Set<String>) -> [Finding] {
        ids.isEmpty ? self : filter { !ids.contains($0.id) }
    }
}
