internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore
internal import Texts

extension Check {
    package static let metadataMissing = store(
        "metadata-missing", .error, "the store's metadata is missing or cannot be read",
        """
        Core Data cannot tell which model fits this store and does not open it. Z_METADATA has one row with a property \
        list: the version hashes of the model the store was written with, and the values that the app keeps there. \
        This row is missing or cannot be read.

        Seen in real stores after a tool other than Core Data wrote to them, and after a copy taken while the app was \
        writing.

        Ask for another copy or for a backup of the device: only they have the values that the app kept in the \
        metadata. If there is no other copy, `meterfix migrate --restore-metadata` recreates Core Data's own keys from \
        the model the store carries, or from the app's (`--model`), and keeps the store's identity. It refuses a \
        property list that is there and cannot be read as a whole: keys of the app may still be in it.
        """
    ) { check, session in
        guard let problem = session.description.metadata.problem else { return [] }
        return [check.finding(Sentence(problem), cure: restoration(in: session))]
    }

    /// The command line that restores the metadata, if that is not refused; what to do otherwise.
    private static func restoration(in session: Session) -> Cure {
        let command = session.store.command("migrate --restore-metadata")
        guard session.description.metadata.isReplaceable, session.settings != nil else {
            return "ask for the store again, or for a backup of it"
        }
        return session.refusalToMigrate(restoring: true) == nil
            ? .command(command) : .question("add --model with the app's model", then: command)
    }

    package static let modelHashMismatch = store(
        "model-hash-mismatch", .error, "the cached model's version hashes are not the ones in the metadata",
        """
        The store's cached model and its version hashes belong to different models. A store carries its model \
        (Z_MODELCACHE) and, in its metadata, one hash for each entity of the model. Core Data relies on the hashes: it \
        opens the store only with a model that has them. Here the hashes computed from the cached model are different. \
        Entities with derived or composite attributes cannot be recomputed and are left out.

        This comes from tools that changed the schema, from an interrupted migration, and from tables of two stores \
        put together.

        If the two are different versions of the app's model, a migration stopped half-way, and `meterfix migrate` \
        completes it. Otherwise do not change the store before the app's developers have seen it: the columns of the \
        tables show which of the two is right. An earlier copy is better.
        """
    ) { check, session in
        let metadata = session.description.metadata
        guard case .model(let model, _, let computed) = session.description.storedModel, metadata.dictionary != nil
        else {
            return []
        }
        guard let stored = metadata.versionHashes else {
            return [check.finding("the metadata has no version hashes", cure: restoration(in: session))]
        }
        var findings: [Finding] = []
        // Two versions of the app's model: `migrate` can repair that.
        lazy var canMigrate = session.refusalToMigrate() == nil
        func finding(_ message: Sentence, _ entity: String?) -> Finding {
            check.finding(
                message, entity: entity, cure: canMigrate ? .command(session.store.command("migrate")) : showIt)
        }
        for entity in model.entities {
            guard let hash = stored[entity.name] else {
                findings.append(finding("\(entity.name) is in the cached model but has no stored hash", entity.name))
                continue
            }
            guard let expected = computed[entity.name], expected != hash else { continue }
            findings.append(
                finding(
                    "the stored hash of \(entity.name) is \(start(of: hash)), by the cached model it is "
                        + "\(start(of: expected))",
                    entity.name))
        }
        let strangers = stored.keys.filter { model[entity: $0] == nil }
        for name in strangers.sorted(byBytesOf: \.self) {
            findings.append(finding("\(name) has a stored hash but is not in the cached model", name))
        }
        guard findings.isEmpty, computed.count == model.entities.count else { return findings }
        if let digest = metadata.versionHashesDigest, digest != computed.versionHashesDigest {
            findings.append(finding("the digest of the version hashes is not the one of the cached model", nil))
        }
        if let checksum = metadata.versionChecksum, checksum != computed.versionChecksum {
            findings.append(finding("the checksum of the version hashes is not the one of the cached model", nil))
        }
        return findings
    }

    private static let showIt: Cure = "show the store to the app's developers before changing it"

    /// Enough of a hash to recognise it, in hex.
    private static func start(of hash: [UInt8]) -> String {
        guard !hash.isEmpty else { return "empty" }
        return Hexadecimal.text(of: Array(hash.prefix(6))) + "…"
    }

    static let modelCacheMissing = store(
        "model-cache-missing", .note, "the store has no readable copy of its model",
        """
        meterfix relies on the columns of the tables, because the store does not say which model it has. Core Data \
        keeps the model a store was written with in Z_MODELCACHE. Very old stores have no such copy. The app does not \
        need it, because it contains the models itself.

        Names and types then come from the tables, version hashes cannot be checked, and a constraint shows only in \
        its index.

        Nothing needs to be done. The app writes the model again when it migrates the store.
        """
    ) { check, session in
        switch session.description.storedModel {
        case .model: []
        case .absent: [check.finding("the store has no cached model", cure: modelOfTheApp)]
        case .unreadable(let reason):
            [check.finding("the cached model cannot be used: \(reason)", cure: modelOfTheApp)]
        }
    }

    private static let modelOfTheApp: Cure =
        "do nothing: the app has a model of its own, and writes it again when it migrates the store"

