internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What a rehearsal needs from one store, read once from a private copy or from the untouched file: its records, and
/// what CloudKit does not know of them yet, according to the history and to what the mirror has uploaded.
struct StoreCopy {
    /// The record of a row, and what the mirror knows about it.
    struct Entry {
        let row: Int64
        let values: RecordValues
        /// Its name in CloudKit; nil if the mirror has none.
        let name: String?
        /// What was changed since it was uploaded; nil for nothing.
        let waiting: Waiting?
        let isKnownToMirror: Bool
    }

    /// A change that CloudKit does not know yet.
    enum Waiting {
        /// The names of the fields.
        case fields(Set<String>)
        /// Changed, but it is not known in which fields.
        case something

        func and(_ names: Set<String>?) -> Waiting {
            guard case .fields(let known) = self, let names else { return .something }
            return .fields(known.union(names))
        }
    }

    let path: String
    let layout: RecordLayout
    let letterCase: LetterCase
    let entries: [Entry]
    /// Names of records that are gone from the store and that CloudKit still has to delete.
    let waitingDeletions: [String]
    let isMirrored: Bool

    /// - Throws: `StoreError`, `unsuitable` for a store that does not sync.
    init(_ path: String) throws(StoreError) {
        self = try StoreConnection.look(at: path) { _, database in
            let store = try StoreDescription(database)
            guard let settings = SettingsTable(store) else {
                throw StoreError(
                    .unsuitable, at: path, "a store without \(SettingsTable.entityName) records",
                    hint: "the app's store is named CKModel.sqlite")
            }
            guard !settings.isAddressUnique else {
                throw StoreError(
                    .unsuitable, at: path, "schema v1 does not sync, so there is nothing to rehearse",
                    hint: "bring a copy of it to schema v2 with `meterfix migrate` and rehearse with that")
            }
            var metadata: [Int64: CloudKitMirror.RecordMetadata] = [:]
            try store.mirror?.forEachRecord(database) { found in
                if found.entityNumber == settings.entity.number { metadata[found.row] = found }
            }
            let waiting = try Self.waiting(metadata, settings, store.history, database)
            var entries: [Entry] = []
            try settings.forEachRow(database) { found in
                let mirror = metadata.removeValue(forKey: found.row)
                entries.append(
                    Entry(
                        row: found.row, values: found.record.values, name: mirror?.recordName,
                        waiting: waiting[found.row] ?? (mirror?.needsUpload == true ? .something : nil),
                        isKnownToMirror: mirror != nil))
            }
            let deleted = metadata.values.filter { $0.needsCloudDelete || waiting[$0.row] != nil }
                .compactMap(\.recordName)
            return StoreCopy(
                path: path, layout: settings.layout, letterCase: try settings.addressIndex(database).letterCase,
                entries: entries, waitingDeletions: deleted.sorted(), isMirrored: store.mirror != nil)
        }
    }

    /// What was changed after the last upload, according to the history, by row.
    private static func waiting(
        _ metadata: [Int64: CloudKitMirror.RecordMetadata], _ settings: SettingsTable, _ history: PersistentHistory?,
        _ database: Database
    ) throws -> [Int64: Waiting] {
        let bits = settings.layout.fields.map { ($0.name, settings.changedColumns([$0.name])) }
        func names(in columns: [UInt8]) -> Set<String>? {
            var names: Set<String> = []
            for (name, mask) in bits {
                guard let mask, mask.count == columns.count else { return nil }
                if zip(mask, columns).contains(where: { $0 & $1 != 0 }) { names.insert(name) }
            }
            return names
        }
        var waiting: [Int64: Waiting] = [:]
        try history?.forEachOwnChange(ofEntity: settings.entity.number, database) { row, transaction, columns in
            guard let exported = metadata[row]?.lastExportedTransaction, transaction > exported else { return }
            waiting[row] = (waiting[row] ?? .fields([])).and(columns.flatMap(names))
        }
        return waiting
    }

    private init(
        path: String, layout: RecordLayout, letterCase: LetterCase, entries: [Entry], waitingDeletions: [String],
        isMirrored: Bool
    ) {
        self.path = path
        self.layout = layout
        self.letterCase = letterCase
        self.entries = entries
        self.waitingDeletions = waitingDeletions
        self.isMirrored = isMirrored
    }

    /// The store's records in a layout that has all of its fields and perhaps more.
    func copies(in union: RecordLayout) -> [Fleet.Copy] {
        let positions = union.fields.map { layout.position(of: $0) }
        return entries.map { entry in
            let values = positions.map { position in position.map { entry.values[$0] } ?? FieldValue.null }
            return Fleet.Copy(name: name(of: entry), values: values, standing: standing(of: entry))
        } + waitingDeletions.map { Fleet.Copy(name: $0, values: [], standing: .deleted) }
    }

    /// Without a mirror, only what the app itself synced can tell that two stores have the same record.
    private func name(of entry: Entry) -> String {
        if let name = entry.name { return name }
        func text(_ field: SettingsField) -> String? {
            guard let position = layout.position(of: field), !entry.values.isEmpty(position) else { return nil }
            return entry.values[position].display(as: field.kind)
        }
        if !isMirrored, let name = text(.cloudKitRecordID) ?? text(.id) { return name }
        return "row \(entry.row) of \(path)"
    }

    private func standing(of entry: Entry) -> Fleet.Copy.Standing {
        // Nothing is known about a store that is not mirrored: it counts as synced.
        guard isMirrored else { return .uploaded }
        guard entry.isKnownToMirror else { return .new }
        switch entry.waiting {
        case nil: return .uploaded
        case .something: return .changed(fields: [])
        case .fields(let names): return .changed(fields: names)
        }
    }
}
