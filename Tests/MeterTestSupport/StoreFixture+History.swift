internal import CoreDataStore
package import GRDB
internal import MeterStore

extension StoreFixture {
    package static let bundle = "ro.xdev.USB-Meter"
    package static let process = "USB Meter"

    /// When the app's transactions begin; there is one a minute from then on.
    private static let firstTransaction = FixtureClock.now - 50 * FixtureClock.day

    /// The app's own transaction that inserted `record`, as Core Data notes it.
    func writeInsertion(of record: FixtureRecord, transaction: Int64, to database: Database) throws {
        // No time is a whole number in a real store.
        let time = Self.firstTransaction + Double(transaction) * FixtureClock.minute + 0.453125
        if history == .current, transaction == 1 { try writeStrings(to: database) }
        try writeChange(0, of: record.row, at: time, transaction: transaction, to: database)
    }

    func writeUpdate(_ save: LaterSave, transaction: Int64, to database: Database) throws {
        guard let entity = model[entity: SettingsTable.entityName],
            let columns = model.changedColumns(save.fields, of: entity)
        else { throw FixtureError(description: "the model has not all of \(save.fields.sorted())") }
        let author: FixtureValue =
            switch save.author {
            case .app: .null
            case .mirrorImport: 3
            }
        try writeChange(
            1, of: save.row, columns: .blob(columns), by: author, at: save.time, transaction: transaction, to: database)
    }

    /// - Parameter type: `ZCHANGETYPE`.
    private func writeChange(
        _ type: FixtureValue, of row: Int64, columns: FixtureValue = .null, by author: FixtureValue = .null,
        at time: Double, transaction: Int64, to database: Database
    ) throws {
        let origin: [(name: String, value: FixtureValue)] =
            history == .current
            ? [("ZAUTHORTS", author), ("ZBUNDLEIDTS", 1), ("ZPROCESSIDTS", 2)]
            : [("ZBUNDLEID", .text(Self.bundle)), ("ZPROCESSID", .text(Self.process))]
        try insert(
            [("Z_PK", .integer(transaction)), ("Z_ENT", 16002), ("ZTIMESTAMP", .real(time))] + origin,
            into: "ATRANSACTION", of: database)
        try insert(
            [
                ("Z_PK", .integer(transaction)), ("Z_ENT", 16001), ("ZCHANGETYPE", type),
                ("ZENTITY", .integer(settingsNumber)), ("ZENTITYPK", .integer(row)),
                ("ZTRANSACTIONID", .integer(transaction)), ("ZCOLUMNS", columns),
            ], into: "ACHANGE", of: database)
    }

    /// The app's own transaction that updates or deletes a record, with the record.
    package func write(_ save: LoggedSave, to database: Database) throws {
        let next = try Int64.fetchOne(database, sql: "SELECT MAX(Z_PK) + 1 FROM ATRANSACTION") ?? 1
        switch save {
        case .update(let row, let values, let time):
            try writeUpdate(
                LaterSave(row, Set(values.keys).union(["updatedAt"]), by: .app, at: time), transaction: next,
                to: database)
            let columns = values.merging(["updatedAt": .real(time)]) { value, _ in value }
                .map { ("Z" + $0.key.uppercased(), $0.value) }
            let settings = columns.map { "\"\($0.0)\" = ?" }.joined(separator: ", ")
            try database.execute(
                sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT + 1, \(settings) WHERE Z_PK = ?",
                arguments: StatementArguments(columns.map(\.1) + [.integer(row)]))
        case .delete(let row, let time):
            try writeChange(2, of: row, at: time, transaction: next, to: database)
            try database.execute(sql: "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = ?", arguments: [row])
        case .sql(let sql):
            try database.execute(sql: sql)
            return
        }
        try database.execute(
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME IN ('TRANSACTION', 'CHANGE')", arguments: [next])
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

    private func writeStrings(to database: Database) throws {
        let authors = savedLater.contains { $0.author == .mirrorImport } ? ["NSCloudKitMirroringDelegate.import"] : []
        for (number, text) in zip(Int64(1)..., [Self.bundle, Self.process] + authors) {
            try insert(
                [("Z_PK", .integer(number)), ("Z_ENT", 16003), ("ZNAME", .text(text))], into: "ATRANSACTIONSTRING",
                of: database)
        }
    }
}
