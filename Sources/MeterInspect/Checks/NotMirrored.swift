internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A store that could sync and never did.
struct NotMirrored: StoreCheck {
    static let description = CheckDescription(
        "not-mirrored", .note, "nothing in the store says that CloudKit has anything of it",
        explanation: [
            """
            By what the store says, CloudKit's mirror has exported nothing of it, so the user's other devices know \
            nothing of it. The model can be mirrored. But the mirror has no tables in the store, or they have neither a record \
            nor an export that succeeded.
            """,
            """
            The app was never opened with iCloud on this device: the user is not signed in, or has turned the app's \
            iCloud off. A store that `meterfix import-kv --create` made is such a store too, and so is one that was \
            migrated from schema v1 and not opened since. Or the mirror has started over, as after the user signed out, \
            and has not uploaded since.
            """,
            """
            If the user has one device, nothing needs to be done. Otherwise have the user sign in to iCloud and open the \
            app once, then ask for the store again. No command turns mirroring on: only the app can.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let version = store.schemaVersion, version >= 2 else { return [] }
        let message: String
        if let mirror = store.description.mirror {
            guard try mirror.recordCount(database) == 0, try !mirror.hasExported(database) else { return [] }
            message = "the tables of CloudKit's mirror are there, but they have no record and no export that succeeded"
        } else {
            message = "the store has no tables of CloudKit's mirror"
        }
        return [
            description.finding(
                message,
                cure: "have the user sign in to iCloud and open the app once; without other devices, do nothing")
        ]
    }
}
