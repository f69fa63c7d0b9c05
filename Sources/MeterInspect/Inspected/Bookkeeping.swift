package import CoreDataStore
package import GRDB
package import MeterModel

/// What of Core Data's own numbers in a store is wrong, and how it is to be.
package struct Bookkeeping {
    /// Last row numbers that rows have gone past, by entity number.
    package let lastRows: [SchemaChange]
    /// Rows with the number of another entity, by table and row number.
    package let entityNumbers: [SchemaChange]
    /// Tables with such rows whose entity nobody can tell, or that cannot be written to, and why.
    package let obstacles: [Obstacle]

    package struct Obstacle: Hashable, Sendable {
        package let table: SQLName
        package let rows: Int
        package let reason: String
    }

    /// - Parameter dropped: triggers that are dropped before anything is written.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(
        of store: StoreDescription, without dropped: [StoreSchema.Attachment], _ database: Database
    ) throws {
        var lastRows: [SchemaChange] = []
        var entityNumbers: [SchemaChange] = []
        var obstacles: [Obstacle] = []
        for entity in store.entityTables + store.mirrorTables {
            let largest = try entity.largestRow(database)
            if largest > entity.root.lastRow {
                lastRows.append(
                    .lastRow(
                        entity: entity.root.name, number: entity.root.number, before: entity.root.lastRow,
                        after: largest))
            }
        }
        for entity in store.entityTables {
            let strangers = try entity.strangers(database)
            guard !strangers.isEmpty else { continue }
            let table = entity.table.name
            switch try Self.number(of: strangers, in: entity, of: store, without: dropped, database) {
            case .known(let number):
                entityNumbers += strangers.map {
                    .entityNumber(table: table.text, row: $0.row, before: $0.number, after: number)
                }
            case .unknown(let reason):
                obstacles.append(Obstacle(table: table, rows: strangers.count, reason: reason))
            }
        }
        self.lastRows = lastRows
        self.entityNumbers = entityNumbers
        self.obstacles = obstacles
    }

    /// The entity number that the rows of a table have.
    enum Number {
        case known(Int64)
        /// Or not one that can be written there, and why.
        case unknown(String)
    }

    /// - Parameters:
    ///   - rows: those of a table with other numbers.
    ///   - entity: that of the table.
    /// - Throws: SQLite's errors.
    static func number(
        of rows: [(row: Int64, number: Int64?)], in entity: EntityRows, of store: StoreDescription,
        without dropped: [StoreSchema.Attachment], _ database: Database
    ) throws -> Number {
        let table = entity.table
        if let trigger = store.schema.triggers.first(where: { $0.table == table.name && !dropped.contains($0) }) {
            return .unknown("the trigger \(trigger.name) would run with it")
        }
        guard table.rowNumberColumn == "Z_PK", table.keepsNumbers(in: ["Z_ENT"]),
            !store.schema.misnamed.contains(table.name)
        else { return .unknown("another tool recreated the table") }
        let unlisted = Set(rows.filter { $0.number.map { store.keys[number: $0] == nil } ?? false }.map(\.row))
        var isKnownToMirror = false
        if !unlisted.isEmpty {
            try store.mirror?.forEachRecord(database) { record in
                if store.keys[number: record.entityNumber] == nil, unlisted.contains(record.row) {
                    isKnownToMirror = true
                }
            }
        }
        guard !isKnownToMirror else {
            return .unknown("CloudKit's mirror knows such rows by the number they have, so Z_PRIMARYKEY may be wrong")
        }
        // An abstract entity has no rows. Without a model, none is known to be one.
        let concrete = entity.numbers.filter { number in
            let name = store.keys[number: number]?.name ?? ""
            return store.model?[entity: name]?.isAbstract != true
        }
        if let number = concrete.first, concrete.count == 1 { return .known(number) }
        let names = entity.numbers.map { store.keys[number: $0]?.name ?? "entity \($0)" }
        return .unknown("the table holds \(Phrase.list(names)), and nothing says which of them a row is")
    }
}

/// The marker that a canonical rebuild leaves in the store's metadata dictionary, where Core Data keeps an app's own
/// keys. It is evidence only: a rebuild plans from the data.
package enum RebuildMarker {
    package static let key = "cloudStoreRebuildVersion"
    /// The canonical rebuild v3.
    package static let current: Int64 = 3

    /// What a rebuild leaves of the marker; nil where it stays as it is, for it is never lowered.
    package static func change(from version: Int64?) -> MetadataChange? {
        guard version ?? 0 < current else { return nil }
        return MetadataChange(key: key, before: version.map(MetadataChange.Value.number), after: .number(current))
    }

    /// The latest version that the store claims; nil if it claims none. One page of the app's documentation describes
    /// the marker as a boolean under a key that ends in the version.
    static func version(in metadata: StoreMetadata) -> Int64? { version(in: metadata.dictionary ?? [:]) }

    static func version(in dictionary: [String: PropertyList]) -> Int64? {
        let flags = dictionary.compactMap { name, value -> Int64? in
            guard value == .bool(true), name.hasPrefix(key + ".") else { return nil }
            return Int64(name.dropFirst(key.count + 1))
        }
        // A number that is too large for the marker is later than any rebuild, and is not lowered either.
        let number: Int64? = if case .unsigned? = dictionary[key] { .max } else { dictionary[key]?.integer }
        return ([number].compactMap(\.self) + flags).max()
    }

    static func isDone(_ version: Int64?) -> Bool { version.map { $0 >= current } ?? false }
}

/// The mark that an import of legacy values leaves in the store's metadata dictionary: when it happened, and of which dump.
package struct LegacyImportMark: Hashable, Sendable {
    package static let key = "legacyKeyValueImport"

    package let date: Timestamp
    /// Of the dump's bytes, in hex.
    package let sha256: String

    /// Of the last import that changed the store; nil if none has left a mark, or if it cannot be read.
    package init?(in metadata: StoreMetadata) {
        guard let mark = metadata.dictionary?[Self.key]?.dictionary, case .date(let date)? = mark["date"],
            let sha256 = mark["sha256"]?.string
        else { return nil }
        self.date = Timestamp(secondsSince2001: date)
        self.sha256 = sha256
    }

    package var value: MetadataChange.Value { .legacyImport(date: date, sha256: sha256) }
}

/// What a migration leaves in the metadata dictionary of a mirrored store, so that the mirror fetches every zone once
/// more: newer devices may have uploaded values of the new attributes, which this store ignored until now. Core Data's
/// own migrations set it, only that it is there counts, and the mirror removes it (from descriptions of Apple's code).
/// That a migration from outside has to set it too is inferred.
package enum ZoneFetchMarker {
    package static let key = "PFCloudKitMetadataNeedsZoneFetchAfterClientMigrationKey"

    static func isThere(in metadata: StoreMetadata) -> Bool { metadata.dictionary?[key] != nil }
}
