internal import CoreDataStore
internal import GRDB
internal import MeterModel

extension Check {
    static let mirrorUnknownEntity = store(
        "mirror-unknown-entity", .error, "CloudKit record metadata for an entity the store does not have",
        """
        Records remain in CloudKit although nothing in this store belongs to them any more, and nothing deletes them \
        there. The mirror keeps one row for each object it has in CloudKit, with the object's entity number. \
        Z_PRIMARYKEY has no such number here: the objects no longer exist.

        This comes from an entity that was removed from the model, from entity numbers that changed while the mirror's \
        tables did not, or from tables copied from another store.

        If such a row is marked for upload, every export fails. If a later version of the model gives an entity that \
        number, the store may not open any more: see `mirror-collision`. Otherwise the rows do no harm; Core Data \
        deletes them when it next migrates the mirror's tables. Show the store to the app's developers. (From \
        descriptions of Apple's code.)
        """
    ) { check, session in
        let keys = session.description.keys
        guard let mirror = session.mirror, !keys.entries.isEmpty else { return [] }
        let strangers = try mirror.entityNumbers(session.database).filter { keys[number: $0.number] == nil }
        guard !strangers.isEmpty else { return [] }
        let blocking = try mirror.waitingCount(in: session.description, session.database).unknownEntity
        return strangers.map { number, rows in
            check.finding(
                "\(Phrase.count(rows, "record")) in the mirror's metadata of the entity number \(number), "
                    + "which Z_PRIMARYKEY does not have"
                    + (number == blocking ? "; one is marked for upload, and every export fails because of it" : ""),
                cure: "show the store to the app's developers")
        }
    }

    package static let mirrorDuplicateMetadata = store(
        "mirror-duplicate-metadata", .error, "two rows of CloudKit's mirror where one belongs",
        """
        One object of the store is linked to two records in CloudKit: changes reach only one of them, and the other comes \
        back as a duplicate on the user's other devices. Or several objects have one record in CloudKit: whoever deletes \
        one of them deletes the record of the others, so that meterfix refuses to. Or the mirror has noted one thing \
        twice, such as its place in the history: which of the notes it reads is not known, and with it what it does next.

        A unique index normally prevents this: it is missing or damaged, or the rows were written by something other \
        than Core Data.

        Show the store to the app's developers; meterfix never writes to the mirror's tables.
        """
    ) { check, session in
        guard let mirror = session.mirror else { return [] }
        let cure: Cure = "show the store to the app's developers"
        let objects = try mirror.objectsDescribedTwice(session.database).map { object, rows in
            let entity = session.description.keys[number: object.entityNumber]?.name
            return check.finding(
                "\(rows) rows of record metadata for row \(object.row) of \(entity ?? "entity \(object.entityNumber)")",
                entity: entity, rows: [object.row], cure: cure)
        }
        let notes = try mirror.keysNotedTwice(session.database).map { key, rows in
            check.finding("\(rows) notes of the mirror with the key \(value: key)", cure: cure)
        }
        let shared = (try session.mirrorSigns()?.sharedNames ?? []).map { name, objects in
            let entities = Set(objects.map(\.entityNumber)).sorted().map(session.store.entityName)
            return check.finding(
                "the record \(value: name) in CloudKit is that of \(objects.count) objects of \(Phrase.list(entities))",
                entity: entities.count == 1 ? entities[0] : nil, rows: objects.map(\.row),
                cure: "delete none of them, and show the store to the app's developers")
        }
        return objects + shared + notes
    }

