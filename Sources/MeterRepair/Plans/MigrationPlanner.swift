package import CoreDataStore
package import MeterInspect
package import MeterModel
internal import MeterStore

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

    /// What the file has, beside what is known of the store.
    private struct Evidence {
        /// The bytes of `Z_MODELCACHE`.
        let cache: [UInt8]
        let missing: MissingValues
        /// What `PRAGMA auto_vacuum` answers.
        let autoVacuum: Int64
    }

    private func evidence(in session: MeterSession) throws -> Evidence {
        // No migration that meterfix knows requires more than the version before it.
        let models = [session.description.model, model?.model].compactMap(\.self)
        return Evidence(
            cache: try StoredModel.content(session.database, schema: session.description.schema),
            missing: try MissingValues(for: models, in: session.base),
            autoVacuum: try session.database.integer(of: "PRAGMA auto_vacuum"))
    }

    package func plan(in session: MeterSession) throws -> Plan {
        var plan = try migration(in: session)
        let (store, groups) = (session.store, plan.size.groups)
        if groups > 0 {
            plan.notes.append(
                "\(Phrase.count(groups, "meter")) \(groups == 1 ? "has" : "have") several records, which schema "
                    + "v\(store.migrations.latestVersion) allows and the app does not; next: \(store.command("rebuild").description)"
            )
        }
        return plan
    }

    /// Without what is left to do afterwards.
    func migration(in session: MeterSession) throws -> Plan {
        let store = session.store
        let evidence = try evidence(in: session)
        let noted = try store.notedHashes(orRestoring: restoresMetadata)
        let target =
            try model.map { try AppModelTarget(session, $0, noted: noted, missing: evidence.missing).target() }
            ?? OwnModelTarget(session, noted: noted, cache: evidence.cache).target()
        var schema = target.droppedIndexes.map {
            SchemaChange.dropIndex(name: $0.name.text, table: $0.table.text, sql: $0.sql)
        }
        if let model = target.model { schema += try store.additions(for: model) }
        schema += target.addedColumns
        if let cache = target.cache { schema.append(.modelCache(content: cache)) }
        var metadata = metadataChanges(for: target, in: store, evidence)
        if let marker = zoneFetchMarker(for: target, in: store, schema) { metadata.append(marker) }
        return Plan(
            schema: schema, metadata: metadata, notes: target.notes + notes(for: target, in: store, evidence),
            // No record is written.
            of: StoreSize(records: store.addresses.records, groups: store.addresses.groups, mirrored: 0))
    }

    /// What tells of the model, and Core Data's own keys where they were lost. (`Z_UUID` has a column of its own and stays.)
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
            values.append(("NSStoreModelVersionHashesDigest", .text(target.hashes.versionHashesDigest)))
        }
        if isLost || metadata.versionChecksum != nil {
            values.append(("NSStoreModelVersionChecksumKey", .text(target.hashes.versionChecksum)))
        }
        if !isLost, let identifiers = target.identifiers, known["NSStoreModelVersionIdentifiers"] != nil {
            values.append(("NSStoreModelVersionIdentifiers", .texts(identifiers)))
        }
        let changes = values.filter { known[$0.key] != $0.value.propertyList }.map { key, value in
            MetadataChange(key: key, before: MetadataChange.Value(known[key]), after: value)
        }
        guard restoresMetadata else { return changes }
        let lost: [(key: String, value: MetadataChange.Value)] = [
            ("NSStoreModelVersionHashesVersion", .number(3)),
            ("NSStoreModelVersionIdentifiers", .texts(target.identifiers ?? target.model?.versionIdentifiers ?? [])),
            ("NSStoreType", .text("SQLite")),
            ("_NSAutoVacuumLevel", .text("\(evidence.autoVacuum)")),
            // Which version wrote the store last is lost; Core Data puts its own in its place.
            ("NSPersistenceFrameworkVersion", .number(StoreOptions(storeUUID: "").frameworkVersion)),
        ]
        return changes
            + lost.filter { known[$0.key] == nil }.map { MetadataChange(key: $0.key, before: nil, after: $0.value) }
    }

    /// Nil where the mirror can have missed nothing.
    private func zoneFetchMarker(
        for target: MigrationTarget, in store: InspectedStore, _ changes: [SchemaChange]
    ) -> MetadataChange? {
        let known = store.description.metadata.dictionary ?? [:]
        guard store.description.mirror != nil, known[ZoneFetchMarker.key] == nil else { return nil }
        let addsColumns = changes.contains(where: \.addsValues)
        // Where a migration stopped half-way, the columns may be there already.
        let difference = store.description.model.flatMap { before in
            target.model.map { ModelDifference(from: before, to: $0) }
        }
        guard addsColumns || difference?.items.contains(where: \.addsValues) ?? false else { return nil }
        return MetadataChange(key: ZoneFetchMarker.key, before: nil, after: .flag(true))
    }

    private func notes(
        for target: MigrationTarget, in store: InspectedStore, _ evidence: Evidence
    ) -> [Sentence] {
        var notes: [Sentence] = []
        if let before = store.description.model, let after = target.model {
            notes += ModelDifference(from: before, to: after).items.map { "the model changes: \($0.description)" }
        }
        for model in [store.description.model, target.model].compactMap(\.self) {
            for sentence in evidence.missing.sentences(for: model) where !notes.contains(sentence) {
                notes.append(sentence)
            }
        }
        if store.description.metadata.dictionary == nil {
            notes.append("what the app itself had noted in the metadata is lost and cannot be restored")
        }
        return notes
    }
}

extension SchemaChange {
    /// Whether there is a place for values afterwards that was not there before.
    fileprivate var addsValues: Bool {
        switch self {
        case .addColumn, .createTable, .addEntity: true
        case .dropIndex, .dropForeign, .createIndex, .remakeIndex, .modelCache, .lastRow, .entityNumber: false
        }
    }
}
