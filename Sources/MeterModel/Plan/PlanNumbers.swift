/// How many records a store has.
package struct StoreSize: Hashable, Sendable {
    package var records: Int
    /// Meters with more than one record.
    package let groups: Int
    /// Records that CloudKit knows.
    package let mirrored: Int

    package init(records: Int, groups: Int, mirrored: Int) {
        self.records = records
        self.groups = groups
        self.mirrored = mirrored
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
        summary.updated = counts.updated
        summary.deleted = counts.deleted
        summary.inserted = counts.inserted
        summary.conflicts = conflicts.count
        summary.rejects = rejects.count
        return summary
    }

    package var cloud: CloudCost {
        let isMirrored = size.mirrored > 0
        return CloudCost(
            updates: counts.updatedInCloud + (isMirrored ? counts.inserted : 0), deletes: counts.deletedInCloud,
            recreateDeletes: size.mirrored,
            recreateInserts: isMirrored ? size.records - counts.deleted + counts.inserted : 0)
    }

    struct Counts: Hashable, Sendable {
        var updated = 0
        var deleted = 0
        var inserted = 0
        var updatedInCloud = 0
        var deletedInCloud = 0

        init(_ changes: [Change]) {
            for change in changes {
                switch change {
                case .update(let update):
                    updated += 1
                    if update.cloudRecord != nil { updatedInCloud += 1 }
                case .delete(let deletion):
                    deleted += 1
                    if deletion.record.cloudRecord?.name != nil { deletedInCloud += 1 }
                case .cloudDelete: deletedInCloud += 1
                case .insert: inserted += 1
                case .schema, .metadata: break
                }
            }
        }
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
