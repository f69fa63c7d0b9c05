internal import CoreDataStore
internal import Digests
internal import GRDB
internal import MeterModel
internal import Texts

/// The two tables of a key-value database; the columns are found by their names.
struct KeyValueTables {
    /// One app's key-value store.
    struct App {
        /// `Z_PK` in the table of stores; nil for rows that belong to no store.
        let row: Int64?
        /// The app's, for example `ro.xdev.USB-Meter`.
        let identifier: String
    }

    private let database: Database
    private let name: String
    private let table: String
    private let key: String
    private let value: String
    /// The column that refers to the table of stores.
    private let store: String?
    private let stores: (table: String, identifier: String)?

    init(_ database: Database, name: String) throws {
        let schema = try StoreSchema(database)
        guard let table = schema.tables["ZSYDMANAGEDKEYVALUE"], let key = table.column(["ZKEY"]),
            let value = table.column(["ZPLISTDATAVALUE", "PLISTDATA"])
        else {
            let isSettings = schema.tables["ZDEVICESETTINGS"] != nil
            throw StoreError(
                .damaged, at: name, "a database, but no key-value database: it has no table ZSYDMANAGEDKEYVALUE",
                hint: isSettings
                    ? "this is a store of the app: name the dump first, then the store"
                    : "the key-value database is named com.apple.KeyValueService-Production.sqlite")
        }
        self.database = database
        self.name = name
        self.table = table.name.quotedIdentifier
        self.key = key.quotedIdentifier
        self.value = value.quotedIdentifier
        let stores = schema.tables["ZSYDMANAGEDSTORE"]
        let owner = stores == nil ? nil : table.column(["ZMANAGEDSTORE", "ZSTORE", "STORE"], type: "INTEGER")
        store = owner?.quotedIdentifier
        self.stores = stores.flatMap { stores in
            stores.column(["ZIDENTIFIER"]).map { (stores.name.quotedIdentifier, $0.quotedIdentifier) }
        }
    }

    /// The app that has the dictionaries.
    /// - Parameter error: what is thrown if no app has them; nil for one that lists what there is.
    func app(identifier: String?, ifNone error: StoreError?) throws -> App {
        let owner = store ?? "NULL"
        var apps = try database.rows(
            "SELECT DISTINCT \(owner) FROM \(table) WHERE \(key) IN (?, ?) ORDER BY 1 LIMIT 1000", Self.names
        ) { row in
            let owner = row.storageClass(0) == .integer ? row.integer(0) : nil
            return App(row: owner, identifier: try self.identifier(ofStore: owner))
        }
        guard !apps.isEmpty else { throw try error ?? DumpError.neither(keys()).storeError(at: name) }
        let all = apps.map(\.identifier).sorted(byBytesOf: \.self)
        if let identifier { apps.removeAll { !$0.identifier.utf8.elementsEqual(identifier.utf8) } }
        switch apps.count {
        case 0: throw DumpError.noSuchApp(identifier ?? "", among: all).storeError(at: name)
        case 1: return apps[0]
        default: throw DumpError.severalApps(all).storeError(at: name)
        }
    }

    private static var names: [SQLiteBinding] { LegacyDictionary.allCases.map { .string($0.rawValue) } }

    func entries(of app: App) throws -> [DumpEntry] {
        var entries: [DumpEntry] = []
        for dictionary in LegacyDictionary.allCases {
            var found: [UInt8]?
            var rows = 0
            try database.forEachRow(
                "SELECT \(value) FROM \(table) WHERE \(condition(for: app)) AND \(key) = ?",
                binding(for: app) + [.string(dictionary.rawValue)]
            ) { row in
                rows += 1
                found = row.storageClass(0) == .null ? nil : Array(row.bytes(0))
            }
            guard rows <= 1 else { throw damaged("\(dictionary.rawValue) occurs \(rows) times in one app's store") }
            guard let found else { continue }
            do {
                try entries.append(dictionary, from: try PropertyList(valueOfDatabase: found))
            } catch {
                throw damaged("the value of \(dictionary.rawValue): \(error.reason)")
            }
        }
        return entries
    }

