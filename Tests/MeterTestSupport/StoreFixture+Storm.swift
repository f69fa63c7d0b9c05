internal import GRDB

extension StoreFixture {
    /// A save of the app, or of its mirror, that deletes and makes records: one transaction of a current history.
    package struct RecordSave: Sendable {
        package var deleted: [Int64]
        package var inserted: [FixtureRecord]
        /// Seconds since 2001.
        package var time: Double
        /// Whether every record that it deletes leaves the mirror's tables, as after an export.
        package var isUploaded = false
        /// Nil for none.
        package var author: String?
        package var context: String?
        package var process = StoreFixture.process

        package init(deleting deleted: [Int64] = [], making inserted: [FixtureRecord] = [], at time: Double) {
            self.deleted = deleted
            self.inserted = inserted
            self.time = time
        }

        package func with(_ change: (inout RecordSave) -> Void) -> RecordSave {
            var save = self
            change(&save)
            return save
        }
    }

    /// The same store after more saves. The mirror's token stays where it is.
    package func saved(_ saves: [RecordSave]) -> StoreFixture {
        damagedFurther { database in for save in saves { try write(save, to: database) } }
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

    private func write(_ save: RecordSave, to database: Database) throws {
        let next = try Int64.fetchOne(database, sql: "SELECT MAX(Z_PK) + 1 FROM ATRANSACTION") ?? 1
        func number(_ text: String?) throws -> FixtureValue {
            guard let text else { return .null }
            let known = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?"
            if let known = try Int64.fetchOne(database, sql: known, arguments: [text]) { return .integer(known) }
            try database.execute(
                sql: "INSERT INTO ATRANSACTIONSTRING SELECT MAX(Z_PK) + 1, 16003, NULL, ? FROM ATRANSACTIONSTRING",
                arguments: [text])
            return .integer(database.lastInsertedRowID)
        }
        try insert(
            [
                ("Z_PK", .integer(next)), ("Z_ENT", 16002), ("ZTIMESTAMP", .real(save.time)),
                ("ZAUTHORTS", number(save.author)), ("ZBUNDLEIDTS", number(Self.bundle)),
                ("ZPROCESSIDTS", number(save.process)), ("ZCONTEXTNAMETS", number(save.context)),
            ], into: "ATRANSACTION", of: database)
        for row in save.deleted {
            try database.execute(sql: "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = ?", arguments: [row])
            guard save.isUploaded else { continue }
            try database.execute(
                sql: "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYID = ? AND ZENTITYPK = ?",
                arguments: [settingsNumber, row])
        }
        for record in save.inserted { try write(record, to: database) }
        for (type, row) in save.deleted.map({ (2, $0) }) + save.inserted.map({ (0, $0.row) }) {
            try database.execute(
                sql: """
                    INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
                    SELECT MAX(Z_PK) + 1, 16001, ?, ?, ?, ? FROM ACHANGE
                    """, arguments: [type, settingsNumber, row, next])
        }
        try database.execute(
            sql: """
                UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ATRANSACTION) WHERE Z_NAME = 'TRANSACTION';
                UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ACHANGE) WHERE Z_NAME = 'CHANGE';
                UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ATRANSACTIONSTRING)
                    WHERE Z_NAME = 'TRANSACTIONSTRING';
                UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(Z_MAX, (SELECT COALESCE(MAX(Z_PK), 0) FROM ZDEVICESETTINGS))
                    WHERE Z_NAME = 'DeviceSettings';
                """)
    }
}
