internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// No readable metadata dictionary.
struct MetadataMissing: StoreCheck {
    static let description = CheckDescription(
        "metadata-missing", .error, "the store's metadata is missing or cannot be read",
        explanation: [
            """
            Core Data cannot tell which model fits this store and does not open it as it is. Z_METADATA has one row \
            with a property list: the version hashes of the model the store was written with, and the values that the \
            app keeps there. It is missing or cannot be read.
            """,
            """
            Seen in real stores after a tool other than Core Data wrote to them, and after a copy taken while the app \
            was writing.
            """,
            """
            Ask for another copy or for a backup of the device: only they have what the app had kept in the metadata. \
            If there is none, `meterfix migrate --restore-metadata` recreates Core Data's own keys from the model the \
            store carries, or from the app's (`--model`), and keeps the store's identity.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let problem = store.description.metadata.problem else { return [] }
        return [description.finding(problem, cure: cure(of: store, database))]
    }

    /// The command line that restores the metadata, if that is not refused; what to do otherwise.
    static func cure(of store: InspectedStore, _ database: Database) -> String {
        let command = store.command("migrate --restore-metadata")
        guard store.description.metadata.isReplaceable, store.settings != nil else {
            return "ask for the store again, or for a backup of it"
        }
        return store.refusalToMigrate(restoring: true, database) == nil
            ? command : "run `\(command)` with --model and the app's model"
    }
}
