internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// Texts of Core Data and its mirror that are the same for every user, and that the checks go by. Everything else is
/// replaced, so a word that is missing here costs a word in the copy and nothing more.
struct HarmlessWords {
    private let words: Set<String>
    /// The names of tables, columns, indexes and properties, which are in the statements of the schema anyway.
    private let names: Set<SQLName>
    /// Types of columns that have numbers in them, such as `VARCHAR(255)`, as they are in the statements of the schema.
    let numberedTypes: [[UInt8]]
    /// What the model that the store carries calls its version.
    private let versions: Set<String>

    /// - Parameter store: the names of its entities and properties are the app's.
    /// - Throws: SQLite's errors.
    init(_ store: StoreDescription, _ database: Database) throws {
        let entities = store.model?.entities ?? []
        var names = entities.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
        var types: Set<String> = []
        var tables: [String] = []
        try database.forEachRow("SELECT name, type = 'table' FROM sqlite_master") { row in
            names.append(row.text(0) ?? "")
            if row.integer(1) != 0 { tables.append(row.text(0) ?? "") }
        }
        // Those of a view may be anything, even a literal.
        let columns = try PreparedStatement(database, "SELECT name, type FROM pragma_table_xinfo(?)")
        for table in tables {
            // A virtual table may need a module that is not here.
            try? columns.forEachRow([.string(table)]) { row in
                names.append(row.text(0) ?? "")
                types.insert(row.text(1) ?? "")
            }
        }
        // That of a table is in the schema anyway; any other name in Z_PRIMARYKEY that no model has may be anybody's.
        let withoutTable = store.entitiesWithoutTable
        let listed = store.keys.entries.filter { store.keys.root(of: $0) == $0 && !withoutTable.contains($0) }
        self.init(
            entities: listed.map(\.name) + entities.map(\.name), names: names, types: types,
            versions: store.model?.versionIdentifiers ?? [])
    }

    init(entities: [String], names: [String], types: Set<String> = [], versions: [String] = []) {
        words = Self.always.union(entities).union(entities.map { "CD_\($0)" })
        self.names = Set((names + types + Self.ofSQL).map { SQLName($0) })
        numberedTypes = types.filter { $0.contains(where: \.isNumber) }.map { Array($0.utf8) }
            .sorted { $0.count > $1.count }
        self.versions = Self.versionsOfApp.union(versions)
    }

    func contains(_ text: String) -> Bool { words.contains(text) }

    /// Whether a literal in a statement of the schema, or a word in quotation marks, which may be a literal too, may stay:
    /// Core Data's triggers have names in them.
    func isOfSchema(_ text: String) -> Bool { names.contains(SQLName(text)) || words.contains(text) }

    /// Whether this is what the model's author calls a version, and nothing that somebody wrote into this store.
    func isVersion(_ text: String) -> Bool { versions.contains(text) }

    private static let versionsOfApp: Set = ["", "USB_Meter", "USB_Meter 2"]

    /// What may be in quotation marks though no schema declares it.
    private static let ofSQL = ["rowid", "oid", "_rowid_", "new", "old", "main", "temp", "binary", "nocase", "rtrim"]

    private static let always = Set(
        CloudKitMirror.Work.allCases.map(\.rawValue) + CloudKitMirror.Flag.allCases.map(\.rawValue)
            + MirrorFault.domains + [
                HistoryWriter.author, SettingsTable.entityName,
                // Entities of Core Data's own, also where their tables are gone.
                "CHANGE", "TRANSACTION", "TRANSACTIONSTRING", "NSCKRecordMetadata",
                // The app itself: its bundle, its process and its container in CloudKit.
                "ro.xdev.USB-Meter", "USB Meter", "USB-Meter", "iCloud.ro.xdev.USB-Meter",
                "NSCloudKitMirroringDelegateLastHistoryTokenKey",
                "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey",
                "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey",
                "PFCloudKitMetadataClientVersionHashesKey", "PFCloudKitMetadataModelVersionHashesKey",
                "PFCloudKitMetadataFrameworkVersionKey", "PFCloudKitMetadataNeedsMetadataMigrationKey",
                "com.apple.coredata.cloudkit.zone", "_defaultZone", "__defaultOwner__",
                // The name of the mirror's database.
                "Private", "Shared", "Public",
            ])
}
