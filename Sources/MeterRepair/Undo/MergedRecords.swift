package import CoreDataStore
internal import Foundation
internal import GRDB
package import JSON
internal import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// The records of one meter that changes deleted, or those without a usable address, or all, from the backups of a store.
package struct MergedRecords: Sendable {
    /// The store's path as the user gave it.
    package let store: String
    /// Nil for those without a usable one, and for all.
    package let address: MACAddress?
    /// Whether it is about all of them.
    package let isOfAll: Bool
    /// The case the store's addresses are written in.
    package let letterCase: LetterCase
    /// Those of the last change first, and of one change those that were changed last.
    package let records: [MergedRecord]
    /// The folder of backups, as a path the user can type, and whether there is one.
    package let folder: String
    package let hasFolder: Bool
    /// Records that meterfix deleted, by the store's persistent history, in changes of which no backup is here. Whose they
    /// were is not in it.
    package let withoutBackup: Int
    /// Entries that could not be read, and why, or whose files are not as they were saved: sentences for a person.
    package let warnings: [String]

    /// What to say where there are no records, a line each: lower case, no full stop.
    package var absence: [String] {
        let subject = isOfAll ? "" : " of \(address?.text(in: letterCase) ?? "no meter")"
        var lines = [
            hasFolder
                ? "no backup in \(folder) has a deleted record\(subject)"
                : "there are no backups in \(folder), so none has a deleted record\(subject)"
        ]
        if withoutBackup > 0 {
            lines.append(
                "by its history meterfix deleted \(Phrase.count(withoutBackup, "record")) of this store "
                    + "in changes of which no backup is here: made with --no-backup, kept in another folder, or taken away"
            )
        }
        return lines
    }

    /// Leaves no trace.
    /// - Parameters:
    ///   - address: of the meter; nil for the records without a usable one.
    ///   - isOfAll: whether every record counts, whosever it was.
    ///   - folder: the folder `--backup-dir` names; nil for the one beside the store.
    /// - Throws: `StoreError` where the store cannot be read.
    package static func of(
        _ address: MACAddress?, ofAll isOfAll: Bool = false, in path: String, folder: String?, now: Timestamp
    ) throws(StoreError) -> MergedRecords {
        let folder = BackupFolder(for: path, named: folder)
        return try MeterSession.look(at: path, now: now) { session in
            let (store, settings, database) = (session.store, session.settings, session.database)
            let stack = try session.base.stack(in: folder)
            if stack.entries.isEmpty, let entry = stack.unknown.first { throw Refusal.unknownBackup(entry, of: path) }
            var records: [MergedRecord] = []
            var warnings: [String] = []
            let unfinished = Set(stack.unfinished.map(\.name))
            for entry in stack.entries.reversed() where !unfinished.contains(entry.name) {
                guard let journal = entry.journal, let changes = journal.changes else { continue }
                let deletions: [Int64: ObjectChange.Deletion]
                do throws(StoreError) {
                    deletions = try entry.deletions(in: changes) { isOfAll || $0 == address }
                } catch {
                    guard error.kind != .interrupted else { throw error }
                    warnings.append("\(entry.path): what the change deleted cannot be told: \(error.message)")
                    continue
                }
                guard !deletions.isEmpty else { continue }
                switch entry.condition(journal) {
                case .asSaved: break
                case .sameContents(_, let difference):
                    warnings.append("\(entry.path) has the contents that were saved, but in other bytes: \(difference)")
                case .damaged(let damage):
                    warnings.append("\(entry.path) is damaged: \(damage)")
                    continue
                }
                let rows = deletions.keys.sorted()
                let present = try settings.records(of: rows, database)
                let saved = try entry.savedRecords(of: rows, journal).values
                records +=
                    saved.sorted { $0.isNewer(than: $1) }
                    .map { record in
                        MergedRecord(
                            entry: entry.name, madeAt: journal.madeAt, row: record.row,
                            mergedInto: deletions[record.row]?.merger?.winner,
                            isInStore: present[record.row] != nil,
                            record: record)
                    }
            }
            if !folder.isShared {
                warnings += stack.damaged.map { "\($0.path) is damaged: \($0.flaw ?? "")" }
            }
            let transactions =
                try store.description.history?.transactions(
                    by: HistoryWriter.author, ofEntity: settings.entity.number, database) ?? []
            return MergedRecords(
                store: path, address: address, isOfAll: isOfAll, letterCase: store.letterCase, records: records,
                folder: folder.path,
                hasFolder: folder.isThere,
                withoutBackup: stack.withoutBackup(transactions).reduce(0) { $0 + $1.deletes }, warnings: warnings)
        }
    }
}

/// A record that a change deleted, as a backup still has it.
package struct MergedRecord: Sendable {
    /// The backup's entry.
    package let entry: String
    /// When the change was made.
    package let madeAt: Timestamp
    /// The record's row number then; no other record ever gets it.
    package let row: Int64
    /// The record of its meter that was kept; nil where it was deleted by hand.
    package let mergedInto: Int64?
    /// Whether the store has a record of this row number: the change was taken back.
    package let isInStore: Bool
    /// As it was stored, every attribute of that store.
    package let record: DeviceSettings
}

extension BackupEntry {
    /// What the change deleted of some meters, by row.
    /// - Parameter isWanted: whether a record with this address counts; nil is none that can be used.
    /// - Throws: `StoreError`, `damaged` where the changes are not those that were written.
    fileprivate func deletions(
        in changes: BackupManifest.Changes, of isWanted: (MACAddress?) -> Bool
    ) throws(StoreError) -> [Int64: ObjectChange.Deletion] {
        var deletions: [Int64: ObjectChange.Deletion] = [:]
        try forEachChange(changes, of: "delete") { line in
            if case .object(.delete(let deletion)) = line, isWanted(deletion.address) {
                deletions[deletion.row] = deletion
            }
        }
        return deletions
    }
}

extension DeviceSettings {
    /// Whether it was changed later than the other; of two rows changed at one moment the later row.
    fileprivate func isNewer(than other: DeviceSettings) -> Bool {
        let moments = [self, other].map { $0.updatedAt?.secondsSince2001 ?? -.infinity }
        return moments[0] == moments[1] ? row > other.row : moments[0] > moments[1]
    }
}

/// One document, keys in their fixed order.
extension MergedRecords: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: WritingCommand.restoreRecord.rawValue, store: store))
            writer.member("mac", address?.text(in: letterCase))
            writer.member("folder", folder)
            writer.member("withoutBackup", withoutBackup)
            writer.member("records", each: records) { merged, writer in
                writer.object { writer in
                    writer.member("entry", merged.entry)
                    writer.member("madeAt", merged.madeAt)
                    writer.member("row", merged.row)
                    writer.member("mergedInto", merged.mergedInto)
                    writer.member("inStore", merged.isInStore)
                    writer.member("record", merged.record)
                }
            }
        }
    }
}
