internal import CoreDataStore
package import GRDB
internal import MeterStore

/// A save after the records of a fixture were made: one transaction of a current history. Times are seconds since
/// 2001-01-01, by the clock of the device.
package struct FixtureSave: Sendable {
    package enum Change: Sendable {
        case insert(FixtureRecord)
        /// The new values by attribute.
        case update(Int64, [String: FixtureValue])
        case delete(Int64)
        /// Anything else. No transaction tells of it.
        case sql(String)
    }

    package static let mirrorImport = "NSCloudKitMirroringDelegate.import"

    package var changes: [Change]
    package var time: Double
    /// Nil for the app.
    package var author: String?
    package var context: String?
    package var process = StoreFixture.process
    /// Whether every record that it deletes leaves the mirror's tables, as after an export.
    package var isUploaded = false

    package init(_ changes: [Change], at time: Double, isImport: Bool = false) {
        self.changes = changes
        self.time = time
        author = isImport ? Self.mirrorImport : nil
    }

    package init(deleting deleted: [Int64] = [], making inserted: [FixtureRecord] = [], at time: Double) {
        self.init(deleted.map(Change.delete) + inserted.map(Change.insert), at: time)
    }

    package static func made(_ row: Int64, at time: Double) -> FixtureSave {
        FixtureSave([.insert(FixtureRecord(row: row))], at: time)
    }

    package static func came(_ row: Int64, at time: Double) -> FixtureSave {
        FixtureSave([.insert(FixtureRecord(row: row))], at: time, isImport: true)
    }

    package static func went(_ row: Int64, at time: Double) -> FixtureSave {
        FixtureSave([.delete(row)], at: time, isImport: true)
    }

    /// An update of these attributes, as the history tells of it.
    package static func changed(
        _ rows: Int64..., isImport: Bool = false, at time: Double, _ fields: [String] = ["updatedAt"]
    ) -> FixtureSave {
        let values = Dictionary(uniqueKeysWithValues: fields.map { ($0, FixtureValue.null) })
        return FixtureSave(rows.map { .update($0, values) }, at: time, isImport: isImport)
    }

    /// An update of these attributes and of `updatedAt`.
    package static func update(_ row: Int64, _ values: [String: FixtureValue], at time: Double) -> FixtureSave {
        FixtureSave([.update(row, values.merging(["updatedAt": .real(time)]) { value, _ in value })], at: time)
    }

    package static func delete(_ row: Int64, at time: Double) -> FixtureSave { FixtureSave([.delete(row)], at: time) }

    package static func sql(_ sql: String) -> FixtureSave { FixtureSave([.sql(sql)], at: 0) }

    func updates(_ row: Int64) -> Bool { changes.contains { if case .update(row, _) = $0 { true } else { false } } }

    package func with(_ change: (inout FixtureSave) -> Void) -> FixtureSave {
        var save = self
        change(&save)
        return save
    }
}

extension StoreFixture {
    /// The same store after more saves. The mirror's token stays where it is.
    package func saved(_ saves: [FixtureSave]) -> StoreFixture {
        damagedFurther { database in for save in saves { try write(save, to: database) } }
    }

    /// The fixture with a history of these saves and no others, of which only the history tells.
    /// - Parameter first: the number of the first transaction.
    package func told(_ saves: [FixtureSave], from first: Int64 = 1) -> StoreFixture {
        damagedFurther { database in
            try database.execute(
                sql: """
                    DELETE FROM ACHANGE; DELETE FROM ATRANSACTION;
                    INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (99, 16003, '\(FixtureSave.mirrorImport)')
                    """)
            for (number, save) in zip(first..., saves) { try tell(of: save, number: number, to: database) }
            try database.execute(
                sql: """
                    UPDATE Z_PRIMARYKEY SET Z_MAX = 1000
                    WHERE Z_NAME IN ('CHANGE', 'TRANSACTION', 'TRANSACTIONSTRING')
                    """)
        }
    }

    /// The fixture with SQL after what has happened to it already.
    package func damagedFurther(_ sql: String) -> StoreFixture { damagedFurther { try $0.execute(sql: sql) } }

    private func damagedFurther(_ body: @escaping @Sendable (Database) throws -> Void) -> StoreFixture {
        with { [damage] fixture in
            fixture.damage = { database in
                try damage?(database)
                try body(database)
            }
        }
    }

    /// A save and its transaction.
    package func write(_ save: FixtureSave, to database: Database) throws {
        for change in save.changes {
            switch change {
            case .insert(let record): try write(record, to: database)
            case .update(let row, let values):
                let columns = values.map { ("Z" + $0.key.uppercased(), $0.value) }
                let settings = columns.map { "\"\($0.0)\" = ?" }.joined(separator: ", ")
                try database.execute(
                    sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT + 1, \(settings) WHERE Z_PK = ?",
                    arguments: StatementArguments(columns.map(\.1) + [.integer(row)]))
            case .delete(let row):
                try database.execute(sql: "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = ?", arguments: [row])
                guard save.isUploaded else { continue }
                try database.execute(
                    sql: "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYID = ? AND ZENTITYPK = ?",
                    arguments: [settingsNumber, row])
            case .sql(let sql):
                try database.execute(sql: sql)
                return
            }
        }
        try tell(of: save, to: database)
        try writeHistoryNumbers(to: database)
        try database.execute(
            sql: """
                UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(Z_MAX, (SELECT COALESCE(MAX(Z_PK), 0) FROM ZDEVICESETTINGS))
                WHERE Z_NAME = 'DeviceSettings'
                """)
    }
}
