package import CoreDataStore
internal import Foundation
internal import GRDB
package import MeterModel
internal import MeterStore

/// What a change did to one object, from its backup.
package enum ObjectChange: Hashable, Sendable {
    /// With the address of the record's meter before the change; nil for a record without a usable one.
    case update(RecordUpdate, MACAddress?)
    case insert(RecordInsertion, MACAddress?)
    case delete(Deletion)
    /// In CloudKit only.
    case cloudDelete(CloudDeletion)

    /// Records by their row numbers: the saved files have them.
    package struct Deletion: Hashable, Sendable {
        package let row: Int64
        package let address: MACAddress?
        /// Nil for a record that was not merged into another one.
        package let merger: Merger?

        package struct Merger: Hashable, Sendable {
            package let winner: Int64
            package let advantage: WinnerStep
        }
    }

    /// As the history notes it.
    package var kind: PersistentHistory.ChangeType {
        switch self {
        case .update: .update
        case .insert: .insert
        case .delete, .cloudDelete: .delete
        }
    }

    package var row: Int64 {
        switch self {
        case .update(let update, _): update.row
        case .insert(let insertion, _): insertion.row
        case .delete(let deletion): deletion.row
        case .cloudDelete(let deletion): deletion.row
        }
    }

    /// The number of the object's entity; nil for a record of a meter.
    package var entityNumber: Int64? {
        if case .cloudDelete(let deletion) = self { deletion.entityNumber } else { nil }
    }

    /// Of the record's meter.
    package var address: MACAddress? {
        switch self {
        case .update(_, let address): address
        case .insert(_, let address): address
        case .delete(let deletion): deletion.address
        case .cloudDelete: nil
        }
    }

    /// Of an update and an insert.
    package var fields: [FieldChange] {
        switch self {
        case .update(let update, _): update.fields
        case .insert(let insertion, _): insertion.fields
        case .delete, .cloudDelete: []
        }
    }
}

extension BackupEntry {
    /// Hands over what the change did, object by object; no more than one is held at a time.
    /// - Throws: `StoreError`, `damaged` where the changes are not those that were written.
    package func forEachObject(_ changes: BackupManifest.Changes, _ take: (ObjectChange) -> Void) throws(StoreError) {
        try forEachChange(changes) { line in if case .object(let change) = line { take(change) } }
    }

    /// Records as they were saved before the change, by row number. Missing rows are skipped.
    /// - Throws: `StoreError`, `damaged` where the saved files do not have the contents that were saved.
    package func savedRecords(
        of rows: some Collection<Int64> & Sendable, _ journal: BackupManifest
    ) throws(StoreError) -> [Int64: DeviceSettings] {
        try readSaved(journal) { description, database in
            guard let settings = SettingsTable(description) else { return [:] }
            let known = try settings.cloudRecords(of: rows, description.mirror, database)
            let records = try settings.records(of: rows, database)
            return Dictionary(uniqueKeysWithValues: known.added(to: Array(records.values)).map { ($0.row, $0) })
        }
    }

    /// The rows of a meter as they were saved before the change.
    /// - Throws: `StoreError`, likewise.
    package func savedRows(of address: MACAddress, _ journal: BackupManifest) throws(StoreError) -> [Int64] {
        try readSaved(journal) { description, database in
            try SettingsTable(description)?.records(database).filter { $0.usableAddress == address }.map(\.row) ?? []
        }
    }

    private func readSaved<Value>(
        _ journal: BackupManifest, _ body: (StoreDescription, Database) throws -> Value
    ) throws(StoreError) -> Value {
        try StoreConnection.untouched(mainFile(validated(journal).journal)).closing { connection throws(StoreError) in
            try connection.read { try body(StoreDescription($0), $0) }
        }
    }
}

extension BackupEntry {
    /// What the saved files are by now.
    package enum Condition {
        /// The very bytes that were saved.
        case asSaved
        /// Other bytes, which hold the contents that were saved: whoever opens a main file with its log in SQLite for a
        /// single query puts the log into it.
        /// - Parameters:
        ///   - files: as they are found.
        ///   - difference: what is not as it was saved: lower case, no full stop.
        case sameContents(files: [BackupManifest.File], difference: String)
        /// And why: lower case, no full stop.
        case damaged(String)
    }