    package static let mirrorOrphan = store(
        "mirror-orphan", .warning, "CloudKit record metadata whose object was deleted, with no delete in the history",
        """
        A row was deleted from this store, but its CloudKit record was not: the history, from which the mirror learns \
        what to delete, contains no pending delete for it. The record remains on the user's other devices and comes \
        back here when the mirror starts over.

        Typically somebody removed duplicates with a SQLite editor. Such a delete never leaves this device. For this \
        reason meterfix writes history with every change of a record. A delete in the history that the mirror has \
        skipped is missed for good too.

        To delete the record in CloudKit too, run `meterfix fix mirror-orphan`, which tells the mirror to. To keep it, use \
        a copy from before the delete. Nothing is deleted where the record may only be unreadable (a recovered store), be \
        one of the rows that the mirror has never seen, under another number, or lie in the iCloud of somebody who shares it.
        """
    ) { check, session in
        guard let mirror = session.mirror else { return [] }
        let orphans = try mirror.orphans(in: session.description, session.database)
        let shared = orphans.filter { $0.zoneOwner != nil }
        let own = Dictionary(grouping: orphans.filter { $0.zoneOwner == nil }, by: \.object.entityNumber)
        let findings = try own.sorted { $0.key < $1.key }.map { number, orphans in
            let entity = session.store.entityName(number)
            let rows = Set(orphans.map(\.object.row)).sorted()
            let records = orphans.compactMap(\.recordName)
            let state =
                session.store.reasonNotToDelete == nil
                ? "deleted without a delete in the history that the mirror has yet to read"
                : "missing in this store"
            let finding = check.finding(
                "\(Phrase.count(rows.count, "object")) of \(entity) \(state)"
                    + (records.isEmpty ? "" : ", still in CloudKit as \(Phrase.start(of: records, limit: 3))"),
                entity: entity, rows: rows, cure: session.store.repair("fix mirror-orphan", changingRecords: false))
            switch try session.obstacleToDeletingOrphans(of: [number]) {
            // Of a recovered store the repair says it.
            case nil, .recovered: return finding
            case .noHistory: return finding.with(.advice(Sentence(OrphanObstacle.noHistory.hint)))
            case .notDownloaded: return finding.with(.advice(Sentence(OrphanObstacle.notDownloaded.hint)))
            case .rowsDeleted: return finding.with(.advice(Sentence(OrphanObstacle.rowsDeleted.hint)))
            case .tokenLost: return finding.with(.advice(Sentence(OrphanObstacle.tokenLost.hint)))
            // Whoever removes duplicates leaves a record of each meter.
            case .lastCopies:
                return finding.with(.error).with(
                    "do not delete them: iCloud has the last copies; the store of another device has them, or a new download brings them back"
                )
            case .renumbered:
                return finding.with(.error).with(
                    .advice(Sentence("do not delete them in iCloud: \(OrphanObstacle.renumbered.message)")))
            }
        }
        guard !shared.isEmpty else { return findings }
        let ofOthers = check.finding(
            "\(Phrase.count(shared.count, "object")) that somebody else shares \(shared.count == 1 ? "is" : "are") missing in "
                + "this store, and still in that person's iCloud",
            rows: shared.map(\.object.row).sorted(), cure: "do nothing: only whoever shares them may delete them")
        return [ofOthers.with(.note)] + findings
    }

    static let mirrorUnnamed = store(
        "mirror-unnamed", .warning, "CloudKit record metadata without a record name or zone, and nothing is pending",
        """
        The mirror considers these objects uploaded, but they may be on no other device. The mirror gives an object a \
        record name and a zone when it first uploads it. This object has record metadata without a record name or a \
        zone, it is not marked for upload, and the history has no pending change of it: the mirror considers it \
        uploaded.

        This comes from an export that was cut off, or from record metadata that somebody edited.

        The next change of the object in the app, or by `meterfix set`, uploads it.
        """
    ) { check, session in
        guard let mirror = session.mirror else { return [] }
        let unnamed = try mirror.unnamed(in: session.description, session.database)
        return Dictionary(grouping: unnamed, by: \.entityNumber).sorted { $0.key < $1.key }.map { number, objects in
            let entity = session.store.entityName(number)
            return check.finding(
                "\(Phrase.count(objects.count, "object")) of \(entity) without a CloudKit record name or zone, and "
                    + "no upload of \(objects.count == 1 ? "it" : "them") is pending",
                entity: entity, rows: objects.map(\.row),
                cure: session.store.inApp(
                    "compare with a copy from another device, then change the record in the app: that uploads it"))
        }
    }

