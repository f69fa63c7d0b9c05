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
            "Look at the record. If nothing in it is worth keeping, delete it in the app.",
        ])

    static let interest = RecordInterest.unusualAddress
    private(set) var findings: [Finding] = []

    init(_ store: InspectedStore) {}

    func visit(_ row: RecordRow) {
        guard row.address == .missing else { return }
        findings.append(
            Self.description.finding(
                "no address", entity: SettingsTable.entityName, rows: [row.row],
                cure: "look at the record in the app, and delete it there if nothing in it is worth keeping"))
    }
}
