package import CoreDataStore
internal import Foundation
package import JSON
package import MeterModel

/// `journal.json` of a backup: which files were saved of which store, and what the change was before which they were. It
/// is small: the change itself, which may be as large as the store, is in `changes.jsonl` beside it.
package struct BackupManifest: Sendable {
    package enum State: String, Sendable {
        /// The files are saved; the change may not have begun, and is not in the store.
        case begun
        /// The change was made and checked. Written before the commit, under a name of its own until after it.
        case committed
    }

    /// The `command` of an entry with the state before an undo.
    package static let undoCommand = "undo"
    /// The `command` of an entry with the state before an undo is taken back.
    package static let redoCommand = "redo"

    package struct File: Hashable, Sendable {
        /// Behind the main file's name: empty, `-wal`, `-shm`.
        package let suffix: String
        package let digest: FileDigest

        package init(suffix: String, digest: FileDigest) {
            self.suffix = suffix
            self.digest = digest
        }
    }

    /// `changes.jsonl`: the lines of the plan that was carried out, without the records, which are in the saved files.
    package struct Changes: Hashable, Sendable {
        package let digest: FileDigest
        package let context: JournalContext

        package init(digest: FileDigest, context: JournalContext) {
            self.digest = digest
            self.context = context
        }
    }

    /// Counts the changes of a store up: clocks go back, and two changes can be of one moment.
    package var number: Int
    /// Of the meterfix that made it.
    package var version: String
    package var command: String
    /// The command line, without the program.
    package var arguments: [String]
    /// Who ran it; nil where the system does not say.
    package var person: Person?
    /// What they say of it.
    package var note: String?
    /// The name of the store's main file, which is also the name of its copy.
    package var store: String
    package var storeUUID: String?
    package var madeAt: Timestamp
    package var files: [File]
    /// The contents that were saved.
    package var before: ContentsDigest
    /// The contents that the change left behind.
    package var after: ContentsDigest?
    package var state = State.begun
    /// The entry whose files were put back, where the change was that.
    package var restored: String?
    /// Whether indexes of the files that were saved are damaged, and nothing else is.
    package var hasDamagedIndexes = false
    /// `Z_PK` of the change's transaction in the persistent history.
    package var transaction: Int64?
    /// Nil where files were put back.
    package var changes: Changes?
    /// What the command answered, without what may be as large as the store.
    package var report: JSONValue?

    package init(
        number: Int, version: String = Version.current, command: String, arguments: [String], person: Person? = nil,
        note: String? = nil, store: String, storeUUID: String?, madeAt: Timestamp, files: [File],
        before: ContentsDigest, restored: String? = nil
    ) {
        self.number = number
        self.version = version
        self.command = command
        self.arguments = arguments
        self.person = person
        self.note = note
        self.store = store
        self.storeUUID = storeUUID
        self.madeAt = madeAt
        self.files = files
        self.before = before
        self.restored = restored
    }
}

