package import CoreDataStore
internal import Foundation
internal import GRDB

/// The key-value database of macOS 12 and later, as far as it is known from descriptions.
package struct KeyValueDatabaseFixture: Sendable {
    /// One app's key-value store.
    package struct App: Sendable {
        package var identifier: String?
        package var values: [String: PropertyList]

        package init(_ identifier: String?, _ values: [String: PropertyList]) {
            self.identifier = identifier
            self.values = values
        }
    }

    package var apps: [App]
    /// Whether the main file has the tables and the `-wal` beside it all rows.
    package var rowsInLogOnly: Bool
    /// The name of the relationship from a value to its app's store.
    package var relationship: String

    package init(_ apps: [App], rowsInLogOnly: Bool = false, relationship: String = "store") {
        self.apps = apps
        self.rowsInLogOnly = rowsInLogOnly
        self.relationship = relationship
    }

    private var model: ManagedObjectModel {
        ManagedObjectModel(
            entities: [
                Entity(
                    "SYDManagedKeyValue",
                    attributes: [Attribute("key", .string), Attribute("plistDataValue", .binary)],
                    relationships: [Relationship(relationship, to: "SYDManagedStore", inverse: "keyValues")]),
                Entity(
                    "SYDManagedStore", attributes: [Attribute("identifier", .string)],
                    relationships: [
                        Relationship("keyValues", to: "SYDManagedKeyValue", inverse: relationship, maxCount: 0)
                    ]),
            ], versionIdentifiers: [""])
    }

    /// Makes the database's files. There must be none at `path`.
    package func write(to path: String) throws {
        let workshop = try TemporaryFolder()
        defer { withExtendedLifetime(workshop) {} }
        let draft = workshop.path + "/draft.sqlite"
        try StoreCreator.create(
            at: draft, model: model,
            options: StoreOptions(storeUUID: FixtureUUID(3).text, history: rowsInLogOnly ? .current : .none))
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        let queue = try DatabaseQueue(path: draft, configuration: configuration)
        try queue.write { try fill($0) }
        if !rowsInLogOnly {
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        // The log outlives its connection only as a copy made while the connection is open.
        for suffix in rowsInLogOnly ? ["", "-wal"] : [""] {
            try FileManager.default.copyItem(atPath: draft + suffix, toPath: path + suffix)
        }
        try queue.close()
    }

    private func fill(_ database: Database) throws {
        var row = 0
        for (index, app) in apps.enumerated() {
            try database.execute(
                sql: "INSERT INTO ZSYDMANAGEDSTORE (Z_PK, Z_ENT, Z_OPT, ZIDENTIFIER) VALUES (?, 2, 1, ?)",
                arguments: [index + 1, app.identifier])
            for (key, value) in app.values.sorted(by: { $0.key < $1.key }) {
                row += 1
                try database.execute(
                    sql: """
                        INSERT INTO ZSYDMANAGEDKEYVALUE
                        (Z_PK, Z_ENT, Z_OPT, "Z\(relationship.uppercased())", ZKEY, ZPLISTDATAVALUE)
                        VALUES (?, 1, 1, ?, ?, ?)
                        """,
                    arguments: [row, index + 1, key, Data(value.binaryPropertyList())])
            }
        }
        let set = #"UPDATE "Z_PRIMARYKEY" SET "Z_MAX" = ? WHERE "Z_NAME" = ?"#
        try database.execute(sql: set, arguments: [row, "SYDManagedKeyValue"])
        try database.execute(sql: set, arguments: [apps.count, "SYDManagedStore"])
    }
}
