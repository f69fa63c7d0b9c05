internal import Texts

/// Model source to model: elements and attributes as Xcode 15 and 16 write them. The defaults were seen by comparing
/// sources with what Apple's compiler made of them: a missing flag is "NO", a missing `minCount` is 0 (even if the
/// relationship is required), a missing `maxCount` is 0 for `toMany` and 1 otherwise.
struct ModelXML {
    private let root: XMLTree
    /// More than any app has.
    private static let generations = 64

    init(_ root: XMLTree) throws(XMLError) {
        guard root.name == "model" else { throw XMLError("<\(root.name)> where a <model> should be", at: root.offset) }
        self.root = root
    }

    func model() throws(XMLError) -> ManagedObjectModel {
        var entities: [String: Entity] = [:]
        let sources = root.elements.filter { $0.name == "entity" }
        for element in sources {
            let entity = try entity(element)
            guard entities.updateValue(entity, forKey: entity.name) == nil else {
                throw XMLError("a second entity \(entity.name)", at: element.offset)
            }
        }
        for element in sources { try checkAncestors(of: element, in: entities) }
        return ManagedObjectModel(
            entities: Array(entities.values),
            versionIdentifiers: [root.attributes["userDefinedModelVersionIdentifier"] ?? ""])
    }

    /// Of the properties of all entities, and the configurations.
    func details() -> ModelDetails {
        var details = ModelDetails()
        for entity in root.elements where entity.name == "entity" {
            for property in entity.elements {
                let path = ModelDetails.Property(entity.attributes["name"] ?? "", property.attributes["name"] ?? "")
                let defaults = ["defaultValueString", "defaultDateTimeInterval"]
                if property.name == "attribute", defaults.contains(where: { property.attributes[$0] != nil }) {
                    details.defaulted.insert(path)
                }
                if property.name == "relationship", property.attributes["deletionRule"] == "Deny" {
                    details.denying.insert(path)
                }
                let userInfo = property.elements.filter { $0.name == "userInfo" }.flatMap(\.elements)
                if userInfo.contains(where: { $0.attributes["key"] == ModelDetails.externalizedKey }) {
                    details.externalized.insert(path)
                }
                if property.name == "attribute" {
                    details.transformers[path] = property.attributes["valueTransformerName"]
                }
            }
        }
        for configuration in root.elements where configuration.name == "configuration" {
            let members = configuration.elements.filter { $0.name == "memberEntity" }
            details.configurations[configuration.attributes["name"] ?? "", default: []]
                .formUnion(members.compactMap { $0.attributes["name"] })
        }
        return details
    }

    private func checkAncestors(of element: XMLTree, in entities: [String: Entity]) throws(XMLError) {
        let name = element.attributes["name"] ?? ""
        var entity = entities[name]
        var generations = 0
        while let parent = entity?.superentity {
            guard entities[parent] != nil else {
                throw XMLError(
                    "the entity \(entity?.name ?? name) has a parent \(parent) that is not there", at: element.offset)
            }
            generations += 1
            guard generations < Self.generations else {
                throw XMLError("the entity \(name) has too many ancestors, or is its own ancestor", at: element.offset)
            }
            entity = entities[parent]
        }
    }

    private func entity(_ element: XMLTree) throws(XMLError) -> Entity {
        var entity = Entity(try element.required("name"))
        entity.superentity = element.attributes["parentEntity"]
        entity.isAbstract = try element.flag("isAbstract")
        entity.versionHashModifier = element.attributes["versionHashModifier"]
        entity.renamingIdentifier = element.renamingIdentifier
        var names: Set<String> = []
        for child in element.elements {
            switch child.name {
            case "attribute", "relationship":
                let name = try child.required("name")
                guard names.insert(name).inserted else {
                    throw XMLError("a second property \(name) of \(entity.name)", at: child.offset)
                }
                if child.name == "relationship" {
                    entity.relationships.append(try relationship(child, name))
                } else if let attribute = try attribute(child, name) {
                    entity.attributes.append(attribute)
                } else {
                    entity.unreadProperties.insert(name)
                }
            case "uniquenessConstraints":
                for constraint in child.elements where constraint.name == "uniquenessConstraint" {
                    let members = constraint.elements.filter { $0.name == "constraint" }
                    let names = try members.map { member throws(XMLError) in try member.required("value") }
                    entity.uniquenessConstraints.append(names)
                }
            // Queries, indexes and user info: not part of `ManagedObjectModel`.
            default: break
            }
        }
        entity.attributes.sort { $0.name.isBefore(bytesOf: $1.name) }
        entity.relationships.sort { $0.name.isBefore(bytesOf: $1.name) }
        return entity
    }

    private func attribute(_ element: XMLTree, _ name: String) throws(XMLError) -> Attribute? {
        guard let type = AttributeType(named: element.attributes["attributeType"] ?? "Undefined") else { return nil }
        var attribute = Attribute(name, type)
        attribute.traits = try traits(element)
        attribute.usesExternalStorage = try element.flag("allowsExternalBinaryDataStorage")
        attribute.preservesValueAfterDeletion = try element.flag("preserveAfterDeletion")
        attribute.isDerived = try element.flag("derived")
        return attribute
    }

    private func relationship(_ element: XMLTree, _ name: String) throws(XMLError) -> Relationship {
        var relationship = Relationship(name, to: try element.required("destinationEntity"))
        relationship.inverse = element.attributes["inverseName"]
        relationship.traits = try traits(element)
        relationship.isOrdered = try element.flag("ordered")
        relationship.minCount = try element.count("minCount") ?? 0
        let defaultCount: UInt32 = try element.flag("toMany") ? 0 : 1
        relationship.maxCount = try element.count("maxCount") ?? defaultCount
        return relationship
    }

    private func traits(_ element: XMLTree) throws(XMLError) -> PropertyTraits {
        var traits = PropertyTraits(isOptional: try element.flag("optional"))
        traits.isTransient = try element.flag("transient")
        traits.versionHashModifier = element.attributes["versionHashModifier"]
        traits.renamingIdentifier = element.renamingIdentifier
        return traits
    }
}

extension XMLTree {
    fileprivate func required(_ attribute: String) throws(XMLError) -> String {
        guard let value = attributes[attribute], !value.isEmpty else {
            throw XMLError("<\(name)> without \(attribute)", at: offset)
        }
        return value
    }

    /// As Xcode writes it into a source.
    fileprivate var renamingIdentifier: String? {
        let identifier = attributes["elementID"]
        return identifier == attributes["name"] || identifier == "" ? nil : identifier
    }

    fileprivate func flag(_ attribute: String) throws(XMLError) -> Bool {
        switch attributes[attribute] {
        case "YES": return true
        case "NO", nil: return false
        case let value?: throw XMLError("\(attribute) is '\(value.prefix(40))', neither YES nor NO", at: offset)
        }
    }

    fileprivate func count(_ attribute: String) throws(XMLError) -> UInt32? {
        guard let value = attributes[attribute] else { return nil }
        guard let number = UInt32(value) else {
            throw XMLError("\(attribute) is '\(value.prefix(40))', not a count", at: offset)
        }
        return number
    }
}
