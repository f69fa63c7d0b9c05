internal import MeterModel
internal import MeterStore

/// Records that were written later than they say.
final class UpdatedBehind: RecordCheck {
    static let description = CheckDescription(
        "updated-behind", .warning, "a record that was written after its updatedAt",
        explanation: [
            """
            This record counts as older than it is, so its values may lose when records of its meter are merged. Every \
            write moves updatedAt. But this record's own lock, or the time when its meter was last seen, is later.
            """,
            """
            An app version that did not move the date wrote the lock or the time, or another tool did, or a merge took \
            them over from another record. (A difference of up to a second is not reported: both are set in one save, \
            one after the other. Nor is a date more than a day ahead of now: see `clock-in-future`.)
            """,
            "The app sets the date with the next change of the record: rename the meter, or connect to it once.",
        ])

    /// Seconds between two readings of one clock in one save.
    private static let allowance: Double = 1

    private let store: InspectedStore

    init(_ store: InspectedStore) { self.store = store }

    func visit(_ row: RecordRow, _ found: Found) {
        guard let updated = row.timestamp(.updatedAt) else { return }
        func isLater(_ date: Timestamp?) -> Bool {
            date.map { $0.seconds(since: updated) > Self.allowance && !$0.isAhead(of: store.now) } ?? false
        }
        guard row.hasMetadataBlob || isLater(row.timestamp(.connectedAt)) || isLater(row.timestamp(.lastSeenAt)) else {
            return
        }
        let record = row.record
        let dates =
            record.locks.map { ("locked", $0.connectedAt) } + record.discoveries.map { ("last seen", $0.seenAt) }
        let later = dates.compactMap { verb, date in isLater(date) ? date.map { (verb, $0) } : nil }
        guard let latest = later.max(by: { $0.1 < $1.1 }) else { return }
        found(
            Self.finding(
                "updated \(updated), but \(latest.0) \(latest.1)", about: record, in: store,
                cure: "connect to the meter in the app once"))
    }
}
