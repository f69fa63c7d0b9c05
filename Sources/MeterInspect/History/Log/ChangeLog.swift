package import CoreDataStore
package import JSON
package import MeterJournal
package import MeterModel

/// `log`: who changed what in a store, and when, from its persistent history, with the values that the backups know.
package struct ChangeLog: Sendable {
    package struct Request: Sendable {
        package var address: MACAddress?
        package var row: Int64?
        /// Only changes at this moment and later.
        package var since: Timestamp?
        /// Only changes before this moment.
        package var until: Timestamp?
        /// Only changes whose author, app or process has this text in its name, whatever the case of its letters.
        package var author: String?
        /// Only changes of objects of this entity, and of those below it.
        package var entity: String?
        package var kind: PersistentHistory.ChangeType?
        /// How many changes at most; nil for all.
        package var limit: Int?
        /// The folder `--backup-dir` names; nil for the one beside the store.
        package var backupFolder: String?
        /// Whether values that only the `-wal` still has are read.
        package var readsPast = true

        package init() {}
    }

    package final class Transaction: Sendable {
        package let save: PersistentHistory.Save
        package let author: Author
        /// Of meterfix's change; nil where none of it is here.
        package let backup: BackupEntry?

        init(_ save: PersistentHistory.Save, backup: BackupEntry?) {
            self.save = save
            self.backup = backup
            author = Author(save)
        }

        package var journal: BackupManifest? { backup?.journal }

        package var time: Timestamp? { save.time.map(Timestamp.init(secondsSince2001:)) }
    }

    /// An attribute that was changed, and its values where they are known.
    package struct Field: Hashable, Sendable {
        package let name: String
        /// Nil where they are not known.
        package let delta: FieldDelta?
        let source: PastRecord.Source?

        init(_ delta: FieldDelta, from source: PastRecord.Source = .backup) {
            name = delta.field.name
            self.delta = delta
            self.source = source
        }

        init(named name: String) {
            self.name = name
            delta = nil
            source = nil
        }
    }

    package struct Entry: Sendable {
        package let transaction: Transaction
        /// Nil for a type that is not known.
        package let kind: PersistentHistory.ChangeType?
        /// `ZCHANGETYPE`; nil if it is no number.
        package let type: Int64?
        /// The entity's name, or what to call it; nil for a migration, which is no change of an object.
        package let entity: String?
        /// Nil if the history does not say it.
        let entityNumber: Int64?
        package let row: Int64?
        package let address: MACAddress?
        /// The name of a record's meter: the present one, or the last that is known of a record that is gone.
        package let name: String?
        /// Nil if they are not known, and for an insert or a delete of which no backup has the values.
        package let fields: [Field]?
        /// Whether it waits for CloudKit; nil for a store that is not mirrored.
        package let waits: Bool?
    }

    /// The store's path as the user gave it.
    package let store: String
    package let letterCase: LetterCase
    package let hasHistory: Bool
    /// The last one first; changes without their transaction come last.
    package internal(set) var entries: [Entry] = []
    /// How many changes there are of those that were asked for, listed or not.
    package internal(set) var total = 0
    /// What could not be read, and why: sentences for a person.
    package internal(set) var warnings: [String] = []
    /// Why the store's `-wal` gives no values, as a sentence for a person; nil where it gives all it has.
    package internal(set) var pastProblem: String?
}

extension ChangeLog: JSONWritable {
    /// The document of `log` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "log", store: store))
            writer.member("history", hasHistory)
            writer.member("total", total)
            writer.member("entries", each: entries) { $0.write(in: letterCase, to: &$1) }
            writer.member("pastProblem", pastProblem)
            writer.member("warnings", warnings)
        }
    }
}

extension ChangeLog.Transaction {
    fileprivate var origin: String {
        switch author {
        case .meterfix: "meterfix"
        case .otherDevice: "cloudkit"
        case .mirror: "mirror"
        case .program: save.isMigration ? "coredata" : "app"
        }
    }
}

extension ChangeLog.Entry {
    /// As `log` and `show` have it.
    /// - Parameter more: writes what `log` of several stores has besides.
    func write(in letterCase: LetterCase, to writer: inout JSONWriter, _ more: (inout JSONWriter) -> Void = { _ in }) {
        let save = transaction.save
        writer.object { writer in
            writer.member("transaction", save.transaction)
            writer.member("at", transaction.time)
            writer.member("author", save.author)
            writer.member("process", save.process)
            writer.member("bundle", save.bundle)
            writer.member("context", save.context)
            writer.member("origin", transaction.origin)
            writer.member("journal", transaction.backup?.json)
            writer.member("change", entity == nil ? "schema" : kind.map { "\($0)" })
            writer.member("entity", entity)
            writer.member("row", row)
            writer.member("mac", address?.text(in: letterCase))
            writer.member("name", name)
            writer.member("fields", fields)
            writer.member("waiting", waits)
            more(&writer)
        }
    }
}

extension BackupEntry {
    fileprivate var json: JSONValue? {
        journal.map { journal in
            ["command": journal.command, "version": journal.version, "by": journal.person, "backup": path]
        }
    }
}

extension ChangeLog.Field: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            delta?.writeValues("before", "after", to: &writer)
            if let source { writer.member("source", source.rawValue) }
        }
    }
}
