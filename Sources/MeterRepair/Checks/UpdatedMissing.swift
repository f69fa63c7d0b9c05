internal import MeterModel

/// Records without a date of their last change.
struct UpdatedMissing: RecordCheck {
    static let description = CheckDescription(
        "updated-missing", .warning, "a record without updatedAt",
        explanation: [
            """
            updatedAt is the clock of last-write-wins. A record without it counts as the oldest: where records of one \
            meter meet, its values lose.
            """,
            "It comes from records made by imports and early app versions.",
            "The app sets the date with the next change of the record: rename the meter, or connect to it once.",
        ])

    private let store: InspectedStore
    private(set) var findings: [Finding] = []

    init(_ store: InspectedStore) { self.store = store }

    mutating func see(_ record: DeviceSettings) {
        guard record.layout.has(.updatedAt), record.updatedAt == nil else { return }
        let value = record[.updatedAt]
        findings.append(
            Self.finding(
                value.isNull ? "no updatedAt" : "updatedAt is \(value.shown) and not a date", about: record, in: store,
                cure: "connect to the meter in the app once"))
    }
}
