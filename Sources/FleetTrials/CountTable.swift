package import MeterRehearsal

/// A table of numbers, with columns for merge policies, that is counted over many random fleets.
struct CountTable: Sendable {
    let title: String
    private let rows: [String]
    private var counts: [String: [MergePolicy: Int]] = [:]

    private let policies: [MergePolicy]

    init(_ title: String, rows: [String], _ policies: [MergePolicy] = MergePolicy.allCases) {
        self.title = title
        self.rows = rows
        self.policies = policies
    }

    mutating func add(_ number: Int = 1, to row: String, _ policy: MergePolicy) {
        counts[row, default: [:]][policy, default: 0] += number
    }

    func count(_ row: String, _ policy: MergePolicy) -> Int { counts[row]?[policy] ?? 0 }

    mutating func merge(_ other: CountTable) {
        for (row, cells) in other.counts { counts[row, default: [:]].merge(cells, uniquingKeysWith: +) }
    }

    /// In Markdown.
    var text: String {
        func line(_ title: String, _ cells: [String]) -> String { "| \(title) | \(cells.joined(separator: " | ")) |\n" }
        return line(title, policies.map { "`\($0.rawValue)`" }) + "|---|" + policies.map { _ in "---:|" }.joined()
            + "\n" + rows.map { row in line(row, policies.map { "\(count(row, $0))" }) }.joined()
    }

    /// Counts over fleets, some at a time on each processor.
    /// - Parameters:
    ///   - fleets: how many; their seeds are the numbers from 0 on.
    ///   - tables: empty ones.
    ///   - add: adds what happens to one fleet under one policy.
    static func count(
        fleets: UInt64, _ tables: [CountTable],
        _ add: @escaping @Sendable (RandomFleet, MergePolicy, inout [CountTable]) -> Void
    ) async -> [CountTable] {
        let length: UInt64 = 50
        return await withTaskGroup(of: [CountTable].self) { group in
            for start in stride(from: 0, to: fleets, by: Int(length)) {
                group.addTask {
                    var part = tables
                    for seed in start..<min(start + length, fleets) {
                        let fleet = RandomFleet(seed: seed)
                        for policy in MergePolicy.allCases { add(fleet, policy, &part) }
                    }
                    return part
                }
            }
            return await group.reduce(into: tables) { sums, part in
                for index in sums.indices { sums[index].merge(part[index]) }
            }
        }
    }
}
