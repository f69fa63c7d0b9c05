package import MeterModel

/// What a plan does to one meter.
package struct PlannedMeter: Sendable {
    package let address: MACAddress
    package private(set) var update: RecordUpdate?
    package private(set) var deletions: [RecordDeletion] = []
    package private(set) var conflicts: [Conflict] = []
    package private(set) var givenUp: [GivenUpValue] = []

    /// Those of all its records that the plan tells of.
    var rows: [Int64] {
        [update?.row, deletions.first?.merger?.survivor.row].compactMap(\.self) + deletions.map(\.record.row)
    }

    /// What the meter is called once it has one record; nil where it has no name, or where that cannot be told.
    package var nameAfter: String? {
        let change = update?.fields.first { $0.field.known == .meterName }
        let name = change?.after ?? deletions.first?.merger?.survivor[.meterName]
        return name.flatMap { $0.isEmpty ? nil : $0.text }
    }

    /// The meters whose records are updated or deleted, in the order of the plan.
    /// - Parameter most: how many of them are handed over.
    package static func first(_ most: Int, of plan: Plan) -> (meters: [PlannedMeter], rest: Int) {
        var meters: [PlannedMeter] = []
        var last: MACAddress?
        var rest = 0
        func add(_ address: MACAddress?, _ edit: (inout PlannedMeter) -> Void) {
            guard let address else { return }
            // Changes of one meter follow one another.
            if last != address {
                if meters.count < most { meters.append(PlannedMeter(address: address)) } else { rest += 1 }
                last = address
            }
            if rest == 0 { edit(&meters[meters.count - 1]) }
        }
        for change in plan.changes {
            switch change {
            case .update(let update): add(update.address) { $0.update = update }
            case .delete(let deletion): add(deletion.address) { $0.deletions.append(deletion) }
            case .cloudDelete, .insert, .schema, .metadata: break
            }
        }
        let places = Dictionary(zip(meters.map(\.address), meters.indices), uniquingKeysWith: { $1 })
        for conflict in plan.conflicts {
            if let place = places[conflict.address] { meters[place].conflicts.append(conflict) }
        }
        plan.forEachGivenUp { value in
            if let place = places[value.address] { meters[place].givenUp.append(value) }
        }
        return (meters, rest)
    }

    package static func all(of plan: Plan) -> [PlannedMeter] { first(.max, of: plan).meters }

    private init(address: MACAddress) { self.address = address }
}
