package import MeterModel

extension Plan {
    /// What was written line by line into a backup, for a store of which nothing is known.
    /// - Parameter records: as they were before the change, from the saved files: no line has them. By row number.
    /// - Throws: `JournalError` for a deletion without its records, and for a second change of one.
    package init(_ lines: [JournalLine], records: [Int64: DeviceSettings]) throws(JournalError) {
        var reading = PlanReading(records: records)
        for line in lines { try reading.add(line) }
        self = reading.plan
    }
}

private struct PlanReading {
    private(set) var plan = Plan(of: StoreSize(records: 0, groups: 0, mirrored: 0))
    /// Where in the plan the meters are.
    private var places: [MACAddress: Int] = [:]
    private let records: [Int64: DeviceSettings]
    /// The rows that a change is about.
    private var changed: Set<Int64> = []

    init(records: [Int64: DeviceSettings]) { self.records = records }

    mutating func add(_ line: JournalLine) throws(JournalError) {
        switch line {
        case .object(let change): try add(change)
        case .schema(let change): plan.schemaChanges.append(change)
        case .metadata(let change): plan.metadataChanges.append(change)
        case .conflict(let conflict): addMeter(conflict.address) { $0.conflicts.append(conflict) }
        case .reject(let reject): plan.rejects.append(reject)
        }
    }

    private mutating func add(_ change: ObjectChange) throws(JournalError) {
        switch change {
        case .update(let update, let address):
            try claim(update.row)
            addMeter(address) { $0.records.append(.update(update)) }
        case .insert(let insertion, let address):
            try claim(insertion.row)
            addMeter(address) { $0.records.append(.insert(insertion)) }
        case .delete(let deletion):
            try claim(deletion.row)
            let deleted = RecordDeletion(try records[deletion.row].orDamage, by: deletion.merger?.advantage)
            let winner = try deletion.merger.map { merger throws(JournalError) in
                try records[merger.winner].orDamage
            }
            addMeter(deletion.address, winner: winner) { $0.records.append(.delete(deleted)) }
        case .cloudDelete(let deletion): plan.cloudDeletions.append(deletion)
        }
    }

    private mutating func addMeter(
        _ address: MACAddress?, winner: DeviceSettings? = nil, _ edit: (inout MeterPlan) -> Void
    ) {
        let place = address.flatMap { places[$0] } ?? plan.meters.count
        if place == plan.meters.count {
            plan.meters.append(MeterPlan(address, []))
            if let address { places[address] = place }
        }
        edit(&plan.meters[place])
        plan.meters[place].winner = plan.meters[place].winner ?? winner
    }

    private mutating func claim(_ row: Int64) throws(JournalError) {
        guard changed.insert(row).inserted else { throw JournalError() }
    }
}
