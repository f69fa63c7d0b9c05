package import MeterModel

/// A plan that was written line by line into a backup.
package struct PlanReading {
    /// For a store of which nothing is known.
    package private(set) var plan = Plan(of: StoreSize(records: 0, groups: 0, mirrored: 0))
    /// Where in the plan the meters are.
    private var places: [MACAddress: Int] = [:]
    /// As they are before the plan; by row number.
    private let records: [Int64: DeviceSettings]
    /// The rows that a change is about.
    private var changed: Set<Int64> = []

    /// - Parameter records: from the saved files: no line has them.
    /// - Throws: `PlanError` for a deletion without its records, and for a second change of one.
    package init(_ lines: [(line: PlanLine, number: Int)], records: [Int64: DeviceSettings]) throws(PlanError) {
        self.records = records
        for (line, number) in lines {
            switch line {
            case .object(let change): try add(change, at: number)
            case .schema(let change): plan.schemaChanges.append(change)
            case .metadata(let change): plan.metadataChanges.append(change)
            case .conflict(let conflict): addMeter(conflict.address) { $0.conflicts.append(conflict) }
            case .reject(let reject): plan.rejects.append(reject)
            }
        }
    }

    private mutating func add(_ change: ObjectChange, at number: Int) throws(PlanError) {
        switch change {
        case .update(let update, let address):
            try claim(update.row, at: number)
            addMeter(address) { $0.records.append(.update(update)) }
        case .insert(let insertion, let address):
            try claim(insertion.row, at: number)
            addMeter(address) { $0.records.append(.insert(insertion)) }
        case .delete(let deletion):
            try claim(deletion.row, at: number)
            let deleted = RecordDeletion(try record(deletion.row, "row", at: number), by: deletion.merger?.advantage)
            let survivor = try deletion.merger.map { merger throws(PlanError) in
                try record(merger.survivor, "mergedInto", at: number)
            }
            addMeter(deletion.address, survivor: survivor) { $0.records.append(.delete(deleted)) }
        case .cloudDelete(let deletion): plan.cloudDeletions.append(deletion)
        }
    }

    private mutating func addMeter(
        _ address: MACAddress?, survivor: DeviceSettings? = nil, _ edit: (inout MeterPlan) -> Void
    ) {
        let place = address.flatMap { places[$0] } ?? plan.meters.count
        if place == plan.meters.count {
            plan.meters.append(MeterPlan(address, []))
            if let address { places[address] = place }
        }
        edit(&plan.meters[place])
        plan.meters[place].survivor = plan.meters[place].survivor ?? survivor
    }

    private mutating func claim(_ row: Int64, at number: Int) throws(PlanError) {
        guard changed.insert(row).inserted else {
            throw PlanError(at: .member(.line(number), "row"), "row \(row) is changed twice")
        }
    }

    private func record(_ row: Int64, _ key: String, at number: Int) throws(PlanError) -> DeviceSettings {
        guard let record = records[row] else {
            throw PlanError(at: .member(.line(number), key), "the saved files have no record in row \(row)")
        }
        return record
    }
}
