import MeterModel
import MeterRehearsal

/// In how many random fleets a repair does harm: the tables that MIGRATIONS.md quotes and `Benchmarks/rehearsals` prints.
struct FleetTable {
    /// Fleets with the seeds from 0 on.
    let fleets: UInt64
    private var harmed: [Row: [MergePolicy: Harmed]] = [:]
    private var considered: [Row: Int] = [:]
    private var lostAnyway: [MergePolicy: Int] = [:]

    private enum Row: String, CaseIterable {
        case togetherAtRest = "all devices, at rest"
        case oneAtRest = "one device, at rest"
        case oneInUseAlone = "one device, while all are in use and no other repair is on its way"
        case oneInUse = "one device, while all are in use"
        case togetherInUse = "all devices, while all are in use"

        var procedure: RandomFleet.Procedure {
            switch self {
            case .togetherAtRest: .togetherAtRest
            case .oneAtRest: .oneAtRest
            case .oneInUseAlone, .oneInUse: .oneInUse
            case .togetherInUse: .togetherInUse
            }
        }
    }

    /// Fleets with at least one such meter or value.
    private struct Harmed {
        var lost = 0
        var gone = 0
        var several = 0

        mutating func add(_ harm: FleetHarm) {
            if !harm.lost.isEmpty { lost += 1 }
            if !harm.gone.isEmpty { gone += 1 }
            if !harm.several.isEmpty { several += 1 }
        }
    }

    init(fleets: UInt64) async {
        self.fleets = fleets
        let parts = await withTaskGroup(of: Part.self) { group in
            for seed in 0..<fleets { group.addTask { Part(seed: seed) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for part in parts { add(part) }
    }

    /// What one fleet adds.
    private struct Part: Sendable {
        let isAlone: Bool
        let harms: [(procedure: RandomFleet.Procedure, policy: MergePolicy, harm: FleetHarm)]

        init(seed: UInt64) {
            isAlone = !RandomFleet(seed: seed).hasDeletionsOnTheirWay
            harms = RandomFleet.Procedure.allCases.flatMap { procedure in
                MergePolicy.allCases.map { (procedure, $0, FleetHarm(procedure, seed: seed, $0)) }
            }
        }
    }

    private mutating func add(_ part: Part) {
        for row in Row.allCases where row != .oneInUseAlone || part.isAlone {
            considered[row, default: 0] += 1
            for (procedure, policy, harm) in part.harms where procedure == row.procedure {
                harmed[row, default: [:]][policy, default: Harmed()].add(harm)
            }
        }
        for (procedure, policy, harm) in part.harms where procedure == .oneInUse && !harm.idle.lost.isEmpty {
            lostAnyway[policy, default: 0] += 1
        }
    }

    /// The tables, in Markdown. A range is that over the merge policies.
    var text: String {
        var lines = [
            "| who repairs, and when | fleets | something typed was lost | a meter was left without a record | a meter was left with several |",
            "|---|---|---|---|---|",
        ]
        for row in Row.allCases {
            let harmed = MergePolicy.allCases.map { self.harmed[row]?[$0] ?? Harmed() }
            let cells = [harmed.map(\.lost), harmed.map(\.gone), harmed.map(\.several)].map(Self.range)
            lines.append("| \(row.rawValue) | \(considered[row] ?? 0) | \(cells.joined(separator: " | ")) |")
        }
        lines += [
            "", "| merge policy | fleets that lose something typed on the same day without a repair |", "|---|---|",
        ]
        lines += MergePolicy.allCases.map { "| `\($0.rawValue)` | \(lostAnyway[$0] ?? 0) |" }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func range(_ counts: [Int]) -> String {
        guard let least = counts.min(), let most = counts.max(), most > 0 else { return "none" }
        return least == most ? "\(least)" : "\(least) to \(most)"
    }
}
