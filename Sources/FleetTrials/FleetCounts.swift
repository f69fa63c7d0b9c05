internal import MeterRehearsal

/// Adds up what happens in random fleets, by all processors.
enum FleetCounts {
    /// How often each key occurs.
    /// - Parameters:
    ///   - fleets: how many; their seeds are the numbers from 0 on.
    ///   - count: what one fleet adds.
    static func seeds<Key: Hashable & Sendable>(
        of fleets: UInt64, where count: @escaping @Sendable (RandomFleet) -> Set<Key>
    ) async -> [Key: [UInt64]] {
        // A part for each fleet would cost more than some of the fleets.
        let length: UInt64 = 50
        let parts = await withTaskGroup(of: [Key: [UInt64]].self) { group in
            for start in stride(from: 0, to: fleets, by: Int(length)) {
                group.addTask {
                    var seeds: [Key: [UInt64]] = [:]
                    for seed in start..<min(start + length, fleets) {
                        for key in count(RandomFleet(seed: seed)) { seeds[key, default: []].append(seed) }
                    }
                    return seeds
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return parts.reduce(into: [:]) { $0.merge($1) { $0 + $1 } }.mapValues { $0.sorted() }
    }
}

/// A table in Markdown with a column for each merge policy.
struct PolicyTable {
    private(set) var text: String

    init(_ title: String) {
        let policies = MergePolicy.allCases
        text =
            Self.line(title, policies.map { "`\($0.rawValue)`" }) + "|---|" + policies.map { _ in "---:|" }.joined()
            + "\n"
    }

    mutating func add(_ title: String, _ cell: (MergePolicy) -> Int) {
        text += Self.line(title, MergePolicy.allCases.map { "\(cell($0))" })
    }

    private static func line(_ title: String, _ cells: [String]) -> String {
        "| \(title) | \(cells.joined(separator: " | ")) |\n"
    }
}
