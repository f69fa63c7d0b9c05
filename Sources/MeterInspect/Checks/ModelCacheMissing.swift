internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A store without a model of its own.
struct ModelCacheMissing: StoreCheck {
    static let description = CheckDescription(
        "model-cache-missing", .note, "the store has no readable copy of its model",
        explanation: [
            """
            meterfix goes by the columns of the tables, because the store does not say which model it has. Core Data \
            keeps the model a store was written with in Z_MODELCACHE. Very old stores have none. The app does not need \
            it: it has models of its own.
            """,
            """
            Names and types then come from the tables, version hashes cannot be checked, and only its index reveals a \
            constraint.
            """,
            "Nothing needs to be done. The app writes the model again when it migrates the store.",
        ])

    private static let cure =
        "do nothing: the app has a model of its own, and writes it again when it migrates the store"

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        switch store.description.storedModel {
        case .model: []
        case .absent: [description.finding("the store has no cached model", cure: cure)]
        case .unreadable(let reason):
            [description.finding("the cached model cannot be used: \(reason)", cure: cure)]
        }
    }
}
