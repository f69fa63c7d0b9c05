package import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Brings a store to the latest version of the app's model, or to the model the user names, in place: no row is touched.
package struct MigrationPlanner: Planner {
    let command = WritingCommand.migrate
    let changesRecords = false
    /// The app's own model; nil to go by the migrations meterfix knows.
    let model: ModelFile?
    /// Make the metadata anew where it is lost.
    let restoresMetadata: Bool

    package init(model: ModelFile? = nil, restoresMetadata: Bool = false) {
        self.model = model
        self.restoresMetadata = restoresMetadata
    }

    var options: [PlanOption] {
        (model.map { [PlanOption(key: "model", value: $0.version ?? $0.path)] } ?? [])
            + (restoresMetadata ? [PlanOption(key: "restoreMetadata", value: "true")] : [])
    }

    func plan(for store: InspectedStore, _ database: Database) throws -> Plan {
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        let noted = try notedHashes(store)
        let target =
            try model.map { try AppModelTarget(store, settings, $0, noted: noted).target(database) }
            ?? OwnModelTarget(store, settings, noted: noted).target(database)
        var changes = target.droppedIndexes.map {
            Change.schema(.dropIndex(name: $0.name.text, table: $0.table.text, sql: $0.sql))
        }
        if let model = target.model {
            changes += try MissingTables.changes(for: model, in: store).map(Change.schema)
        }
        changes += target.addedAttributes.compactMap { addition(of: $0, in: store) }.map(Change.schema)
        if let cache = target.cache { changes.append(.schema(.modelCache(content: cache))) }
        changes += try metadataChanges(for: target, in: store, database).map(Change.metadata)
        let groups = store.addresses.groups
        var plan = Plan(
            changes: changes, conflicts: [], summary: Summary(records: store.addresses.records, groups: groups),
            cloud: CloudCost(updates: 0, deletes: 0, recreateDeletes: 0, recreateInserts: 0))
        plan.notes = try target.notes + notes(for: target, in: store, duplicates: groups, database)
        return plan
    }

    private func addition(of added: MigrationTarget.AddedAttribute, in store: InspectedStore) -> SchemaChange? {
        guard let key = store.description.keys[added.entity], let type = added.attribute.type.declaredType else {
            return nil
        }
        return .addColumn(
            table: store.description.keys.table(of: key).text, column: SettingsTable.column(added.attribute.name).text,
            declaredType: type)
    }

    /// Nil where they are lost and to be made anew.
    private func notedHashes(_ store: InspectedStore) throws(StoreError) -> [String: [UInt8]]? {
        let metadata = store.description.metadata
        if let hashes = metadata.versionHashes { return hashes }
        let problem = metadata.problem ?? "it has no version hashes"
        guard restoresMetadata else { throw Refusal.metadataLost(problem, in: store) }
        guard metadata.isReplaceable else { throw Refusal.metadataBeyondRepair(problem, in: store) }
        return nil
    }

    private func metadataChanges(
        for target: MigrationTarget, in store: InspectedStore, _ database: Database
    ) throws -> [MetadataChange] {
        let metadata = store.description.metadata
        let known = metadata.dictionary ?? [:]
        let isLost = metadata.versionHashes == nil
        var values: [(key: String, value: MetadataChange.Value)] = [
            ("NSStoreModelVersionHashes", .hashes(target.hashes))
        ]
        // Older systems do not write these two; what was not there is not added.
        if isLost || metadata.versionHashesDigest != nil {
            values.append(("NSStoreModelVersionHashesDigest", .text(VersionHashes.digest(of: target.hashes))))
        }
        if isLost || metadata.versionChecksum != nil {
            values.append(("NSStoreModelVersionChecksumKey", .text(VersionHashes.checksum(of: target.hashes))))
        }
        if !isLost, let identifiers = target.identifiers, known["NSStoreModelVersionIdentifiers"] != nil {
            values.append(("NSStoreModelVersionIdentifiers", .texts(identifiers)))
        }
        let changes = values.filter { known[$0.key] != $0.value.propertyList }.map { key, value in
            MetadataChange(key: key, before: MetadataChange.Value(known[key]), after: value)
        }
        guard restoresMetadata else { return changes }
        let identifiers = target.identifiers ?? target.model?.versionIdentifiers ?? []
        return try changes + LostMetadata.changes(in: store, identifiers: identifiers, database)
    }

    private func notes(
        for target: MigrationTarget, in store: InspectedStore, duplicates: Int, _ database: Database
    ) throws -> [String] {
        var notes: [String] = []
        if let before = store.description.model, let after = target.model {
            notes += ModelDifference(from: before, to: after).items.map { "the model changes: \($0.description)" }
        }
        for model in [store.description.model, target.model].compactMap(\.self) {
            for sentence in try RequiredValues.missing(for: model, in: store, database) where !notes.contains(sentence)
            {
                notes.append(sentence)
            }
        }
        if duplicates > 0 {
            notes.append(
                "\(Phrase.count(duplicates, "meter")) \(duplicates == 1 ? "has" : "have") several records, which schema "
                    + "v\(store.migrations.latestVersion) allows and the app does not; next: \(store.command("rebuild"))"
            )
        }
        if store.description.metadata.dictionary == nil {
            notes.append("what the app itself had noted in the metadata is lost and cannot be made anew")
        }
        return notes
    }
}
