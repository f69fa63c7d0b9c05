internal import MeterModel
internal import MeterStore

/// Text that is not an address.
final class MACInvalid: RecordCheck {
    static let description = CheckDescription(
        "mac-invalid", .error, "text that is not an address",
        explanation: [
            """
            macAddress does not contain twelve hex digits, without separators or with the usual ones. The app never \
            finds this record when it meets the meter, and its name and unit have no effect.
            """,
            """
            This comes from app versions that stored a Bluetooth identifier or a name instead, and from edits by hand. \
            Such a record is never grouped with another and never merged.
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
        guard row.address == .invalid else { return }
        found(
            Self.finding(
                "\(row[.macAddress].shown) in place of an address", about: row.record, in: store,
                cure: store.curing(row.record)))
    }
}
