internal import CoreDataStore
internal import GRDB
internal import MeterJournal
internal import MeterModel
internal import MeterStore

/// What a change did, in a sentence or two: `A4:C1:38:5D:02:9F: name "Workbench" → "Foo"`, or, of more than one record,
/// summed up.
struct ChangeSummary {
    private let letterCase: LetterCase
    private var updated = 0
    private var inserted = 0
    private var deleted = 0
    private var deletedInCloud = 0
    private var addresses: Set<MACAddress> = []
    private var mergedMeters: Set<MACAddress> = []
    private var steps = 0
    /// Entities whose last row number was corrected, as `Z_MAX of DeviceSettings: 4 → 7`.
    private var lastRows: [String] = []
    private var entityNumbers = 0
    private var indexes = 0
    private var keys: [String] = []
    private var first: Subject?
    /// The first rows that were deleted.
    private(set) var deletedRows: [Int64] = []
    var deletedNames: [String] = []

    private typealias Subject = (
        entity: String, row: Int64, address: MACAddress?, kind: PersistentHistory.ChangeType, fields: [ChangeLog.Field]?
    )

    /// Deleted records that are named.
    private static let most = 5

    init(_ letterCase: LetterCase) { self.letterCase = letterCase }

    private var objects: Int { updated + inserted + deleted + deletedInCloud }

    mutating func add(_ line: JournalLine) {
        switch line {
        case .object(let change): add(change)
        case .schema(let change): add(change)
        case .metadata(let change): keys.append(change.key)
        case .conflict, .reject: break
        }
    }

    private mutating func add(_ change: ObjectChange) {
        var entity = SettingsTable.entityName
        switch change {
        case .update: updated += 1
        case .insert: inserted += 1
        case .delete(let deletion):
            deleted += 1
            if let address = deletion.address, deletion.merger != nil { mergedMeters.insert(address) }
            if deletedRows.count < Self.most { deletedRows.append(deletion.row) }
        case .cloudDelete(let deletion):
            deletedInCloud += 1
            entity = deletion.entity
        }
        if let address = change.address { addresses.insert(address) }
        guard first == nil else { return }
        first = (entity, change.row, change.address, change.kind, change.fields.map { ChangeLog.Field($0.delta) })
    }

    private mutating func add(_ change: SchemaChange) {
        switch change {
        case .dropIndex, .dropForeign, .addColumn, .createTable, .createIndex, .addEntity, .modelCache: steps += 1
        case .remakeIndex: indexes += 1
        case .lastRow(let entity, _, let before, let after): lastRows.append("Z_MAX of \(entity): \(before) → \(after)")
        case .entityNumber: entityNumbers += 1
        }
    }

    /// A change of which only the history tells.
    mutating func add(
        _ change: PersistentHistory.LoggedChange, entity: String, _ address: MACAddress?, fields: [String]?
    ) {
        guard let kind = change.kind else { return }
        switch kind {
        case .update: updated += 1
        case .insert: inserted += 1
        case .delete: deleted += 1
        }
        guard first == nil else { return }
        first = (entity, change.row ?? 0, address, kind, fields?.map(ChangeLog.Field.init(named:)))
    }

