internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// No readable metadata dictionary.
struct MetadataMissing: StoreCheck {
    static let description = CheckDescription(
        "metadata-missing", .error, "the store's metadata is missing or cannot be read",
        explanation: [
            """
            Z_METADATA has one row with a property list: the version hashes of the model the store was written with, \
            and the marks the app leaves in it. Without it Core Data cannot tell which model fits and does not open \
            the store as what it is.
            """,
            """
            Seen in real stores after a tool other than Core Data wrote to them, and after a copy taken while the app \
            was writing.
            """,
            """
            Ask for another copy or for a backup of the device. The records are still there and can be read; what is \
            lost is the metadata, and it should come from a copy of the same store.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let problem = store.description.metadata.problem else { return [] }
        return [description.finding(problem, cure: "ask for the store again, or for a backup of it")]
    }
}
