import CoreDataStore
import Foundation

/// The entities, with the first objects of each.
func printEntities(of store: StoreSnapshot) throws(StoreError) {
    for name in store.entityNames {
        print("\n\(name): \(try store.count(of: name)) objects, version hash \(hash(store.versionHashes[name]))")
        guard let model = store.model, let entity = model.entities.first(where: { $0.name == name }) else { continue }
        if let parent = entity.superentity { print("  a kind of \(parent)") }
        printProperties(of: entity, in: model)
        try store.forEachObject(of: name, limit: 2) { object in
            print("  \(object.entity) \(object.number)")
            for (key, value) in object.values.sorted(by: { $0.key < $1.key }) { print("    \(key) = \(text(value))") }
        }
    }
}

private func printProperties(of entity: Entity, in model: ManagedObjectModel) {
    for attribute in model.allAttributes(of: entity) { print("  \(attribute.name): \(attribute.typeName)") }
    for composite in model.allComposites(of: entity) {
        let elements = composite.leaves.map { "\($0.keyPath): \($0.attribute.typeName)" }
        print("  \(composite.name): \(elements.joined(separator: ", "))")
    }
    for relationship in model.allRelationships(of: entity) {
        print("  \(relationship.name): to \(relationship.isToMany ? "many" : "one") \(relationship.destination)")
    }
}

private func hash(_ bytes: [UInt8]?) -> String {
    bytes.map { $0.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "…" } ?? "unknown"
}

/// Whether Core Data would open the store with the model in a file.
func printFit(of file: ModelFile, for store: StoreSnapshot) {
    let fit = store.fit(of: file.model)
    print("\nmodel \(file.version ?? "without a name")")
    print("  the same: \(fit.matching.count) entities")
    for name in fit.differing { print("  differs: \(name)") }
    for name in fit.unknown { print("  cannot be compared: \(name)") }
}