    /// Nil where there is nothing to say.
    var words: String? {
        var parts: [String] = []
        if objects == 1, let first { parts.append(words(of: first)) }
        if objects > 1 { parts.append(sum) }
        if steps > 0 { parts.append("the schema was changed in \(Phrase.count(steps, "step"))") }
        if indexes > 0 { parts.append("\(Phrase.count(indexes, "index", "indexes")) made again") }
        parts += lastRows
        if entityNumbers > 0 { parts.append("Z_ENT of \(Phrase.count(entityNumbers, "row")) corrected") }
        if parts.isEmpty, !keys.isEmpty { parts.append("the store's metadata: \(Phrase.list(keys))") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private func words(of subject: Subject) -> String {
        let name = subject.address?.text(in: letterCase) ?? "\(subject.entity) row \(subject.row)"
        let fields = subject.fields ?? []
        switch subject.kind {
        case .update:
            // Each change sets it.
            let others = fields.filter { $0.name != SettingsField.updatedAt.rawValue }
            let words = (others.isEmpty ? fields : others).updatePhrase
            let verb = fields.contains { $0.delta != nil } ? "" : " changed"
            return "\(name): \(words.isEmpty ? "updated, attributes unknown" : words + verb)"
        case .insert:
            let contents = fields.contentsPhrase
            return "\(name): new record\(contents.isEmpty ? "" : ", \(contents)")"
        case .delete:
            let what = deletedInCloud > 0 ? "deleted in CloudKit only" : "record deleted"
            return "\(name): \(what)\(deletedNames.isEmpty ? "" : ": \(quotedNames)")"
        }
    }

    private var sum: String {
        var parts: [String] = []
        if !mergedMeters.isEmpty { parts.append("\(Phrase.count(mergedMeters.count, "meter")) merged") }
        if deleted > 0 {
            let names = deletedNames.isEmpty ? "" : ": \(quotedNames)\(deleted > deletedNames.count ? ", …" : "")"
            parts.append("\(Phrase.count(deleted, "record")) deleted\(names)")
        }
        if updated > 0 { parts.append("\(Phrase.count(updated, "record")) updated") }
        if inserted > 0 { parts.append("\(Phrase.count(inserted, "new record"))") }
        if deletedInCloud > 0 { parts.append("\(Phrase.count(deletedInCloud, "record")) deleted in CloudKit only") }
        let text = parts.joined(separator: parts.contains { $0.contains(":") } ? "; " : ", ")
        guard mergedMeters.isEmpty, addresses.count == 1, let address = addresses.first else { return text }
        return "\(address.text(in: letterCase)): \(text)"
    }

    private var quotedNames: String { deletedNames.map { "\"\($0)\"" }.joined(separator: ", ") }
}

extension ChangeSummary {
    /// Larger changes are only counted: reading them would take as long as making them did.
    private static let largest = 1 << 20
    /// Nor is a larger backup read for a few names. Bytes.
    private static let largestBackup = 1 << 26

    /// From the backup of a change. Nil where the changes are not there as they were written, or too many.
    /// - Throws: `StoreError` where the user asked to stop.
    static func words(
        of entry: BackupEntry, _ journal: BackupManifest, in letterCase: LetterCase
    ) throws(StoreError) -> String? {
        guard let changes = journal.changes, changes.digest.size <= largest else { return nil }
        var outline = ChangeSummary(letterCase)
        _ = try BackupEntry.ifReadable { () throws(StoreError) in
            try entry.forEachChange(changes) { line in outline.add(line) }
            if !outline.deletedRows.isEmpty, journal.files.reduce(0, { $0 + $1.digest.size }) <= largestBackup {
                let records = try entry.savedRecords(of: outline.deletedRows.sorted(), journal)
                let names = outline.deletedRows.compactMap { records[$0]?.shownName }
                outline.deletedNames = names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            }
        }
        return outline.words
    }

    static func words(
        ofTransaction number: Int64, in session: Session, _ changedFields: inout ChangedFields
    ) throws -> String? {
        let store = session.store
        var outline = ChangeSummary(store.letterCase)
        let numbers = Set(store.settings.map { $0.numbers } ?? [])
        try session.history?.forEachChange(inTransaction: number, session.database) { row in
            let change = row.change
            var address: MACAddress?
            if let object = change.object, numbers.contains(object.entityNumber), outline.objects == 0 {
                address = try store.record(in: object.row)?.usableAddress
            }
            let fields = change.entityNumber.flatMap { number in
                change.columns.flatMap { changedFields.names(in: $0, ofEntity: number) }
            }
            outline.add(
                change, entity: change.entityNumber.map(store.entityName) ?? "no entity", address, fields: fields)
        }
        return outline.words
    }
}

extension [ChangeLog.Field] {
    /// Of an update: `name "Workbench" → "Foo", updatedAt`.
    package var updatePhrase: String {
        ordered.map { field in
            guard field.isReadable, let delta = field.delta else { return field.word }
            return "\(field.word) \(delta.shown(delta.before)) → \(delta.shown(delta.after))"
        }.joined(separator: ", ")
    }

    /// What a record has that was made or deleted, as far as it tells a person something: `name "Foo", unit "celsius"`.
    package var contentsPhrase: String {
        ordered.compactMap { field in
            // The address is beside it.
            guard field.isReadable, field.name != SettingsField.macAddress.rawValue,
                let delta = field.delta, let value = [delta.after, delta.before].first(where: { !$0.isNull })
            else { return nil }
            return "\(field.word) \(delta.shown(value))"
        }.joined(separator: ", ")
    }

    /// What the user typed comes first, and what has no value that a person reads last.
    private var ordered: [ChangeLog.Field] {
        func rank(_ field: ChangeLog.Field) -> Int {
            if SettingsField(rawValue: field.name)?.survivorship == .userData { return 0 }
            return field.isReadable && field.delta != nil ? 1 : 2
        }
        return (0...2).flatMap { wanted in filter { rank($0) == wanted } }
    }
}

extension FieldDelta {
    /// At most 200 characters of a value: in a damaged store it may be a megabyte.
    fileprivate func shown(_ value: FieldValue) -> String {
        let text = value.quoted(as: field.kind)
        return text.count > 200 ? text.prefix(200) + "…" : text
    }
}

extension ChangeLog.Field {
    /// As the options of `set` call it, or else its own name.
    fileprivate var word: String {
        switch SettingsField(rawValue: name) {
        case .meterName: "name"
        case .tc66TemperatureUnit: "unit"
        case .modelType: "type"
        default: name
        }
    }

    /// Whether a value tells a person something in a line.
    fileprivate var isReadable: Bool {
        if let known = SettingsField(rawValue: name), known.role != .value { return false }
        return switch delta?.field.kind ?? .text {
        case .text, .integer, .boolean, .real: true
        case .date, .uuid, .binary: false
        }
    }
}
