internal import CoreDataStore
internal import GRDB

extension StoreFixture {
    /// A mirrored store with three orphans: row 6 of DeviceSettings, entity 2, and rows 7 and 8 of Bookmark, entity 1, of
    /// which row 8 has no record name. The history tells nothing of them. Row 5 of DeviceSettings and row 1 of Bookmark
    /// are alive.
    package static let orphans = StoreFixture(
        records: [(5, "FIVE"), (6, "SIX")].map { (row: Int64, name: String) in
            FixtureRecord(row: row, macAddress: "A4:C1:38:0B:7E:0\(row)", meterName: "Meter \(row)").with {
                $0.id = FixtureUUID(UInt64(row)).bytes
                $0.createdAt = FixtureClock.now - 500.5
                $0.updatedAt = FixtureClock.now - 400.5
                $0.cloudRecordName = name
            }
        }
    ).with {
        $0.mirror = .current
        $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])]
        $0.damage = { try $0.execute(sql: StoreFixture.loss + "; DELETE FROM ACHANGE WHERE ZENTITYPK = 6") }
    }

    /// The same, but the history has the insert of row 6 of DeviceSettings, in transaction 2.
    package static let orphansWithInsert = orphans.damaged(loss)

    private static let loss = """
        INSERT INTO ZBOOKMARK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_NAME = 'Bookmark';
        DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 6;
        INSERT INTO ANSCKRECORDMETADATA (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZNEEDSCLOUDDELETE, ZNEEDSLOCALDELETE,
            ZNEEDSUPLOAD, ZRECORDZONE, ZCKRECORDNAME)
        SELECT column1, Z_ENT, 1, 1, column2, 0, 0, 0, 1, column3
        FROM Z_PRIMARYKEY, (VALUES (90, 1, 'ONE'), (91, 7, 'SEVEN'), (92, 8, NULL))
        WHERE Z_NAME = 'NSCKRecordMetadata';
        UPDATE Z_PRIMARYKEY SET Z_MAX = 92 WHERE Z_NAME = 'NSCKRecordMetadata'
        """
}
