internal import MeterModel
internal import MeterStore

/// Records without an address.
final class MACMissing: RecordCheck {
    static let description = CheckDescription(
        "mac-missing", .warning, "a record whose address is NULL or empty",
        explanation: [
            """
            Such a record belongs to no meter. It is never grouped with another and never merged: the popular SQL \
            one-liner that keeps one row per address would reduce all such records to one.
            """,
            """
            `meterfix show --row N` shows the record. If you know which meter it is, `meterfix set --row N --address MAC` \
            gives it the address. If nothing in it is worth keeping, `meterfix delete --row N` deletes it, here and in \
            CloudKit.
            """,
        ])

    static let interest = RecordInterest.unusualAddress
    private let store: InspectedStore

    init(_ store: InspectedStore) { self.store = store }

    func visit(_ row: RecordRow, _ found: Found) {
        guard row.address == .missing else { return }
        found(
            Self.finding("no address", about: row.record, in: store, cure: store.curing(row.record)))
    }
}