    /// Keys of the app other than the two.
    func ignoredKeyCount(beside app: App) throws -> Int {
        Int(
            try database.integer(
                of: "SELECT COUNT(*) FROM \(table) WHERE \(condition(for: app)) AND IFNULL(\(key), '') NOT IN (?, ?)",
                binding(for: app) + Self.names))
    }

    private func condition(for app: App) -> String {
        guard let store else { return "1" }
        return app.row == nil ? "\(store) IS NULL" : "\(store) = ?"
    }

    private func binding(for app: App) -> [SQLiteBinding] {
        guard store != nil, let row = app.row else { return [] }
        return [.integer(row)]
    }

    private func identifier(ofStore row: Int64?) throws -> String {
        guard let row else { return "without identifier" }
        var identifier: String?
        if let stores {
            try database.forEachRow(
                "SELECT \(stores.identifier) FROM \(stores.table) WHERE Z_PK = ?", [.integer(row)]
            ) { identifier = $0.text(0) ?? identifier }
        }
        return identifier ?? "number \(row)"
    }

    private func keys() throws -> [String] {
        try database.rows(
            "SELECT DISTINCT \(key) FROM \(table) WHERE \(key) NOT NULL ORDER BY \(key) COLLATE BINARY LIMIT 100000"
        ) { String(decoding: $0.bytes(0), as: UTF8.self) }
    }

    private func damaged(_ message: String) -> StoreError { StoreError(.damaged, at: name, message) }
}

extension PropertyList {
    /// A value in a row of the database: binary, or XML if a tool rewrote it.
    fileprivate init(valueOfDatabase bytes: [UInt8]) throws(DumpError) {
        guard bytes.count <= DumpLimits.inputBytes else { throw DumpError("more than \(DumpLimits.inputBytes) bytes") }
        switch DumpSyntax(of: bytes) {
        case .xmlPropertyList: try self.init(xml: bytes)
        default: try self.init(binaryDump: bytes)
        }
    }
}

extension StoreSchema.Table {
    /// The first column with one of these names; failing that, the first by name that contains the last of `names`.
    fileprivate func column(_ names: [SQLName], type: String? = nil) -> SQLName? {
        let candidates = columns.filter { type == nil || $0.declaredType == type }.map(\.name).sorted()
        for name in names {
            if let exact = candidates.first(where: { $0 == name }) { return exact }
        }
        guard names.count > 1, let part = names.last else { return nil }
        return candidates.first { $0.contains(part) }
    }
}

extension KeyValueDump {
    /// Reads the key-value stores of all apps as macOS 12, iOS 15 and later keep them in one Core Data store. Its layout is
    /// known from descriptions only, so tables and columns are found by what is in their names.
    init(database path: String, name: String, identifier: String?) throws(StoreError) {
        do {
            self = try StoreConnection.look(at: path) { connection, database in
                let isWithoutLog = connection.files.header.isWAL && !connection.files.has("-wal")
                let tables = try KeyValueTables(database, name: path)
                let missingLog = StoreError(
                    .damaged, at: name,
                    "the -wal of this database is missing: the names are not in the main file alone",
                    hint: "ask for the file with the same name and -wal at its end, from the same folder, and put it "
                        + "beside it")
                // What it seems to lack may all be in its log.
                let app = try tables.app(identifier: identifier, ifNone: isWithoutLog ? missingLog : nil)
                let note = "the -wal of the database is missing: it may have newer names than the ones that were read"
                let dump = KeyValueDump(
                    entries: try tables.entries(of: app), format: Format(.database, .app(app.identifier)),
                    ignoredKeys: try tables.ignoredKeyCount(beside: app),
                    warnings: isWithoutLog ? [note] : [], sha256: try Self.digest(of: connection.files))
                // A private copy is consistent, but the digest is that of the files themselves.
                try connection.confirmUnchanged()
                return dump
            }
        } catch {
            // With the name that the user knows.
            throw error.path == path ? StoreError(error.kind, at: name, error.message, hint: error.hint) : error
        }
    }

    private static func digest(of files: StoreFiles) throws(StoreError) -> String {
        var hash = SHA256Hasher()
        for suffix in ["", "-wal"] where files.has(suffix) {
            let input = try FileInput(files.resolvedPath + suffix)
            while let bytes = try input.nextChunk() { bytes.withUnsafeBytes { hash.update($0) } }
        }
        return Hexadecimal.text(of: hash.finalize())
    }
}
