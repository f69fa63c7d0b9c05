internal import CoreDataStore
internal import MeterModel
internal import MeterStore

/// A store's model as it is in each version of the app: of one version by what the store says, of the others by the
/// migrations that lead there and back. Two apps' models differ in other ways too, but not by these migrations.
struct ModelVersions {
    struct Version {
        let number: Int
        let model: ManagedObjectModel
    }

    /// Oldest first.
    let versions: [Version]
    private let migrations: [Migration]

    /// Nil where a migration is about something the model does not have.
    init?(_ model: ManagedObjectModel, _ migrations: [Migration]) {
        guard let first = migrations.first else { return nil }
        var oldest = model
        for revision in migrations.flatMap(\.revisions).reversed() {
            guard let reverted = revision.reverted(in: oldest) else { return nil }
            oldest = reverted
        }
        var versions = [Version(number: first.from, model: oldest)]
        for migration in migrations {
            guard let revised = try? versions[versions.count - 1].model.revised(migration.revisions) else { return nil }
            versions.append(Version(number: migration.to, model: revised))
        }
        self.versions = versions
        self.migrations = migrations
    }

    /// Of a store without a model of its own: the columns give one, and if it has the noted hash in one of its versions it
    /// is the right one. Nil where it has not.
    init?(byColumnsOf settings: SettingsTable, _ noted: [String: [UInt8]], _ migrations: [Migration]) {
        // A column tells neither the case of its attribute's name nor all of its type; a migration does.
        var added: [SQLName: Attribute] = [:]
        for case .addAttribute(SettingsTable.entityName, let attribute) in migrations.flatMap(\.revisions) {
            added[SettingsTable.column(attribute.name)] = attribute
        }
        let attributes = zip(settings.layout.fields, settings.columns).map { field, column in
            if let attribute = added[column] { return attribute }
            let declared = settings.table.columns.first { $0.name == column }?.declaredType
            // The blobs of lock and discovery are kept as text or as its bytes.
            return Attribute(
                field.name, field.kind == .text && declared == "BLOB" ? .binary : AttributeType(field.kind))
        }
        self.init(ManagedObjectModel(entities: [Entity(SettingsTable.entityName, attributes: attributes)]), migrations)
        guard version(byHashIn: noted) != nil else { return nil }
    }

    /// The newest version whose `DeviceSettings` has the noted hash.
    func version(byHashIn noted: [String: [UInt8]]) -> Int? {
        let name = SettingsTable.entityName
        return versions.last { $0.model.versionHashes()[name] == noted[name] }?.number
    }

    var latest: Version { versions[versions.count - 1] }

    /// The newest version that this model is; nil where it is none of them.
    func version(of model: ManagedObjectModel) -> Int? { versions.last { $0.model == model }?.number }

    /// The newest version that has these hashes, as far as they can be computed.
    func version(of hashes: [String: [UInt8]]) -> Int? {
        versions.last { HashComparison(of: $0.model, with: hashes).differing.isEmpty }?.number
    }

    /// What turns the model of `version` into the latest.
    func revisions(since version: Int) -> [ModelRevision] {
        migrations.filter { $0.from >= version }.flatMap(\.revisions)
    }
}

extension ModelRevision {
    /// The model without this revision.
    func reverted(in model: ManagedObjectModel) -> ManagedObjectModel? {
        switch self {
        case .dropUniquenessConstraint(let entity, let attributes):
            model.editing(entity) { edited in
                if !edited.uniquenessConstraints.contains(attributes) {
                    edited.uniquenessConstraints.append(attributes)
                }
            }
        case .makeOptional(let entity, let attribute): model.editing(entity, attribute) { $0.traits.isOptional = false }
        case .addAttribute(let entity, let attribute):
            model.editing(entity) { edited in edited.attributes.removeAll { $0.name == attribute.name } }
        }
    }
}

extension ManagedObjectModel {
    fileprivate func editing(_ name: String, _ edit: (inout Entity) -> Void) -> ManagedObjectModel? {
        guard var entity = self[entity: name] else { return nil }
        edit(&entity)
        return ManagedObjectModel(
            entities: entities.filter { $0.name != name } + [entity], versionIdentifiers: versionIdentifiers)
    }

    fileprivate func editing(
        _ name: String, _ attribute: String, _ edit: (inout Attribute) -> Void
    ) -> ManagedObjectModel? {
        guard let index = self[entity: name]?.attributes.firstIndex(where: { $0.name == attribute }) else {
            return nil
        }
        return editing(name) { edit(&$0.attributes[index]) }
    }
}

extension AttributeType {
    /// The type that the app's models have for a kind of value.
    fileprivate init(_ kind: FieldKind) {
        switch kind {
        case .text: self = .string
        case .date: self = .date
        case .uuid: self = .uuid
        case .binary: self = .binary
        case .integer: self = .integer64
        case .real: self = .double
        case .boolean: self = .boolean
        }
    }
}
