package import GRDB

/// How far the mirror has read the history, from its metadata entry `NSCloudKitMirroringDelegateLastHistoryTokenKey`. It
/// exports what comes after the transaction with this number, by number; dates and authors play no part in that.
/// (From descriptions of Apple's code.)
public enum HistoryToken: Hashable, Sendable {
    /// There is none yet: the mirror reads the whole history.
    case none
    /// It names a transaction of this store. If that one is no longer there, the mirror cannot go on: it deletes the
    /// mirrored rows and downloads them again (error 134301).
    case transaction(Int64, exists: Bool)
    /// It was made for other stores: the mirror reads the whole history.
    case otherStore
    /// It cannot be decoded, and what the mirror makes of that is not known.
    case unreadable

    /// The last transaction that the mirror has read; 0 where it reads the whole history.
    package var transaction: Int64 {
        switch self {
        case .transaction(let number, _): number
        case .none, .otherStore, .unreadable: 0
        }
    }

    /// Whether the mirror deletes the mirrored rows and downloads them again.
    package var forcesReset: Bool { if case .transaction(_, exists: false) = self { true } else { false } }

    /// Whether the mirror cannot go on from where it was.
    package var isLost: Bool {
        switch self {
        case .none: false
        case .transaction(_, let exists): !exists
        case .otherStore, .unreadable: true
        }
    }

    /// Decodes the value of the entry.
    /// - Parameter bytes: a keyed archive of `_NSPersistentHistoryToken`, which has the number for each store's UUID.
    fileprivate init(archive bytes: [UInt8], store: String?, exists: (Int64) throws -> Bool) rethrows {
        guard let numbers = Self.numbers(in: bytes) else {
            self = .unreadable
            return
        }
        guard let number = numbers.first(where: { $0.store == store })?.number else {
            self = .otherStore
            return
        }
        self = number > 0 ? .transaction(number, exists: try exists(number)) : .none
    }

    /// The identities of the stores that an archived token names; nil where it cannot be decoded.
    static func stores(in bytes: [UInt8]) -> Set<String>? { numbers(in: bytes).map { Set($0.map(\.store)) } }

    private static func numbers(in bytes: [UInt8]) -> [(store: String, number: Int64)]? {
        guard let list = try? PropertyList(binary: bytes), var archive = try? KeyedArchive(list, steps: 10_000),
            archive.root.className.hasSuffix("NSPersistentHistoryToken"),
            let entries = try? archive.entries(archive.root.values["NSPersistentHistoryTokenDictionary"])
        else { return nil }
        return entries.compactMap { store, reference in
            (try? archive.integer(reference)).flatMap { $0 }.map { (store, $0) }
        }
    }
}

extension CloudKitMirror {
    static let tokenKey = "NSCloudKitMirroringDelegateLastHistoryTokenKey"

    /// The identities of the stores that the token names; nil where there is none that can be decoded.
    func storesOfToken(_ database: Database) throws -> Set<String>? {
        try entry(Self.tokenKey, database)?.transformed.flatMap(HistoryToken.stores)
    }

    /// Reads the token, and whether its transaction is in the history.
    /// - Throws: SQLite's errors.
    package func historyToken(of store: StoreDescription, _ database: Database) throws -> HistoryToken {
        let tokens = try entries(Self.tokenKey, database).compactMap(\.transformed).map { archive in
            try HistoryToken(archive: archive, store: store.metadata.uuid) { number in
                try store.history != nil
                    && database.hasRow("SELECT 1 FROM ATRANSACTION WHERE Z_PK = ?", [.integer(number)])
            }
        }
        // Of several, nobody knows which one the mirror takes: the worst counts.
        return tokens.first(where: \.forcesReset) ?? tokens.first(where: \.isLost) ?? tokens.first ?? .none
    }

    /// The record name of the iCloud account that the mirror saw last; nil if it noted none.
    /// - Throws: SQLite's errors.
    package func account(_ database: Database) throws -> String? {
        try entry("NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey", database)?.text
    }

    /// What the mirror notes about work that it has not finished.
    package enum Flag: String, CaseIterable, Sendable {
        /// The next export leaves out the history.
        case bypassesHistory = "NSCloudKitMirroringDelegateBypassHistoryOnExportKey"
        /// The next export looks for rows without record metadata.
        case scansForRows = "NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey"
        /// A migration of the mirror's own tables has begun.
        case migrationBegan = "PFCloudKitMetadataModelMigratorMigrationBeganCommitKey"
    }

    /// - Throws: SQLite's errors.
    package func flags(_ database: Database) throws -> [Flag] {
        try Flag.allCases.filter { try entry($0.rawValue, database)?.flag ?? false }
    }

    /// What a row of `ANSCKMETADATAENTRY` has for its key.
    private struct Entry {
        let flag: Bool
        let text: String?
        /// Nil where it is no BLOB.
        let transformed: [UInt8]?
    }

    /// The first row of `ANSCKMETADATAENTRY` with this key.
    private func entry(_ key: String, _ database: Database) throws -> Entry? { try entries(key, database).first }

    /// The rows of `ANSCKMETADATAENTRY` with this key: damage where there are several.
    private func entries(_ key: String, _ database: Database) throws -> [Entry] {
        guard let table = table("METADATAENTRY"), table.has("ZKEY") else { return [] }
        return try database.rows(
            """
            SELECT \(table.expression("ZBOOLVALUENUM")), \(table.expression("ZTRANSFORMEDVALUE")),
            \(table.expression("ZSTRINGVALUE"))
            FROM \(table.name.quotedIdentifier) WHERE ZKEY = ? ORDER BY \(table.expression("Z_PK"))
            """, [.string(key)]
        ) { row in
            Entry(
                flag: row.integer(0) != 0, text: row.text(2),
                transformed: row.storageClass(1) == .blob ? Array(row.bytes(1)) : nil)
        }
    }
}