    /// Reads every byte of the saved files, and where they are not those that were saved the contents as well.
    package func condition(_ journal: BackupManifest) -> Condition {
        guard let difference = difference(journal) else { return .asSaved }
        guard let files = try? filesOfSameContents(journal) else { return .damaged(difference) }
        return .sameContents(files: files, difference: difference)
    }

    /// The journal with the files as they are found, and what there is to say about them; nil for the last where they are
    /// as they were saved.
    /// - Throws: `StoreError`, `damaged` where they do not have the contents that were saved.
    package func validated(_ journal: BackupManifest) throws(StoreError) -> (journal: BackupManifest, warning: String?)
    {
        switch condition(journal) {
        case .asSaved: return (journal, nil)
        case .sameContents(let files, let difference):
            var journal = journal
            journal.files = files
            return (
                journal,
                "\(path) has the contents that were saved, but in other bytes: \(difference); somebody opened it"
            )
        case .damaged(let damage): throw Refusal.damagedBackup(self, damage)
        }
    }

    /// What tells the files from those that were saved: lower case, no full stop; nil where each has the same bytes.
    private func difference(_ journal: BackupManifest) -> String? {
        for file in journal.files {
            if let difference = difference(journal.store + file.suffix, from: file.digest) { return difference }
        }
        // SQLite would take it for a part of the store.
        for suffix in ["-wal", "-journal"] where !journal.files.contains(where: { $0.suffix == suffix }) {
            let name = journal.store + suffix
            guard let status = try? FileStatus(path: path + "/" + name), !status.isRegular || status.size > 0 else {
                continue
            }
            return "\(name) was not saved here"
        }
        return nil
    }

    /// What tells the changes from those that were written: lower case, no full stop; nil where they are the same.
    package func difference(_ changes: BackupManifest.Changes) -> String? {
        difference(Self.changesName, from: changes.digest)
    }

    private func difference(_ name: String, from digest: FileDigest) -> String? {
        do throws(StoreError) {
            let file = try FileInput(regular: path + "/" + name)
            let size = try file.size
            guard size == digest.size else { return "\(name) has \(size) bytes instead of \(digest.size)" }
            return try FileDigest(file) == digest ? nil : "\(name) has other bytes than were saved"
        } catch {
            return error.kind == .notFound ? "\(name) is missing" : "\(name) cannot be read: \(error.message)"
        }
    }

    /// The files as they are found.
    /// - Throws: an error where they are not the contents that were saved.
    private func filesOfSameContents(_ journal: BackupManifest) throws -> [BackupManifest.File] {
        // A main file takes in no more than its log. Nothing that is larger is worth being read.
        let limit = journal.files.reduce(1 << 20) { $0 + $1.digest.size }
        var files: [BackupManifest.File] = []
        for suffix in ["", "-wal"] {
            do {
                let input = try FileInput(regular: mainFile(journal) + suffix)
                guard try input.size <= limit else { throw FileError(code: EFBIG) }
                files.append(BackupManifest.File(suffix: suffix, digest: try FileDigest(input)))
            } catch let error as StoreError where error.kind == .notFound && !suffix.isEmpty {
                continue
            }
        }
        // There is nothing in it that SQLite would not make again; as it was saved it may well be put back.
        for file in journal.files where file.suffix == "-shm" {
            if (try? FileDigest(of: mainFile(journal) + file.suffix)) == file.digest { files.append(file) }
        }
        guard try FileStatus(path: mainFile(journal) + "-journal") == nil else { throw FileError(code: EEXIST) }
        try openVerified(journal).close()
        return files
    }

    /// Opens the saved files for reading, and proves on what was opened that it is intact and has the contents that were
    /// saved. Who writes what was saved into a store reads it from this connection: equal digests are of the moment at
    /// which they were taken.
    /// - Throws: `StoreError`, `damaged` where it is not so.
    package func openVerified(_ journal: BackupManifest) throws(StoreError) -> StoreConnection {
        let connection = try StoreConnection.untouched(mainFile(journal))
        try connection.read { database in
            guard try journal.hasDamagedIndexes || database.integrityProblems(limit: 1).isEmpty,
                try ContentsDigest(database) == journal.before
            else {
                throw StoreError(
                    .damaged, at: path, "the backup does not have the contents that were saved",
                    hint: "nothing was changed")
            }
        }
        return connection
    }
}
