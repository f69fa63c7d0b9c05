package import CoreDataStore
internal import MeterStore

extension InspectedStore {
    /// The version of the app's model that the store is of; nil without `DeviceSettings`, and for a later version than
    /// meterfix knows.
    package var schemaVersion: Int? { settings == nil || laterVersion != nil ? nil : shownVersion }

    /// That of the last migration of which the store has everything that shows, with all before it.
    private var shownVersion: Int {
        migrations.prefix { migration in
            migration.revisions.allSatisfy { isDone($0) != false && !isConstrained(despite: $0) }
        }.last?.to ?? migrations.first?.from ?? 1
    }

    /// The name of a version of the app's model, such as `USB_Meter 7`, that is later than all that meterfix knows; nil where
    /// the store bears none.
    var laterVersion: String? {
        description.metadata.modelIdentifiers.first { identifier in
            USBMeterModel.version(of: identifier).map { $0 > migrations.latestVersion } ?? false
        }
    }

    /// Why no record is changed in a store of an unknown model: it carries none that can be read, and its version hash is not
    /// the one of its columns in any version of the app. Without a hash there is nothing to compare, which is a finding.
    package var refusalOfUnknownModel: StoreError? {
        guard let settings, description.model == nil, let noted = description.metadata.versionHashes,
            ModelVersions(byColumnsOf: settings, noted, migrations) == nil
        else { return nil }
        return Refusal.unknownModel(in: self)
    }

    /// Whether tables and indexes are as the revision leaves them; nil where they do not show it.
    func isDone(_ revision: ModelRevision) -> Bool? {
        guard let key = description.keys[revision.entity],
            let table = description.schema.tables[description.keys.table(of: key)]
        else { return false }
        switch revision {
        case .dropUniquenessConstraint(_, let attributes):
            return description.schema.uniqueIndexes(of: table.name, over: attributes.map(SettingsTable.column)).isEmpty
        // Core Data asks for a value; the column does not.
        case .makeOptional: return nil
        case .addAttribute(_, let attribute): return table.has(SettingsTable.column(attribute.name))
        }
    }

    /// Whether the store's model has a constraint that the revision takes away.
    private func isConstrained(despite revision: ModelRevision) -> Bool {
        guard case .dropUniquenessConstraint(let entity, let attributes) = revision else { return false }
        return description.model?[entity: entity]?.hasConstraint(over: attributes) ?? false
    }
}