extension BackupManifest: JSONWritable {
    /// Writes the journal in the place of the one at `path`, whole or not at all. It can only be read from then on (mode
    /// 0400): whoever edits it must want to.
    /// - Throws: `StoreError`; the old journal is still there then.
    package func write(to path: String) throws(StoreError) {
        try FileReplacement.write(line(pretty: true), to: path)
        chmod(path, 0o400)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: command, store: store))
            writer.member("number", number)
            writer.member("arguments", arguments)
            if let person { writer.member("by", person) }
            if let note { writer.member("note", note) }
            writer.member("storeUUID", storeUUID)
            writer.member("madeAt", madeAt)
            // The text above has microseconds at most; this is the very number.
            writer.member("secondsSince2001", madeAt.secondsSince2001)
            writer.member("files", files.map { JSONValue.object(Self.members(store + $0.suffix, $0.digest)) })
            let after = after.map { Hexadecimal.text(of: $0.sha256) }
            writer.member("contents", ["before": Hexadecimal.text(of: before.sha256), "after": after] as JSONValue)
            writer.member("state", state.rawValue)
            if let restored { writer.member("restored", restored) }
            if hasDamagedIndexes { writer.member("damagedIndexes", true) }
            if let transaction { writer.member("historyTransaction", transaction) }
            if let changes {
                writer.key("changes")
                writer.object { writer in
                    writer.members(Self.members(BackupEntry.changesName, changes.digest))
                    writer.member("letterCase", changes.context.letterCase.rawValue)
                    writer.member("layout", changes.context.layout.document)
                }
            }
            if let report { writer.member("report", report) }
        }
    }

    private static func members(_ name: String, _ digest: FileDigest) -> [JSONValue.Member] {
        [.init("name", name), .init("size", digest.size), .init("sha256", Hexadecimal.text(of: digest.sha256))]
    }

    /// - Throws: `JournalError` for what meterfix would not have written.
    init(_ json: JSONValue) throws(JournalError) {
        let value = JournalValue(json)
        guard json["schema"] == .integer(1), json["tool"] == "meterfix" else { throw JournalError() }
        let contents = try value["contents"]
        store = try value["store"].text
        guard !store.isEmpty, !store.contains("/") else { throw JournalError() }
        number = try Self.size(value["number"].json).orDamage
        version = try value["version"].text
        command = try value["command"].text
        arguments = try value["arguments"].elements.map { value throws(JournalError) in try value.text }
        person = json["by"].flatMap(Person.init)
        note = json["note"]?.string
        storeUUID = try value["storeUUID"].ifPresent?.text
        madeAt = Timestamp(secondsSince2001: try value["secondsSince2001"].json.number.orDamage)
        files = []
        before = try contents["before"].contentsDigest
        after = try contents["after"].ifPresent?.contentsDigest
        state = try value["state"].word()
        guard state == .begun || after != nil else { throw JournalError() }
        restored = json["restored"]?.string
        hasDamagedIndexes = json["damagedIndexes"] == .bool(true)
        if case .integer(let number)? = json["historyTransaction"] { transaction = number }
        report = json["report"]
        for file in try value["files"].elements {
            let name = try file["name"].text
            guard name.hasPrefix(store), !files.contains(where: { store + $0.suffix == name }) else {
                throw JournalError()
            }
            let suffix = String(name.dropFirst(store.count))
            guard suffix.isEmpty || !files.isEmpty, ["", "-wal", "-shm"].contains(suffix) else { throw JournalError() }
            files.append(File(suffix: suffix, digest: try file.fileDigest))
        }
        guard !files.isEmpty else { throw JournalError() }
        guard json["changes"] != nil else { return }
        let changes = try value["changes"]
        guard changes.json["name"]?.string == BackupEntry.changesName else { throw JournalError() }
        self.changes = Changes(
            digest: try changes.fileDigest,
            context: JournalContext(
                layout: try RecordLayout(changes["layout"]), letterCase: try changes["letterCase"].word()))
    }

    /// A number of things or bytes; nil for what is none, or more than any store has: sums of them have room.
    package static func size(_ value: JSONValue) -> Int? {
        guard case .integer(let number) = value, (0...1 << 48).contains(number) else { return nil }
        return Int(number)
    }
}

extension JournalValue {
    fileprivate var fileDigest: FileDigest {
        get throws(JournalError) {
            FileDigest(size: try BackupManifest.size(self["size"].json).orDamage, sha256: try self["sha256"].sha256)
        }
    }

    fileprivate var contentsDigest: ContentsDigest {
        get throws(JournalError) { ContentsDigest(sha256: try sha256) }
    }

    /// 32 bytes from hexadecimal digits.
    private var sha256: [UInt8] {
        get throws(JournalError) {
            let bytes = try bytes
            guard bytes.count == 32 else { throw JournalError() }
            return bytes
        }
    }
}

/// Which backups are a store's own.
package struct StoreIdentity: Hashable, Sendable {
    /// `Z_UUID`; nil for a store without one.
    package let uuid: String?
    /// Whether the folder is this store's alone.
    private let isAlone: Bool

    /// - Parameter isAlone: whether the folder with the backups is this store's alone.
    package init(_ uuid: String?, isAlone: Bool) {
        self.uuid = Self.identity(uuid)
        self.isAlone = isAlone
    }

    /// A text without a character identifies nothing.
    private static func identity(_ uuid: String?) -> String? { uuid.flatMap { $0.isEmpty ? nil : $0 } }

    enum Owner {
        case this
        case other
        /// Neither the backup nor the store has an identity, and others may have put their backups here too.
        case unknown
    }

    /// Whose backup it is. To have no identity is not to have the same one: then only the place tells.
    func owner(of journal: BackupManifest) -> Owner {
        let saved = Self.identity(journal.storeUUID)
        if uuid == nil && saved == nil { return isAlone ? .this : .unknown }
        return uuid == saved ? .this : .other
    }
}
