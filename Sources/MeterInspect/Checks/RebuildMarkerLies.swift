internal import GRDB
internal import MeterModel

/// Duplicates in a store that is marked as rebuilt.
struct RebuildMarkerLies: StoreCheck {
    static let description = CheckDescription(
        "rebuild-marker-lies", .error, "the store is marked as rebuilt and has duplicates",
        explanation: [
            """
            The marker cloudStoreRebuildVersion says that the canonical rebuild was done, v3 or a later one, but there \
            are several records of one meter. Whatever trusts the marker does not rebuild again.
            """,
            """
            The duplicates came after the rebuild: from a device that was offline or restored, from an older app \
            version, or from CloudKit, where a copy of a deleted record survived.
            """,
            """
            Run `meterfix rebuild`: it relies on the data, not on the marker. If duplicates return, find the device \
            that makes them, for example by lastSeenByDeviceName.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        finding("the marker says", store.rebuildMarker, in: store).map { [$0] } ?? []
    }

    /// The same of the app's own marker, which decides whether the app rebuilds.
    static func finding(of preferences: ComparedPreferences, in store: InspectedStore) -> Finding? {
        finding("the app's preferences say", preferences.marker, in: store)
    }

    private static func finding(_ claim: String, _ marker: Int64?, in store: InspectedStore) -> Finding? {
        let groups = store.addresses.groups
        guard let marker, RebuildMarker.isDone(marker), groups > 0 else { return nil }
        return description.finding(
            "\(claim) rebuild \(marker), but \(Phrase.count(groups, "meter")) "
                + "\(groups == 1 ? "has" : "have") several records", cure: store.repair("rebuild"))
    }
}
