internal import MeterModel
internal import MeterRehearsal

/// A table with columns for merge policies: in how many of many random fleets something happens.
struct CountTable: Sendable {
    private let title: String
    private let rows: [String]
    private let policies: [MergePolicy]
    /// Of the fleets in which it happens, in ascending order.
    private var seeds: [String: [MergePolicy: [UInt64]]] = [:]

    init(_ title: String, rows: [String], _ policies: [MergePolicy] = MergePolicy.allCases) {
        self.title = title
        self.rows = rows
        self.policies = policies
    }

    /// It happens in this fleet.
    mutating func add(_ fleet: RandomFleet, to row: String, _ policy: MergePolicy) {
        seeds[row, default: [:]][policy, default: []].append(fleet.seed)
    }

    func seeds(_ row: String, _ policy: MergePolicy) -> [UInt64] { seeds[row]?[policy] ?? [] }

    private mutating func merge(_ other: CountTable) {
        for (row, cells) in other.seeds { seeds[row, default: [:]].merge(cells) { ($0 + $1).sorted() } }
    }

    /// In Markdown.
    var text: String { text { $0 } }

    /// In Markdown.
    /// - Parameter name: of a row.
    func text(_ name: (String) -> String) -> String {
        func line(_ title: String, _ cells: [String]) -> String { "| \(title) | \(cells.joined(separator: " | ")) |\n" }
        return line(title, policies.map { "`\($0.rawValue)`" }) + "|---|" + policies.map { _ in "---:|" }.joined()
            + "\n" + rows.map { row in line(name(row), policies.map { "\(seeds(row, $0).count)" }) }.joined()
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
