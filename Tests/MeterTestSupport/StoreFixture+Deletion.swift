extension StoreFixture {
    /// SQL by which one transaction deletes records, with their record metadata, in a store with a current history.
    /// - Parameters:
    ///   - author: of the transaction; NULL for the app.
    ///   - time: seconds since 2001.
    package static func deletion(
        of rows: ClosedRange<Int64>, author: String? = "NSCloudKitMirroringDelegate.import",
        at time: Double = FixtureClock.now - 7_200.5
    ) -> String {
        let entity = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'DeviceSettings')"
        let name =
            author.map { "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (9, 16003, '\($0)'); " } ?? ""
        let changes = rows.map { row in
            """
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            SELECT MAX(Z_PK) + 1, 16001, 2, \(entity), \(row), (SELECT MAX(Z_PK) FROM ATRANSACTION) FROM ACHANGE;
            DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYID = \(entity) AND ZENTITYPK = \(row);
            DELETE FROM ZDEVICESETTINGS WHERE Z_PK = \(row);

            """
        }
        return name + """
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS)
            SELECT MAX(Z_PK) + 1, 16002, \(time), \(author == nil ? "NULL" : "9"), 1, 2 FROM ATRANSACTION;
            \(changes.joined())UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ATRANSACTION) WHERE Z_ENT = 16002;
            UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ACHANGE) WHERE Z_ENT = 16001;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_ENT = 16003
            """
    }
}
