internal import GRDB
internal import MeterModel

/// Duplicates in a store that is marked as rebuilt.
struct RebuildMarkerLies: StoreCheck {
    static let description = CheckDescription(
        "rebuild-marker-lies", .error, "the store is marked as rebuilt and has duplicates",
        explanation: [
            """
            The marker cloudStoreRebuildVersion says that the canonical rebuild v3 was done, but there are several \
            records of one meter. Whatever trusts the marker does not rebuild again.
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
        guard let marker = store.rebuildMarker, marker >= RebuildMarker.current else { return [] }
        let groups = store.addresses.groups
        guard groups > 0 else { return [] }
        return [
            description.finding(
                "the marker says rebuild \(marker), but \(Phrase.count(groups, "meter")) "
                    + "\(groups == 1 ? "has" : "have") several records", cure: store.repair("rebuild"))
        ]
    }
}
