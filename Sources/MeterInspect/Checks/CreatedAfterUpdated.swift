internal import MeterModel
internal import MeterStore

/// Records that were changed before they were created.
final class CreatedAfterUpdated: RecordCheck {
    static let description = CheckDescription(
        "created-after-updated", .warning, "a record whose creation is later than its last change",
        explanation: [
            """
            createdAt never changes and updatedAt only increases, so this order is impossible with a single clock. One \
            of the dates is wrong: when records of one meter are merged, the wrong one may win.
            """,
            """
            The record was made by a device whose clock was ahead and changed by one whose clock was not, or it was \
            imported. (A difference of up to a second is not reported: both are set when a record is made, one after \
            the other.)
            """,
            "Harmless by itself. Check the clocks of the user's devices.",
        ])

    /// Seconds between two readings of one clock while a record is made.
    private static let allowance: Double = 1

    private let store: InspectedStore

    init(_ store: InspectedStore) { self.store = store }

    func visit(_ row: RecordRow, _ found: Found) {
        guard let created = row.timestamp(.createdAt), let updated = row.timestamp(.updatedAt),
            created.seconds(since: updated) > Self.allowance
        else { return }
        found(
            Self.finding(
                "created \(created), after its last change \(updated)", about: row.record, in: store,
                cure: "check the clocks of the user's devices"))
    }
}
