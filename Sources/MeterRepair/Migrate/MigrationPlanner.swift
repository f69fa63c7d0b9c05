package import CoreDataStore
package import MeterInspect
package import MeterModel
package import MeterStore

/// Brings a store to the latest version of the app's model, or to the model the user names, in place: no row is touched.
package struct MigrationPlanner: Planner {
    package let command = WritingCommand.migrate
    package let changesRecords = false
    /// The app's own model; nil to go by the migrations meterfix knows.
    let model: ModelFile?
    /// Restore the metadata if it is lost.
    let restoresMetadata: Bool

    package init(model: ModelFile? = nil, restoresMetadata: Bool = false) {
        self.model = model
        self.restoresMetadata = restoresMetadata
    }

    package var options: [PlanOption] {
        (model.map { [PlanOption(key: "model", value: $0.version ?? $0.path)] } ?? [])
            + (restoresMetadata ? [PlanOption(key: "restoreMetadata", value: "true")] : [])
    }

    package struct Evidence {
        /// The bytes of `Z_MODELCACHE`.
        let cache: [UInt8]
        let missing: MissingValues
        /// What `PRAGMA auto_vacuum` answers.
        let autoVacuum: Int64
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        var autoVacuum: Int64 = 0
        try source.database.forEachRow("PRAGMA auto_vacuum") { autoVacuum = $0.integer(0) }
        // No migration that meterfix knows requires more than the version before it.
        let models = [store.description.model, model?.model].compactMap(\.self)
        return Evidence(
            cache: try StoredModel.content(source.database, schema: store.description.schema),
            missing: try MissingValues(for: models, in: store, source.database), autoVacuum: autoVacuum)
    }

    package func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence) throws -> Plan {
        let noted = try notedHashes(store)
        let target =
            try model.map { try AppModelTarget(store, settings, $0, noted: noted, missing: evidence.missing).target() }
            ?? OwnModelTarget(store, settings, noted: noted, cache: evidence.cache).target()
        var changes = target.droppedIndexes.map {
            Change.schema(.dropIndex(name: $0.name.text, table: $0.table.text, sql: $0.sql))
        }
        if let model = target.model {
            changes += try MissingTables.changes(for: model, in: store).map(Change.schema)
        }
        changes += target.addedColumns.map(Change.schema)
        if let cache = target.cache { changes.append(.schema(.modelCache(content: cache))) }
        changes += metadataChanges(for: target, in: store, evidence).map(Change.metadata)
        let groups = store.addresses.groups
        var plan = Plan(
            changes: changes, conflicts: [], summary: Summary(records: store.addresses.records, groups: groups),
            cloud: CloudCost(updates: 0, deletes: 0, recreateDeletes: 0, recreateInserts: 0))
        plan.notes = target.notes + notes(for: target, in: store, duplicates: groups, evidence)
        return plan
    }

    /// Nil where they are lost and to be restored.
    private func notedHashes(_ store: InspectedStore) throws(StoreError) -> [String: [UInt8]]? {
        let metadata = store.description.metadata
        if let hashes = metadata.versionHashes { return hashes }
        let problem = metadata.problem ?? "it has no version hashes"
        guard restoresMetadata else { throw Refusal.metadataLost(problem, in: store) }
        guard metadata.isReplaceable else { throw Refusal.metadataBeyondRepair(problem, in: store) }
        return nil
    }

    private func metadataChanges(
        for target: MigrationTarget, in store: InspectedStore, _ evidence: Evidence
    ) -> [MetadataChange] {
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
        return changes
            + LostMetadata.changes(in: store, identifiers: identifiers, autoVacuum: evidence.autoVacuum)
    }

    private func notes(
        for target: MigrationTarget, in store: InspectedStore, duplicates: Int, _ evidence: Evidence
    ) -> [String] {
        var notes: [String] = []
        if let before = store.description.model, let after = target.model {
            notes += ModelDifference(from: before, to: after).items.map { "the model changes: \($0.description)" }
        }
        for model in [store.description.model, target.model].compactMap(\.self) {
            for sentence in evidence.missing.sentences(for: model) where !notes.contains(sentence) {
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
            notes.append("what the app itself had noted in the metadata is lost and cannot be restored")
        }
        return notes
    }
}
