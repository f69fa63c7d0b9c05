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
            sets it to 3, and in a store that needs no rebuild `meterfix fix rebuild-marker-old` does. It is never \
            lowered: a store that a later rebuild has marked stays so.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let marker = store.rebuildMarker, marker < RebuildMarker.current else { return [] }
        return [
            description.finding(
                "the marker says rebuild \(marker)", cure: store.marking(by: "fix rebuild-marker-old"))
        ]
    }
}
