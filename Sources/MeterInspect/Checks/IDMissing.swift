internal import MeterModel
internal import MeterStore

/// Records without an id.
final class IDMissing: RecordCheck {
    static let description = CheckDescription(
        "id-missing", .error, "a record without an id",
        explanation: [
            """
            The app gives each record an id and finds records by it, but this one has none. A change meant for it may \
            be lost, or end up in another record without an id.
            """,
            "This comes from records that something other than the app made: an import, a script, an edit by hand.",
            """
            If `duplicate-mac` reports the same row, rebuild first. `meterfix fix id-missing` then gives the record an \
            id. It follows from the name of the record in CloudKit, so copies of the store that are repaired apart get \
            the same one, and like any change it is uploaded. If another device gives the record an id of its own in \
            the meantime, the later of the two changes stays on all devices.
            """,
        ])

    private let store: InspectedStore
    /// Whether this store has the attribute.
    private let isExpected: Bool
    /// The same for each of them.
    private let cure: String

    init(_ store: InspectedStore) {
        self.store = store
        isExpected = store.settings?.layout.has(.id) ?? false
        cure = store.repair("fix id-missing")
    }

    func visit(_ row: RecordRow, _ found: Found) {
        guard isExpected, row.isEmpty(.id) else { return }
        found(Self.finding("no id", about: row.record, in: store, cure: cure))
    }
}
