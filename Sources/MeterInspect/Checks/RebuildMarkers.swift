internal import CoreDataStore
internal import MeterModel
internal import MeterStore

extension Check {
    /// A store that was rebuilt and has lost the mark of it. (An app's own store never has the marker, so its absence alone
    /// says nothing.)
    static let rebuildMarkerMissing = meters(
        "rebuild-marker-missing", .note, "the rebuild marker is missing after what looks like a rebuild",
        """
        This store was probably rebuilt, but its metadata does not say so. A canonical rebuild by meterfix writes its \
        version (cloudStoreRebuildVersion, now 3) to the store's metadata. The app itself keeps its marker in \
        UserDefaults, outside the store.

        The history shows that meterfix has deleted records here, which a rebuild does (and so does `meterfix delete`, \
        which sets no marker), or `--preferences` shows that the app has rebuilt. Metadata that was restored or copied \
        from elsewhere has no marker.

        Nothing needs to be done. The marker is only evidence; the next rebuild that changes something writes it. If \
        the store needs no rebuild and meterfix has deleted records in it, `meterfix fix rebuild-marker-missing` \
        writes it.
        """
    ) { check, session in
        guard let repair = try session.rebuildWithoutMarker() else { return [] }
        let time = Timestamp(secondsSince2001: repair.save.time ?? 0)
        return [
            check.finding(
                "meterfix deleted \(Phrase.count(repair.deleted.count, "record")) \(time), "
                    + "but the metadata has no \(RebuildMarker.key)",
                cure: session.store.marking(by: "fix rebuild-marker-missing"))
        ]
    }

    /// The same by the app's own marker.
    static func missingMarker(by preferences: ComparedPreferences, in store: InspectedStore) -> Finding? {
        guard store.canBeMarked, let marker = preferences.marker, preferences.isDone else { return nil }
        return rebuildMarkerMissing.finding(
            "the app's preferences say rebuild \(marker), but the metadata has no \(RebuildMarker.key)",
            cure: "do nothing: the marker is only evidence, and the next rebuild that changes something writes it")
    }

    package static let rebuildMarkerLies = meters(
        "rebuild-marker-lies", .error, "the store is marked as rebuilt and has duplicates",
        """
        The marker cloudStoreRebuildVersion says that the canonical rebuild was done, v3 or a later one, but there are \
        several records of one meter. A program that trusts the marker does not rebuild again.

        The duplicates were made after the rebuild: by a device that was offline or restored, by an older app version, \
        or by CloudKit, where a copy of a deleted record survived.

        Run `meterfix rebuild`: it relies on the data, not on the marker. If duplicates return, find the device that \
        makes them, for example by lastSeenByDeviceName.
        """
    ) { check, session in
        [falseMarker("the marker says", session.store.rebuildMarker, in: session.store)].compactMap(\.self)
    }

    /// The same of the app's own marker, which decides whether the app rebuilds.
    static func falseMarker(of preferences: ComparedPreferences, in store: InspectedStore) -> Finding? {
        falseMarker("the app's preferences say", preferences.marker, in: store)
    }

    private static func falseMarker(_ claim: String, _ marker: Int64?, in store: InspectedStore) -> Finding? {
        let groups = store.addresses.groups
        guard let marker, RebuildMarker.isDone(marker), groups > 0 else { return nil }
        return rebuildMarkerLies.finding(
            "\(claim) rebuild \(marker), but \(Phrase.count(groups, "meter")) "
                + "\(groups == 1 ? "has" : "have") several records", cure: store.repair("rebuild"))
    }

    static let rebuildMarkerOld = meters(
        "rebuild-marker-old", .note, "the rebuild marker is from an earlier rebuild",
        """
        The marker cloudStoreRebuildVersion is below 3, the version of the canonical rebuild. An earlier rebuild wrote \
        it, such as v2, which deleted every record and created all of them again.

        Nothing needs to be done. The marker is only evidence; the next `meterfix rebuild` that changes something sets \
        it to 3, and in a store that needs no rebuild `meterfix fix rebuild-marker-old` does. It is never lowered: a \
        store that a later rebuild has marked keeps that marker.
        """
    ) { check, session in
        guard let marker = session.store.rebuildMarker, marker < RebuildMarker.current else { return [] }
        return [
            check.finding(
                "the marker says rebuild \(marker)", cure: session.store.marking(by: "fix rebuild-marker-old"))
        ]
    }
}

extension InspectedStore {
    /// Whether its metadata could have a rebuild marker and has none.
    fileprivate var canBeMarked: Bool {
        settings != nil && description.metadata.dictionary != nil && rebuildMarker == nil
    }
}

extension Session {
    /// The last transaction in which meterfix deleted records, as a rebuild does, if the store has no rebuild marker.
    func rebuildWithoutMarker() throws -> SavedRecords? {
        store.canBeMarked ? try historyOfRecords().lastRepair : nil
    }

    /// Whether meterfix has deleted records in the store, and it has no rebuild marker.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func isRebuiltWithoutMarker() throws -> Bool { try rebuildWithoutMarker() != nil }
}
