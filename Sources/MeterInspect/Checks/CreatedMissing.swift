internal import MeterModel
internal import MeterStore

/// Records without a date of their creation.
final class CreatedMissing: RecordCheck {
    static let description = CheckDescription(
        "created-missing", .note, "a record without createdAt",
        explanation: [
            """
            Nothing in this record says when the user first had the meter. The date decides little: when records of one \
            meter are merged and all else is equal, the one that was created first is kept, and a record without the \
            date counts as the latest.
            """,
            "This comes from records made by imports and early app versions.",
            """
            Nothing needs to be done, and no command makes up a date. If the meter has several records, a rebuild gives \
            the one that is kept the earliest createdAt of all of them.
            """,
        ])

    private let store: InspectedStore
    /// Whether this store has the attribute.
    private let isExpected: Bool

    init(_ store: InspectedStore) {
        self.store = store
        isExpected = store.settings?.layout.has(.createdAt) ?? false
    }

    func visit(_ row: RecordRow, _ found: Found) {
        guard isExpected, row.timestamp(.createdAt) == nil else { return }
        let value = row[.createdAt]
        found(
            Self.finding(
                value.isNull ? "no createdAt" : "createdAt is \(value.shown) and not a date", about: row.record,
                in: store, cure: "do nothing: the app works without the date, and no command makes one up"))
    }
}
