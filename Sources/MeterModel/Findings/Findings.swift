/// What the checks found in a store: of each check how many findings, and the findings themselves, made when they are
/// asked for. A store may have millions.
package struct Findings: Sendable {
    /// In the order of the catalogue, those that found something; a check can be there in several parts.
    package let checks: [CheckFindings]

    /// What one check found.
    package struct CheckFindings: Sendable {
        package let id: String
        package let severity: Severity
        /// At least 1.
        package let count: Int
        private let source: Source

        /// Makes the findings one after the other, in the order of row numbers and the same each time, as long as `body`
        /// wants more.
        package typealias Source = @Sendable (_ body: (Finding) -> Bool) -> Void

        /// Nil where there are none.
        /// - Parameter source: has `count` findings, or only the first of them.
        package init?(_ id: String, _ severity: Severity, count: Int, _ source: @escaping Source) {
            guard count > 0 else { return nil }
            self.id = id
            self.severity = severity
            self.count = count
            self.source = source
        }

        package func forEach(while body: (Finding) -> Bool) { source(body) }

        /// All of them.
        package func forEach(_ body: (Finding) -> Void) {
            source {
                body($0)
                return true
            }
        }

        /// The first ones.
        package func first(_ most: Int) -> [Finding] {
            guard most > 0 else { return [] }
            var findings: [Finding] = []
            forEach { finding in
                findings.append(finding)
                return findings.count < most
            }
            return findings
        }

        /// The same, with its first findings made, for when the store is closed; without the others.
        package func made(first most: Int) -> CheckFindings {
            let made = first(most)
            return CheckFindings(id, severity, count: count) { _ = made.allSatisfy($0) } ?? self
        }
    }

    package static let none = Findings([CheckFindings]())

    package init(_ checks: [CheckFindings]) { self.checks = checks }

    /// - Parameter findings: those of one check follow one another.
    package init(_ findings: [Finding]) {
        var groups: [[Finding]] = []
        for finding in findings {
            if groups.last?.last?.id == finding.id, groups.last?.last?.severity == finding.severity {
                groups[groups.count - 1].append(finding)
            } else {
                groups.append([finding])
            }
        }
        self.init(
            groups.compactMap { group in
                CheckFindings(group[0].id, group[0].severity, count: group.count) { _ = group.allSatisfy($0) }
            })
    }

    package var isEmpty: Bool { checks.isEmpty }
    package var count: Int { checks.reduce(0) { $0 + $1.count } }
    /// The worst severity; nil where there is nothing.
    package var worst: Severity? { checks.map(\.severity).max() }
    /// Of the checks that found something.
    package var ids: Set<String> { Set(checks.map(\.id)) }

    package func count(of severity: Severity) -> Int {
        checks.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }

    /// Makes all findings, one after the other, in the order of the catalogue and of row numbers.
    package func forEach(_ body: (Finding) -> Void) {
        for check in checks { check.forEach(body) }
    }

    /// Every finding, made.
    package var all: [Finding] {
        var findings: [Finding] = []
        forEach { findings.append($0) }
        return findings
    }

    /// The same, with the first findings of each check made, for when the store is closed.
    package func made(first most: Int) -> Findings { Findings(checks.map { $0.made(first: most) }) }

    /// Without those of some checks.
    package func without(_ ids: Set<String>) -> Findings { Findings(checks.filter { !ids.contains($0.id) }) }
}
