/// How many records a store has.
package struct StoreSize: Hashable, Sendable {
    package var records: Int
    /// Meters with more than one record.
    package let groups: Int
    /// Records that CloudKit knows.
    package let mirrored: Int
    /// Whether CloudKit's mirror is at work: it uploads what CloudKit does not know yet.
    package let hasMirror: Bool

    package init(records: Int, groups: Int, mirrored: Int, hasMirror: Bool = false) {
        self.records = records
        self.groups = groups
        self.mirrored = mirrored
        self.hasMirror = hasMirror
    }
}

/// The numbers of a plan.
package struct Summary: Hashable, Sendable {
    /// `DeviceSettings` rows before the command.
    package let records: Int
    /// Meters with more than one record.
    package let groups: Int
    package fileprivate(set) var updated = 0
    package fileprivate(set) var deleted = 0
    package fileprivate(set) var inserted = 0
    package fileprivate(set) var conflicts = 0
    package fileprivate(set) var rejects = 0

    /// Where nothing is planned.
    package init(records: Int, groups: Int) {
        self.records = records
        self.groups = groups
    }

    /// Rows neither updated nor deleted.
    package var unchanged: Int { records - updated - deleted }
}

extension Plan {
    package var summary: Summary {
        var summary = Summary(records: size.records, groups: size.groups)
        for meter in meters {
            summary.conflicts += meter.conflicts.count
            for record in meter.records {
                switch record {
                case .update: summary.updated += 1
                case .delete: summary.deleted += 1
                case .insert: summary.inserted += 1
                }
            }
        }
        summary.rejects = rejects.count
        return summary
    }

    package var cloud: CloudCost {
        var (updates, deletes, growth) = (0, cloudDeletions.count, 0)
        let isMirrored = size.mirrored > 0 || size.hasMirror
        for record in meters.lazy.flatMap(\.records) {
            switch record {
            // One that CloudKit has never seen goes up with it.
            case .update(let update): if isMirrored || update.cloudRecord != nil { updates += 1 }
            case .delete(let deletion):
                growth -= 1
                if deletion.record.cloudRecord?.name != nil { deletes += 1 }
            case .insert:
                growth += 1
                if isMirrored { updates += 1 }
            }
        }
        return CloudCost(
            updates: updates, deletes: deletes, recreateDeletes: size.mirrored,
            recreateInserts: size.mirrored > 0 ? size.records + growth : 0)
    }
}

/// What a change costs on the user's CloudKit account, and again on each of the user's other devices.
package struct CloudCost: Hashable, Sendable {
    /// Records saved, each one record operation: mirrored records that are updated, and new ones.
    package let updates: Int
    /// Mirrored records deleted, each one record operation.
    package let deletes: Int
    /// What the deprecated rebuild v2 would have deleted: every mirrored record.
    package let recreateDeletes: Int
    /// What it would have uploaded again: every remaining record.
    package let recreateInserts: Int

    /// The most record operations in one upload.
    package static let batchSize = 400

    package var batches: Int { Self.batches(of: updates + deletes) }

    /// How many uploads so many record operations take.
    package static func batches(of operations: Int) -> Int { (operations + batchSize - 1) / batchSize }
}
