internal import CoreDataStore
internal import MeterModel
internal import MeterStore

/// One save in the history of a fixture: a transaction that inserts or changes one record.
package struct FixtureSave: Sendable {
    let change: PersistentHistory.ChangeType
    let row: Int64
    /// Whether it came from CloudKit; otherwise the app made it.
    let isImport: Bool
    /// Seconds since 2001, by the clock of the device.
    let time: Double
    /// What an update changes.
    var fields = ["updatedAt"]
    /// Rows that the same save changes in the same way.
    var otherRows: [Int64] = []

    package static func made(_ row: Int64, at time: Double) -> FixtureSave {
        FixtureSave(change: .insert, row: row, isImport: false, time: time)
    }

    package static func came(_ row: Int64, at time: Double) -> FixtureSave {
        FixtureSave(change: .insert, row: row, isImport: true, time: time)
    }

    package static func changed(
        _ row: Int64, isImport: Bool, at time: Double, _ fields: [String] = ["updatedAt"], with others: [Int64] = []
    ) -> FixtureSave {
        FixtureSave(
            change: .update, row: row, isImport: isImport, time: time, fields: fields, otherRows: others)
    }

    package static func went(_ row: Int64, at time: Double) -> FixtureSave {
        FixtureSave(change: .delete, row: row, isImport: true, time: time)
    }

    package func later(by seconds: Double) -> FixtureSave {
        FixtureSave(
            change: change, row: row, isImport: isImport, time: time + seconds, fields: fields, otherRows: otherRows)
    }
}

extension StoreFixture {
    /// The fixture with a history of these saves and no others.
    /// - Parameter first: the number of the first transaction.
    package func saved(_ saves: [FixtureSave], from first: Int64 = 1) -> StoreFixture {
        func bits(of fields: [String]) -> String {
            let columns = model[entity: SettingsTable.entityName].flatMap { model.changedColumns(Set(fields), of: $0) }
            return Hexadecimal.text(of: columns ?? [])
        }
        var change = first
        var sql = """
            DELETE FROM ACHANGE; DELETE FROM ATRANSACTION;
            INSERT OR IGNORE INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME)
            VALUES (99, 16003, 'NSCloudKitMirroringDelegate.import');
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME IN ('CHANGE', 'TRANSACTION', 'TRANSACTIONSTRING');
            """
        for (number, save) in zip(first..., saves) {
            sql += """
                INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS)
                VALUES (\(number), 16002, \(save.time), \(save.isImport ? "99" : "NULL"), 1, 2);

                """
            for row in [save.row] + save.otherRows {
                sql += """
                    INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
                    VALUES (\(change), 16001, \(save.change.rawValue), \(settingsNumber), \(row), \(number), \
                    \(save.change == .update ? "X'\(bits(of: save.fields))'" : "NULL"));

                    """
                change += 1
            }
        }
        return damaged(sql)
    }
}
