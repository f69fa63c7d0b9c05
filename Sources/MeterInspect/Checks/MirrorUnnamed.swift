internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Objects that CloudKit does not have, although nothing of them waits.
struct MirrorUnnamed: StoreCheck {
    static let description = CheckDescription(
        "mirror-unnamed", .warning, "CloudKit record metadata without a record name or zone, and nothing waits",
        explanation: [
            """
            The mirror takes these objects for uploaded, but they are on no other device. The mirror gives an object a \
            record name and a zone when it first uploads it. This object has record metadata without one of them, it \
            is not marked for upload, and no change of it is left to read in the history: the mirror takes it for \
            done.
            """,
            "This comes from an export that was cut off, or from record metadata that somebody edited.",
            "The next change of the object in the app, or by `meterfix set`, uploads it.",
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        let unnamed = try mirror.unnamed(in: store.description, database)
        return Dictionary(grouping: unnamed, by: \.entityNumber).sorted { $0.key < $1.key }.map { number, objects in
            let entity = store.entityName(number)
            return description.finding(
                "\(Phrase.count(objects.count, "object")) of \(entity) without a CloudKit record name or zone, and "
                    + "nothing of \(objects.count == 1 ? "it" : "them") waits for upload",
                entity: entity, rows: objects.map(\.row), cure: "change the record in the app: that uploads it")
        }
    }
}
