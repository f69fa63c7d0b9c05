internal import FleetSimulation
internal import MeterModel

/// A table with columns for merge policies: in how many of many random fleets something happens.
struct CountTable: Sendable {
    private struct Count: Hashable, Sendable {
        let row: String
        let part: Int
        let policy: MergePolicy
    }

    private let title: String
    private let rows: [String]
    /// How many counts a cell has.
    private let parts: Int
    private let policies: [MergePolicy]
    /// Of the fleets in which it happens, in ascending order.
    private var seeds: [Count: [UInt64]] = [:]

    init(_ title: String, rows: [String], parts: Int = 1, _ policies: [MergePolicy] = MergePolicy.allCases) {
        self.title = title
        self.rows = rows
        self.parts = parts
        self.policies = policies
    }

    /// It happens in this fleet.
    mutating func add(_ fleet: RandomFleet, to row: String, part: Int = 0, _ policy: MergePolicy) {
        seeds[Count(row: row, part: part, policy: policy), default: []].append(fleet.seed)
    }

    func seeds(_ row: String, part: Int = 0, _ policy: MergePolicy) -> [UInt64] {
        seeds[Count(row: row, part: part, policy: policy)] ?? []
    }

    private mutating func merge(_ other: CountTable) { seeds.merge(other.seeds) { ($0 + $1).sorted() } }

    /// In Markdown.
    var text: String { text { $0 } }

    /// In Markdown.
    /// - Parameter name: of a row.
    func text(_ name: (String) -> String) -> String {
        func line(_ title: String, _ cells: [String]) -> String { "| \(title) | \(cells.joined(separator: " | ")) |\n" }
        func cell(_ row: String, _ policy: MergePolicy) -> String {
            (0..<parts).map { "\(seeds(row, part: $0, policy).count)" }.joined(separator: "/")
        }
        return line(title, policies.map { "`\($0.rawValue)`" }) + "|---|" + policies.map { _ in "---:|" }.joined()
            + "\n" + rows.map { row in line(name(row), policies.map { cell(row, $0) }) }.joined()
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
