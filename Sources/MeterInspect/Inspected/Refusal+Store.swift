package import CoreDataStore
internal import MeterJournal
package import MeterModel
package import MeterStore

extension Refusal {
    package static func noSettings(in store: InspectedStore) -> StoreError {
        let entities = store.description.keys.appEntries.map(\.name)
        guard store.description.isCoreData else {
            return contentsMissing(in: store) ?? .notCoreData(store.path)
        }
        let has = entities.isEmpty ? "it has no entities" : "it has \(entities.prefix(8).joined(separator: ", "))"
        return store.unsuitable(
            "a Core Data store without \(SettingsTable.entityName) records; \(has)\(entities.count > 8 ? " …" : "")",
            hint: "this command needs USB Meter's store; `meterfix status` shows what is in this one")
    }

    /// For a store that knows the entity and has no table for it that can be read.
    static func unusableSettings(_ problem: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the store has the entity \(SettingsTable.entityName), but \(problem)",
            hint: "use a backup or an earlier copy; \(hintOnRecords(in: store))")
    }

    /// How the records are found that the file still has: lower case, no full stop.
    static func hintOnRecords(in store: InspectedStore) -> String {
        "what the file still has of the records, `\(StoreCommand("recover", stores: [store.path, "recovered.sqlite"]))` saves"
    }

    /// For a main file without tables, which is what SQLite leaves if all contents of a store are in the WAL. Nil for
    /// any other.
    private static func contentsMissing(in store: InspectedStore) -> StoreError? {
        let files = store.files
        if files.main.size == 0, files.hasLog {
            return StoreError(
                .damaged, at: store.path,
                "the main file is empty, 0 bytes, and its -wal, which has readable rows, is only a part of the store",
                hint: "ask for the store again, all three files; `meterfix recover "
                    + "\(ShellWord.quoted(store.path)) OUT.sqlite` saves what the -wal has")
        }
        guard store.description.schema.tables.isEmpty, files.header.isWAL else { return nil }
        if !files.hasLog {
            return StoreError(
                .damaged, at: store.path,
                "a main file without a table: everything is in its -wal file, which is missing",
                hint: files.adviceOnMissingLog)
        }
        guard let frames = files.frames, frames.last == 0 else { return nil }
        return StoreError(
            .damaged, at: store.path,
            "a main file without a table: everything is in its -wal file, which cannot be read",
            hint: "ask for the store again, with its -wal file")
    }

    package static func notIntact(_ problems: [String], in store: InspectedStore) -> StoreError {
        StoreError(
            .damaged, at: store.path, "SQLite's integrity check fails: \(problems[0])",
            hint:
                "ask for the store again, \(store.files.withItsLog)\(StoreError.orRecover); `\(store.command("verify"))` lists all of it, and "
                + "says where only indexes are damaged, which `fix` makes again")
    }

    private static let orAcceptance = ", or use --accept-missing-wal if the changes in it are lost for good"

    package static func logMissing(_ trace: MissingWAL, in store: InspectedStore) -> StoreError {
        let name = store.files.name
        let orphan = trace.log.isAbsent ? store.files.orphanWALs().first : nil
        let advice =
            trace.log == .notDownloaded
            ? CloudPlaceholder.advice
            : orphan.map { "\($0) beside it may be that file: copy it to \(name)-wal" }
                ?? "ask for the three files \(name), \(name)-wal and \(name)-shm, copied while the app is closed"
        return StoreError(
            .damaged, at: store.path, message(trace),
            hint: "\(advice)\(orAcceptance)")
    }

    package static func logLost(_ finding: Finding, in store: InspectedStore) -> StoreError {
        StoreError(
            .damaged, at: store.path, finding.message.description,
            hint: "\(finding.cure)\(orAcceptance)")
    }

    package static func recovered(_ reason: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            reason, hint: "ask for the store of another device; or use --force if iCloud need not be spared")
    }

    package static func otherNames(_ suffix: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            store.files.hardLinkWarning(suffix),
            hint: "copy the store's three files into a folder and work there, or use --force if nothing else uses them")
    }

    private static func message(_ trace: MissingWAL) -> String {
        let pages = "\(trace.missingFrames) of its \(trace.lastFrame) pages"
        switch trace.log {
        case .alone:
            return
                "the -wal file is missing: Core Data keeps one even when the app is closed, so this copy is probably not "
                + "the whole store"
        case .notDownloaded:
            return "the -wal file was not downloaded from iCloud Drive: there is only a placeholder for it"
        case .absent, .empty:
            return "the -wal file is missing: according to the -shm file, the main file lacks \(pages)"
        case .unreadable where trace.lastFrame == 0:
            return "the -wal file is damaged at its beginning, and SQLite ignores all of it"
        case .unreadable: return "the -wal file is damaged: according to the -shm file, the main file lacks \(pages)"
        case .foreign:
            return
                "the -wal file is from another store or an older copy: according to the -shm file, \(pages) are missing"
        case .cut where trace.missingFrames > 0:
            return "the -wal file is cut short or damaged: according to the -shm file, \(pages) are missing"
        case .cut:
            return
                "the -wal file is cut short or damaged: its \(trace.readableFrames) pages that can be read are older than "
                + "those in the main file"
        case .damaged: return "the -wal file is damaged in the middle: \(pages) cannot be read"
        case .zeros: return "the -wal file ends in zeros: \(pages) cannot be read"
        }
    }

    package static func mirrorWithoutHistory(in store: InspectedStore, deletes: Int) -> StoreError {
        let loss =
            switch deletes {
            case 0: "the changes cannot reach the cloud"
            case 1: "1 delete cannot reach the cloud, and the record would come back"
            default: "\(deletes) deletes cannot reach the cloud, and the records would come back"
            }
        return store.unsuitable(
            "the store is mirrored to CloudKit but has no history: \(loss)",
            hint: "repair the store on a device whose store has history, or use --force if sync is off for good")
    }

    static func mirrorMissing(in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the tables of CloudKit's mirror are missing, so what CloudKit has of this store cannot be told",
            hint: "ask for the store as the app left it, or for a backup of it")
    }

    package static func noPlace(for dictionary: LegacyDictionary, count: Int, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "\(SettingsTable.entityName) has no attribute \(dictionary.field.rawValue) here, and the dump has \(count) "
                + "values of \(dictionary.rawValue) for it",
            hint: "this store is from an older app version; open it once in the current app")
    }

    package static func noPlace(for attribute: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "\(SettingsTable.entityName) has no attribute \(attribute) here, but the deleted record has a value for it",
            hint: "another app version has recreated the store since the backup")
    }

    package static func constraint(_ row: Int64, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "row \(row) has the record's address, and schema v1 does not allow two records with the same one",
            hint: "only schema v2 can hold both")
    }

    package static func noRowNumbersLeft(in store: InspectedStore) -> StoreError {
        StoreError(.unsuitable, at: store.path, "no row number is left for a new record")
    }

    package static func related(_ rows: [String], in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "deleting would break a relationship: \(rows[0])\(rows.count > 1 ? " and \(rows.count - 1) more" : "")",
            hint: "merge these records in the app")
    }

    package static func perhapsRelated(_ reference: SettingsTable.Reference, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "deleting row \(reference.row) could break a relationship: \(reference.column) of \(reference.table) has "
                + "that number, and no cached model tells what it means",
            hint: "name the app's model with --model PATH, or use --force if that column is no relationship")
    }

    package static func otherModel(_ path: String, _ difference: Finding, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "the model \(path) is not the store's: \(difference.message)",
            hint: "`\(store.command("verify --model \(ShellWord.quoted(path))"))` lists every difference")
    }
}

extension StoreFiles {
    fileprivate func hardLinkWarning(_ suffix: String) -> String {
        "\(name)\(suffix) has another name too, by a hard link: under each of them SQLite takes other files for its log, "
            + "and a change can mix two states"
    }
}

extension InspectedStore {
    /// That a file of the store has several names, for an answer that changes nothing; nil where none has.
    package var hardLinkWarning: String? { files.suffixWithOtherNames.map(files.hardLinkWarning) }
}
