internal import GRDB
internal import MeterModel

/// A store that only an earlier rebuild has marked.
struct RebuildMarkerOld: StoreCheck {
    static let description = CheckDescription(
        "rebuild-marker-old", .note, "the rebuild marker is of an earlier rebuild",
        explanation: [
            """
            The marker cloudStoreRebuildVersion is below 3, the version of the canonical rebuild. An earlier rebuild \
            wrote it, such as v2, which deleted every record and created all of them again.
            """,
            """
            Nothing needs to be done. The marker is only evidence; the next `meterfix rebuild` that changes something \
            sets it to 3. It is never lowered: a store that a later rebuild has marked stays so.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let marker = store.rebuildMarker, marker < RebuildMarker.current else { return [] }
        let isDue = !store.metersNeedingRebuild().isEmpty
        return [
            description.finding(
                "the marker says rebuild \(marker)",
                cure: isDue
                    ? store.repair("rebuild")
                    : "do nothing: the next rebuild that changes something sets it to \(RebuildMarker.current)")
        ]
    }
}
