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

    package init(updates: Int, deletes: Int, recreateDeletes: Int, recreateInserts: Int) {
        self.updates = updates
        self.deletes = deletes
        self.recreateDeletes = recreateDeletes
        self.recreateInserts = recreateInserts
    }

    package var batches: Int { (updates + deletes + Self.batchSize - 1) / Self.batchSize }
}