    static let mirrorCollision = store(
        "mirror-collision", .error, "CloudKit record metadata that stops a later migration of the store",
        """
        A later version of the app may not be able to open this store any more. A new version of the app's model can \
        change entity numbers; Core Data then rewrites them in the mirror's record metadata, one entity after the \
        other. Here a row of an entity that the store no longer has is in the way: as soon as an entity gets that \
        number, two rows have the same identity, a unique index rejects them, and the store does not open any more. \
        (This has happened to an app.)

        It comes from an entity that was removed, or that has two numbers in Z_PRIMARYKEY, while its record metadata \
        was kept.

        Show the store to the app's developers before they release a version with another model; meterfix never writes \
        to the mirror's tables.
        """
    ) { check, session in
        let keys = session.description.keys
        guard let mirror = session.mirror, !keys.entries.isEmpty else { return [] }
        // An entity with two numbers keeps one of them at the next migration.
        let living = keys.appEntries.filter { keys[$0.name] == $0 }.map(\.number)
        return try mirror.collisions(ofOthersThan: living, session.database).map { collision in
            check.finding(
                "\(Phrase.count(collision.rows.count, "row")) of record metadata of entity \(collision.entityNumber), "
                    + "which the store does not have, with row numbers of living objects: the store does not open any "
                    + "more once a model gives an entity that number",
                rows: collision.rows, cure: "show the store to the app's developers before the next version of the app")
        }
    }

    static let mirrorRelationshipPending = store(
        "mirror-relationship-pending", .note, "a relationship to a record that is not downloaded from CloudKit yet",
        """
        A record was downloaded from CloudKit, but the record that it refers to was not, so the two are not connected \
        here yet. The mirror notes such a relationship (ANSCKIMPORTPENDINGRELATIONSHIP) and sets it when the other \
        record is downloaded. The records of meters have no relationships; this is about other entities of the app.

        This is normal for a moment during each import, because CloudKit sends records in any order. If a later copy \
        still has the note, the other record was deleted, or the import is stuck: see `mirror-failing`. (From \
        descriptions of Apple's code, not from a device.)

        Open the app, online and signed in to iCloud, and leave it open. No command of meterfix writes to the mirror's \
        tables.
        """
    ) { check, session in
        guard let mirror = session.mirror else { return [] }
        let relationships = try mirror.pendingRelationships(session.database)
        guard relationships > 0 else { return [] }
        return [
            check.finding(
                "\(Phrase.count(relationships, "relationship")) to \(relationships == 1 ? "a record" : "records") that "
                    + "\(relationships == 1 ? "has" : "have") not been downloaded from CloudKit",
                cure: session.store.inApp(
                    "open the app, online and signed in to iCloud, and leave it open: its mirror continues by itself"))
        ]
    }

    static let notMirrored = store(
        "not-mirrored", .note, "nothing in the store says that CloudKit has anything of it",
        """
        By what the store says, CloudKit's mirror has exported nothing of it, so the user's other devices know nothing \
        of it. The model can be mirrored. But the mirror has no tables in the store, or they have neither a record nor \
        an export that succeeded.

        The app was never opened with iCloud on this device: the user is not signed in, or has turned the app's iCloud \
        off. A store that `meterfix import-kv --create` made is such a store too, and so is one that was migrated from \
        schema v1 and not opened since. Or the mirror has started over, as after the user signed out, and has not \
        uploaded since.

        If the user has one device, nothing needs to be done. Otherwise have the user sign in to iCloud and open the \
        app once, then ask for the store again. No command turns mirroring on: only the app can.
        """
    ) { check, session in
        // Whether a store that lost the mirror's tables was ever there, nobody knows.
        guard let version = session.store.schemaVersion, version >= 2,
            session.description.entitiesWithoutTable.isEmpty, !session.store.lacksMirror
        else { return [] }
        let message: Sentence
        if let mirror = session.mirror {
            guard try mirror.recordCount(session.database) == 0, try !mirror.hasExported(session.database) else {
                return []
            }
            message = "the tables of CloudKit's mirror are there, but they have no record and no export that succeeded"
        } else {
            message = "the store has no tables of CloudKit's mirror"
        }
        return [
            check.finding(
                message,
                cure: session.store.inApp(
                    "have the user sign in to iCloud and open the app once; without other devices, do nothing"))
        ]
    }
}