    package static let uniquenessConstraint = store(
        "uniqueness-constraint", .error,
        "this store does not sync, because CloudKit does not allow the unique macAddress of schema v1",
        """
        As long as the store has the constraint, none of its changes reach the user's other devices, and theirs do not \
        reach it. Model v1 (USB_Meter) made macAddress unique, and CloudKit mirroring refuses a model with such a \
        constraint (error 134060). It never prevented duplicates whose addresses are written differently, either.

        The store was last written by an app version before model v2 (USB_Meter 2), or its migration did not finish.

        Open the store once in the current app, or run `meterfix migrate --dry-run` and then `meterfix migrate`. \
        Rebuild afterwards if there are duplicates.
        """
    ) { check, session in
        guard let settings = session.settings, settings.isAddressUnique else { return [] }
        let indexes = settings.constraintIndexes.map(\.name.text).sorted()
        var places: [String] = []
        if !indexes.isEmpty {
            places.append("the unique \(indexes.count == 1 ? "index" : "indexes") \(Phrase.list(indexes))")
        }
        let entity = session.description.model?[entity: SettingsTable.entityName]
        if entity?.hasConstraint(over: [SettingsField.macAddress.rawValue]) ?? false {
            places.append("the constraint of the cached model")
        }
        let refusal = session.refusalToMigrate()
        let advice = refusal?.hint.map(Sentence.init(marked:)) ?? "show the store to the app's developers"
        return [
            check.finding(
                "macAddress must be unique, by \(Phrase.list(places))", entity: SettingsTable.entityName,
                cure: refusal == nil ? .command(session.store.command("migrate")) : .advice(advice))
        ]
    }

    package static let columnMissing = store(
        "column-missing", .error, "the model has an attribute whose column the table lacks",
        """
        The app opens this store, fails at its first fetch, and may consider it damaged and delete it. The version \
        hashes in the metadata are those of the store's model, so Core Data opens the store without a migration. But a \
        table lacks the column of an attribute: the app's first fetch of that entity fails with "no such column", and \
        it may consider the store damaged and delete it.

        This comes from a manual migration, or from metadata copied from another store.

        Use an earlier copy, which has what was in the column. If there is none, `meterfix migrate` adds the column of a \
        record again, empty; otherwise show the store to the app's developers.
        """
    ) { check, session in
        let (keys, schema) = (session.description.keys, session.description.schema)
        let ofMirror = CloudKitMirror.unreadable(in: schema).map { table, column in
            check.finding(
                "\(table) has no column \(column), so what CloudKit's mirror knows and is about to send cannot be told",
                cure: "use an earlier copy, or show the store to the app's developers")
        }
        let matching = session.description.hashComparison?.matching ?? []
        let ofModel = matching.compactMap { name -> Finding? in
            guard let model = session.description.model, let entity = model[entity: name], let entry = keys[name],
                let table = schema.tables[keys.table(of: entry)]
            else { return nil }
            let missing = model.allAttributes(of: entity)
                .filter { !$0.traits.isTransient && !table.has($0.column) }.map(\.name)
            guard !missing.isEmpty else { return nil }
            return check.finding(
                "\(table.name) has no column for \(Phrase.list(missing)) of \(name), which the store's model has",
                entity: name,
                cure: name == SettingsTable.entityName
                    ? session.store.repair(
                        "migrate", changingRecords: false,
                        after: "use an earlier copy, which has its values; if there is none, an empty one is added by")
                    : "use an earlier copy, or show the store to the app's developers")
        }
        return [ofMirror].compactMap(\.self) + ofModel
    }

    package static let noDeviceSettings = store(
        "no-device-settings", .note, "the store has no DeviceSettings",
        """
        The store has no entity DeviceSettings, or no table with macAddress for it. Only the checks that do not need \
        it have run, and no command can repair anything here.

        Most likely it is the store of another app, or another store of the same app.

        Where meters are expected, ask for USB Meter's store, CKModel.sqlite. Where the store knows the entity and \
        lacks only its table or a column that every record needs, that is an error, and the finding says what there is \
        instead. `meterfix recover` finds what the file still has of the records; a backup has them all.
        """
    ) { check, session in
        guard session.settings == nil else { return [] }
        let name = SettingsTable.entityName
        guard session.description.keys[name] != nil else {
            guard let rows = try session.recordsWithoutEntity() else {
                return [check.finding("the store has no entity \(name)", cure: otherStore)]
            }
            return [
                check.finding(
                    "\(Phrase.count(rows, "record")) of \(name) in its table, and Z_PRIMARYKEY does not list the entity: the "
                        + "app cannot open such a store, and it is not another app's", severity: .error,
                    cure: "use a backup or an earlier copy, or show the store to the app's developers")
            ]
        }
        guard let problem = try SettingsTable.problem(in: session.description, session.database) else { return [] }
        return [
            check.finding(
                "the store has the entity \(name), but \(problem)", severity: .error,
                cure: .advice(
                    "use a backup or an earlier copy; what the file still has of the records, "
                        + "\(StoreCommand("recover", stores: [session.store.path, "recovered.sqlite"])) saves"))
        ]
    }

    private static let otherStore: Cure =
        "if it is another app's store, do nothing; if it should have meters, use an earlier copy"
}

extension Session {
    /// How many rows the table of the meters has where Z_PRIMARYKEY does not list their entity; nil where there is no table.
    /// - Throws: SQLite's errors.
    fileprivate func recordsWithoutEntity() throws -> Int? {
        let table = SettingsTable.column(SettingsTable.entityName)
        guard description.schema.tables[table] != nil else { return nil }
        return try database.rowCounts(of: [table])[table]
    }
}
