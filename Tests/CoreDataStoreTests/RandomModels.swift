import CoreDataStore
import MeterTestSupport

/// Models of a few entities with parents, relationships and constraints, the same ones for the same seed.
enum RandomModels {
    static func model(seed: UInt64) -> ManagedObjectModel {
        var generator = SeededGenerator(seed: seed)
        let names = Array(
            ["Alpha", "Beta", "Delta", "Gamma", "Omega"].prefix(Int.random(in: 1...5, using: &generator)))
        let entities = names.enumerated().map { index, name in
            let parent =
                index > 0 && Bool.random(using: &generator) ? names[..<index].randomElement(using: &generator) : nil
            return entity(name, parent: parent, names: names, using: &generator)
        }
        return ManagedObjectModel(entities: entities, versionIdentifiers: ["\(seed)"])
    }

    private static func entity(
        _ name: String, parent: String?, names: [String], using generator: inout SeededGenerator
    ) -> Entity {
        let types: [AttributeType] = [.string, .integer64, .date, .uuid, .binary, .boolean, .double]
        let attributes = (0..<Int.random(in: 1...4, using: &generator)).map { index in
            var attribute = Attribute(
                "\(name.lowercased())\(index)", types.randomElement(using: &generator) ?? .string,
                isOptional: Bool.random(using: &generator))
            attribute.usesExternalStorage = Int.random(in: 0..<5, using: &generator) == 0
            attribute.traits.isTransient = Int.random(in: 0..<6, using: &generator) == 0
            return attribute
        }
        var entity = Entity(name, superentity: parent, attributes: attributes)
        entity.isAbstract = Int.random(in: 0..<4, using: &generator) == 0
        if Bool.random(using: &generator) {
            entity.relationships = [
                Relationship(
                    "\(name.lowercased())Link", to: names.randomElement(using: &generator) ?? name,
                    maxCount: Bool.random(using: &generator) ? 0 : 1)
            ]
        }
        let plain = attributes.filter { !$0.traits.isTransient }.map(\.name)
        if let first = plain.first, Bool.random(using: &generator) { entity.uniquenessConstraints.append([first]) }
        if plain.count > 1, Bool.random(using: &generator) {
            entity.uniquenessConstraints.append(Array(plain.suffix(2)))
        }
        return entity
    }
}
