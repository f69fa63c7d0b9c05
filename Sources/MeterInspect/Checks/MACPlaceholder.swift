internal import MeterModel
internal import MeterStore

/// Placeholders for addresses.
final class MACPlaceholder: RecordCheck {
    static let description = CheckDescription(
        "mac-placeholder", .warning, "a placeholder for a hidden address",
        explanation: [
            """
            All zeros, all ones and 02:00:00:00:00:00 are not the address of any meter: Apple's systems return the \
            last one when they hide an address. Records that share it can be of different meters.
            """,
            "They are never grouped and never merged; merging them would lose settings.",
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
        guard case .placeholder = row.address else { return }
        found(
            Self.finding(
                "\(row[.macAddress].shown) is a placeholder for a hidden address", about: row.record, in: store,
                cure: store.curing(row.record)))
    }
}
