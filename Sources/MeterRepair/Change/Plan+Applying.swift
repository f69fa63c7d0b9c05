internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterStore

extension Plan {
    /// Carries the plan out, change by change. Call inside a transaction.
    /// - Parameter rows: of the plan.
    func apply(_ rows: PlannedRows, in session: MeterSession) throws {
        WorkProgress.begin("writing", of: changeCount, .changes)
        // A trigger of another tool would run with whatever is written before it is gone.
        for change in schemaChanges where change.isTrigger { try change.apply(session.database) }
        for change in schemaChanges where !change.isTrigger { try change.apply(session.database) }
        // Without a change of a record there is nothing for the history, and no transaction in it.
        if changesRecords {
            // The history says by the model which attributes change: after a migration, by the new one.
            let isMigrated = schemaChanges.contains(where: \.isOfModel)
            try applyRecordChanges(rows, in: isMigrated ? session.describedAgain() : session)
        }
        guard !metadataChanges.isEmpty else { return }
        var metadata = session.description.metadata
        // If it was lost, it is written again.
        metadata.dictionary = applied(to: metadata.dictionary)
        try metadata.write(to: session.database)
    }

    private func applyRecordChanges(_ rows: PlannedRows, in session: MeterSession) throws {
        var writer = try SettingsWriter(
            session.settings, session.description, now: session.store.now, expecting: changeCount, session.database)
        var done = 0
        for change in rows.changes(isConstrained: !session.settings.uniqueIndexes.isEmpty) {
            done += 1
            if done & 0x3FF == 0 { WorkProgress.advance(.changes, by: 0x400) }
            switch change {
            case .delete(let deletion): try writer.delete(deletion)
            case .update(let update): try writer.update(update)
            case .insert(let insertion): try writer.insert(insertion)
            }
        }
        for deletion in rows.gone { try writer.delete(deletion) }
        try writer.finish()
    }

    /// A metadata dictionary as the plan leaves it; nil stays nil where the plan says nothing of it.
    func applied(to dictionary: [String: PropertyList]?) -> [String: PropertyList]? {
        guard !metadataChanges.isEmpty else { return dictionary }
        return metadataChanges.reduce(into: dictionary ?? [:]) { $0[$1.key] = $1.after.propertyList }
    }
}

extension SchemaChange {
    fileprivate var isTrigger: Bool { if case .dropForeign(.trigger, _, _, _) = self { true } else { false } }

    /// Carries it out. Call inside a transaction.
    func apply(_ database: Database) throws {
        switch self {
        case .dropIndex, .dropForeign, .addColumn, .createTable, .createIndex: try database.execute(sql: statement)
        // Done before the plan was made, which was read by it.
        case .remakeIndex: break
        case .addEntity(let number, let name, let parent):
            try PreparedStatement(database, statement)
                .run([.integer(number), .text(Array(name.utf8)), .integer(parent)])
        case .modelCache(let content):
            guard try PreparedStatement(database, statement).run([.blob(content)]) == 0 else { return }
            try PreparedStatement(database, "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)").run([.blob(content)])
        case .lastRow(_, let number, _, let after):
            try PreparedStatement(database, statement).run([.integer(after), .integer(number)])
        case .entityNumber(_, let row, _, let after):
            try PreparedStatement(database, statement).run([.integer(after), .integer(row)])
        }
    }
}

extension MetadataChange.Value {
    /// As it is in the store's metadata dictionary.
    var propertyList: PropertyList {
        switch self {
        case .number(let number): .integer(number)
        case .flag(let flag): .bool(flag)
        case .legacyImport(let date, let sha256):
            .dictionary(["date": .date(date.secondsSince2001), "sha256": .string(sha256)])
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map(PropertyList.string))
        case .hashes(let hashes): .dictionary(hashes.mapValues(PropertyList.data))
        }
    }

    /// The value in the metadata under one of Core Data's own keys; nil for a value of another type.
    init?(_ list: PropertyList?) {
        switch list {
        case .integer(let number): self = .number(number)
        case .bool(let flag): self = .flag(flag)
        case .string(let text): self = .text(text)
        case .array(let elements) where elements.allSatisfy { $0.string != nil }:
            self = .texts(elements.compactMap(\.string))
        case .dictionary(let members) where members.values.allSatisfy { $0.data != nil }:
            self = .hashes(members.compactMapValues(\.data))
        default: return nil
        }
    }
}
