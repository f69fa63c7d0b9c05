internal import MeterModel
internal import MeterStore

/// Records without a date of their last change.
final class UpdatedMissing: RecordCheck {
    static let description = CheckDescription(
        "updated-missing", .warning, "a record without updatedAt",
        explanation: [
            """
            This record counts as the oldest, so its values lose when records of its meter are merged. Last write wins \
            is decided by updatedAt. This record has none.
            """,
            "This comes from records made by imports and early app versions.",
            "The app sets the date with the next change of the record: rename the meter, or connect to it once.",
        ])

    private let store: InspectedStore
    /// Whether this store has the attribute.
    private let isExpected: Bool

    init(_ store: InspectedStore) {
        self.store = store
        isExpected = store.settings?.layout.has(.updatedAt) ?? false
    }

    func visit(_ row: RecordRow, _ found: Found) {
        guard isExpected, row.timestamp(.updatedAt) == nil else { return }
        let value = row[.updatedAt]
        found(
            Self.finding(
                value.isNull ? "no updatedAt" : "updatedAt is \(value.shown) and not a date", about: row.record,
                in: store,
                cure: "connect to the meter in the app once"))
    }
}
