internal import CoreDataStore
internal import GRDB
internal import MeterStore

extension StoreFixture {
    package static let bundle = "ro.xdev.USB-Meter"
    package static let process = "USB Meter"

    /// When the app's transactions begin; there is one a minute from then on.
    private static let firstTransaction = FixtureClock.now - 50 * FixtureClock.day

    /// The app's own transaction that inserted `record`, as Core Data notes it.
    func writeInsertion(of record: FixtureRecord, transaction: Int64, to database: Database) throws {
        if history == .current, transaction == 1 {
            for name in [Self.bundle, Self.process] { _ = try number(of: name, in: database) }
        }
        // No time is a whole number in a real store.
        let time = Self.firstTransaction + Double(transaction) * FixtureClock.minute + 0.453125
        try tell(of: FixtureSave(making: [record], at: time), number: transaction, to: database)
    }

    /// What the history tells of a save.
    /// - Parameter number: of its transaction; nil for the next one.
    func tell(of save: FixtureSave, number: Int64? = nil, to database: Database) throws {
        let origin: [(name: String, value: FixtureValue)] =
            history == .current
            ? try [
                ("ZAUTHORTS", self.number(of: save.author, in: database)), ("ZBUNDLEIDTS", 1),
                ("ZPROCESSIDTS", save.process == Self.process ? 2 : self.number(of: save.process, in: database)),
                ("ZCONTEXTNAMETS", self.number(of: save.context, in: database)),
            ] : [("ZBUNDLEID", .text(Self.bundle)), ("ZPROCESSID", .text(save.process))]
        try insert(
            [("Z_PK", number.map { .integer($0) } ?? .null), ("Z_ENT", 16002), ("ZTIMESTAMP", .real(save.time))]
                + origin, into: "ATRANSACTION", of: database)
        let transaction = database.lastInsertedRowID
        for change in save.changes {
            let (type, row, columns): (FixtureValue, Int64, FixtureValue)
            switch change {
            case .insert(let record): (type, row, columns) = (0, record.row, .null)
            case .update(let changed, let values):
                guard let entity = model[entity: SettingsTable.entityName],
                    let bits = model.changedColumns(Set(values.keys), of: entity)
                else { throw FixtureError(description: "the model has not all of \(values.keys.sorted())") }
                (type, row, columns) = (1, changed, .blob(bits))
            case .delete(let deleted): (type, row, columns) = (2, deleted, .null)
            case .sql: continue
            }
            try insert(
                [
                    ("Z_ENT", 16001), ("ZCHANGETYPE", type), ("ZENTITY", .integer(settingsNumber)),
                    ("ZENTITYPK", .integer(row)), ("ZTRANSACTIONID", .integer(transaction)), ("ZCOLUMNS", columns),
                ], into: "ACHANGE", of: database)
        }
    }

    /// The number of a text in the history's table of them, where it is added if need be.
    private func number(of text: String?, in database: Database) throws -> FixtureValue {
        guard let text else { return .null }
        let known = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?"
        if let known = try Int64.fetchOne(database, sql: known, arguments: [text]) { return .integer(known) }
        try insert([("Z_ENT", 16003), ("ZNAME", .text(text))], into: "ATRANSACTIONSTRING", of: database)
        return .integer(database.lastInsertedRowID)
    }

    /// The last numbers of a current history.
    func writeHistoryNumbers(to database: Database) throws {
        for (entity, table) in [
            ("TRANSACTION", "ATRANSACTION"), ("CHANGE", "ACHANGE"), ("TRANSACTIONSTRING", "ATRANSACTIONSTRING"),
        ] {
            try database.execute(
                sql: """
                    UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM \(table)) WHERE Z_NAME = '\(entity)'
                    """)
        }
    }

    /// A transaction of meterfix, a day ago, that deleted the record after the last one.
    package static let deletionByMeterfix = """
        INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) SELECT MAX(Z_PK) + 1, 16003, 'meterfix'
            FROM ATRANSACTIONSTRING;
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS)
            SELECT MAX(t.Z_PK) + 1, 16002, \(FixtureClock.now - FixtureClock.day + 0.25), s.author, s.author, s.author
            FROM ATRANSACTION t, (SELECT MAX(Z_PK) AS author FROM ATRANSACTIONSTRING) s;
        UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1
            WHERE Z_NAME IN ('DeviceSettings', 'TRANSACTION', 'CHANGE', 'TRANSACTIONSTRING');
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            SELECT MAX(c.Z_PK) + 1, 16001, 2, k.Z_ENT, k.Z_MAX, (SELECT MAX(Z_PK) FROM ATRANSACTION)
            FROM ACHANGE c, Z_PRIMARYKEY k WHERE k.Z_NAME = 'DeviceSettings'
        """
}
