package import CoreDataStore
package import GRDB
internal import MeterModel
internal import MeterStore

/// A store that was rebuilt and has lost the mark of it. (An app's own store never has the marker, so its absence alone
/// says nothing.)
struct RebuildMarkerMissing: StoreCheck {
    static let description = CheckDescription(
        "rebuild-marker-missing", .note, "the rebuild marker is missing after what looks like a rebuild",
        explanation: [
            """
            This store was probably rebuilt, but its metadata does not say so. A canonical rebuild by meterfix writes \
            its version (cloudStoreRebuildVersion, now 3) to the store's metadata. The app itself keeps its marker in \
            UserDefaults, outside the store.
            """,
            """
            The history shows that meterfix has deleted records here, which a rebuild does (and so does `meterfix \
            delete`, which sets no marker), or `--preferences` shows that the app has rebuilt. Metadata that was \
            restored or copied from elsewhere has no marker.
            """,
            """
            Nothing needs to be done. The marker is only evidence; the next rebuild that changes something writes it. \
            In a store that needs no rebuild and in which meterfix has deleted records, `meterfix fix \
            rebuild-marker-missing` does.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let deletion = try store.rebuildWithoutMarker(database) else { return [] }
        return [
            description.finding(
                "meterfix deleted \(Phrase.count(deletion.deletes, "record")) \(Timestamp(secondsSince2001: deletion.time)), "
                    + "but the metadata has no \(RebuildMarker.key)",
                cure: store.marking(by: "fix rebuild-marker-missing"))
        ]
    }

    /// The same by the app's own marker.
    static func finding(of preferences: ComparedPreferences, in store: InspectedStore) -> Finding? {
        guard store.canBeMarked, let marker = preferences.marker, preferences.isDone else { return nil }
        return description.finding(
            "the app's preferences say rebuild \(marker), but the metadata has no \(RebuildMarker.key)",
            cure: "do nothing: the marker is only evidence, and the next rebuild that changes something writes it")
    }
}

extension InspectedStore {
    /// Whether its metadata could have a rebuild marker and has none.
    fileprivate var canBeMarked: Bool {
        settings != nil && description.metadata.dictionary != nil && rebuildMarker == nil
    }

    /// The last transaction in which meterfix deleted records, as a rebuild does, if the store has no rebuild marker.
    /// - Throws: SQLite's errors.
    package func rebuildWithoutMarker(_ database: Database) throws -> PersistentHistory.Transaction? {
        guard canBeMarked, let entity = settings?.entity.number else { return nil }
        return try description.history?.transactions(by: HistoryWriter.author, ofEntity: entity, database)
            .last { $0.deletes > 0 }
    }
}
