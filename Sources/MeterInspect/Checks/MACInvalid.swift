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
            Look at the record. If its name shows which meter it is, give that meter the name in the app; then delete \
            the record.
            """,
        ])

    static let interest = RecordInterest.unusualAddress
    private let store: InspectedStore
    private(set) var findings: [Finding] = []

    init(_ store: InspectedStore) { self.store = store }

    func visit(_ row: RecordRow) {
        guard row.address == .invalid else { return }
        findings.append(
            Self.finding(
                "\(row[.macAddress].shown) in place of an address", about: row.record, in: store,
                cure: "name the meter in the app, then delete this record"))
    }
}
