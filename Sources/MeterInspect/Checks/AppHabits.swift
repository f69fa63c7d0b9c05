internal import GRDB
internal import MeterModel
internal import MeterStore

/// Sightings of a meter that were saved one after the other.
struct DiscoveryFlood: StoreCheck {
    static let description = CheckDescription(
        "discovery-flood", .warning, "the app saved many sightings of one meter within two minutes",
        explanation: [
            """
            On all devices sync is slow: every sighting that is saved is uploaded, and every other device downloads \
            it. The app saves one sighting of a meter in two minutes. Here it saved three or more in that time on this \
            device, and the meter was not connected or disconnected between them.
            """,
            "A version of the app without the limit wrote them: Bluetooth advertisements come several times a second.",
            """
            Nothing in the store has to be repaired. Update the app on this device. `meterfix log` lists the saves, \
            each with its lastSeen fields. What is pending is uploaded once for each record, not once for each save.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard store.settings != nil else { return [] }
        let floods = Dictionary(grouping: try store.historyOfRecords(database).behaviour.floods, by: \.row)
        return try findings(about: floods.keys, in: store, database) { row in
            guard let last = floods[row.row]?.last else { return nil }
            let others = (floods[row.row]?.count ?? 1) - 1
            let minutes = Phrase.seconds((last.last - last.first).rounded())
            return finding(
                "\(last.count) sightings saved in \(minutes), from \(Timestamp(secondsSince2001: last.first)) on"
                    + (others > 0 ? ", and \(Phrase.count(others, "time")) before" : ""),
                about: row.record, in: store, cure: "update the app on this device: it must not save every sighting")
        }
    }
}

/// Records whose identity was changed.
struct IdentityChanged: StoreCheck {
    static let description = CheckDescription(
        "identity-changed", .warning, "the app changed id or createdAt of a record after it was made",
        explanation: [
            """
            The app and the other devices may take this record for another one: id and createdAt are set when a record \
            is made and never change. The history says that the app changed one of them later, on this device.
            """,
            """
            A version of the app did it by mistake. (What CloudKit's import changed is not reported: another device \
            did it. A save that sets the field in most records is not reported either: so an app fills in what was \
            missing.)
            """,
            """
            The old value is in a backup at most: `meterfix log` shows it where it is known. Update the app; nothing \
            has to be repaired as long as no two records have one id (`id-duplicate`).
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard store.settings != nil else { return [] }
        let changes = Dictionary(grouping: try store.historyOfRecords(database).behaviour.identityChanges, by: \.row)
        return try findings(about: changes.keys, in: store, database) { row in
            let words: [Sentence] = (changes[row.row] ?? []).map { change in
                "\(change.field.rawValue)" + (change.time.map { " at \(Timestamp(secondsSince2001: $0))" } ?? "")
            }
            return finding(
                "the app changed \(Phrase.start(of: words, limit: 3)), which never changes", about: row.record,
                in: store, cure: "update the app on this device; nothing can tell meterfix what the value was")
        }
    }
}

/// What the history adds to the dates of a record itself.
extension UpdatedBehind: StoreCheck {
    /// Seconds that may pass between a change and its save.
    private static let savingTime: Double = 60

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard store.settings?.layout.has(.updatedAt) == true else { return [] }
        let unstamped = try store.historyOfRecords(database).behaviour.unstamped
        let others = UpdatedBehind(store)
        return try findings(about: unstamped.keys, in: store, database) { row in
            guard let time = unstamped[row.row], let updated = row.timestamp(.updatedAt),
                time - updated.secondsSince2001 > savingTime
            else { return nil }
            var isKnown = false
            others.visit(row) { _ in isKnown = true }
            guard !isKnown else { return nil }
            return finding(
                "updated \(updated), but the app saved a name or a unit at \(Timestamp(secondsSince2001: time))",
                about: row.record, in: store,
                cure: "where its meter has another record, `meterfix rebuild --keep` keeps the name of this one")
        }
    }
}
