internal import JSON
internal import MeterModel

/// A plan that is read line by line.
struct PlanReading {
    private(set) var changes: [Change] = []
    private(set) var conflicts: [Conflict] = []
    private(set) var rejects: [Reject] = []
    /// As they are before the plan; by row number.
    private(set) var records: [Int64: DeviceSettings]
    /// The lines of the changes and of the conflicts.
    private(set) var places: (changes: [Int], conflicts: [Int]) = ([], [])

    /// - Parameter records: that are known and have no line.
    init(records: [Int64: DeviceSettings] = [:]) { self.records = records }

    /// Lines that have been read.
    /// - Throws: `PlanError`, as `add`.
    init(_ lines: [(line: PlanLine, number: Int)], records: [Int64: DeviceSettings]) throws(PlanError) {
        self.init(records: records)
        for (line, number) in lines { try add(line, at: number) }
    }

    /// - Throws: `PlanError` for a deletion without its records, and for a record that is there already.
    mutating func add(_ line: PlanLine, at number: Int) throws(PlanError) {
        switch line {
        case .record(let record):
            guard records.updateValue(record, forKey: record.row) == nil else {
                throw PlanError(at: .member(.line(number), "row"), "row \(record.row) has a line already")
            }
        case .change(let change): add(change, at: number)
        case .deletion(let deletion):
            add(
                .delete(
                    RecordDeletion(
                        record: try record(deletion.row, "row", at: number), address: deletion.address,
                        mergedInto: try merger(of: deletion, at: number))), at: number)
        case .conflict(let conflict):
            conflicts.append(conflict)
            places.conflicts.append(number)
        case .reject(let reject): rejects.append(reject)
        }
    }

    private func merger(
        of deletion: PlanLine.DeletionLine, at number: Int
    ) throws(PlanError) -> RecordDeletion.Merger? {
        guard let merger = deletion.merger else { return nil }
        return RecordDeletion.Merger(try record(merger.survivor, "mergedInto", at: number), by: merger.advantage)
    }

    private mutating func add(_ change: Change, at number: Int) {
        changes.append(change)
        places.changes.append(number)
    }

    private func record(_ row: Int64, _ key: String, at number: Int) throws(PlanError) -> DeviceSettings {
        guard let record = records[row] else {
            throw PlanError(at: .member(.line(number), key), "no line before this one has the record of row \(row)")
        }
        return record
    }

    /// The plan of the lines, with the numbers that follow from them.
    func plan(_ totals: PlanManifest.Totals, notes: [String]) -> Plan {
        var plan = Plan(
            changes: changes, conflicts: conflicts, summary: Summary(records: totals.records, groups: totals.groups),
            cloud: CloudCost(updates: 0, deletes: 0, recreateDeletes: totals.mirrored, recreateInserts: 0))
        plan.rejects = rejects
        plan.notes = notes
        (plan.summary, plan.cloud) = plan.numbers(totals, records)
        return plan
    }
}

extension Plan {
    /// The numbers that follow from the changes.
    /// - Parameter records: as they are before the plan; by row number.
    func numbers(_ totals: PlanManifest.Totals, _ records: [Int64: DeviceSettings]) -> (Summary, CloudCost) {
        var summary = Summary(records: totals.records, groups: totals.groups)
        var (updates, deletes) = (0, 0)
        for change in changes {
            switch change {
            case .update(let update):
                summary.updated += 1
                if records[update.row]?.cloudRecord != nil { updates += 1 }
            case .delete(let deletion):
                summary.deleted += 1
                if deletion.record.cloudRecord != nil { deletes += 1 }
            case .cloudDelete: deletes += 1
            case .insert:
                summary.inserted += 1
                if totals.mirrored > 0 { updates += 1 }
            case .schema, .metadata: break
            }
        }
        summary.conflicts = conflicts.count
        summary.rejects = rejects.count
        let left = totals.records - summary.deleted + summary.inserted
        return (
            summary,
            CloudCost(
                updates: updates, deletes: deletes, recreateDeletes: totals.mirrored,
                recreateInserts: totals.mirrored == 0 ? 0 : left)
        )
    }

    /// Whether the plan's numbers are those of its changes.
    /// - Throws: `PlanError` where they are not.
    func checkNumbers(_ totals: PlanManifest.Totals, _ records: [Int64: DeviceSettings]) throws(PlanError) {
        guard (summary, cloud) == numbers(totals, records) else {
            throw PlanError(at: .file, "its numbers are not those of its changes")
        }
        var meters: Set<MACAddress> = []
        for case .delete(let deletion) in changes where deletion.merger != nil {
            if let address = deletion.address { meters.insert(address) }
        }
        let place = PlanPlace.member(.line(1), "totals")
        guard meters.count <= totals.groups, totals.groups <= totals.records else {
            throw PlanError(at: .member(place, "groups"), "this plan merges \(meters.count) groups")
        }
        guard summary.updated + summary.deleted <= totals.records else {
            throw PlanError(
                at: .member(place, "records"), "the plan changes \(summary.updated + summary.deleted) records")
        }
    }
}
