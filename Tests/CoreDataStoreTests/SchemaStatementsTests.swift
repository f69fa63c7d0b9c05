import CoreDataStore
import MeterStore
import MeterTestSupport
import Testing

@Suite("the DDL of a store")
struct SchemaStatementsTests {
    @Test("of the app's model v1, letter by letter")
    func deviceSettings() throws {
        let schema = try SchemaStatements(USBMeterModel.v1, history: .current)
        #expect(
            schema.all == [
                "CREATE TABLE ZDEVICESETTINGS ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + "ZCONNECTEDAT TIMESTAMP, ZCONNECTEDEXPIRYAT TIMESTAMP, ZCREATEDAT TIMESTAMP, "
                    + "ZLASTSEENAT TIMESTAMP, ZUPDATEDAT TIMESTAMP, ZCLOUDKITRECORDID VARCHAR, "
                    + "ZCONNECTEDBYDEVICEID VARCHAR, ZCONNECTEDBYDEVICENAME VARCHAR, ZLASTSEENBYDEVICEID VARCHAR, "
                    + "ZLASTSEENBYDEVICENAME VARCHAR, ZMACADDRESS VARCHAR, ZMETERNAME VARCHAR, ZMODELTYPE VARCHAR, "
                    + "ZTC66TEMPERATUREUNIT VARCHAR, ZID BLOB )",
                "CREATE UNIQUE INDEX Z_DeviceSettings_UNIQUE_macAddress ON ZDEVICESETTINGS "
                    + "(ZMACADDRESS COLLATE BINARY ASC)",
                "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
                "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
                "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
                "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
                    + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )",
                "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + "ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, "
                    + "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, "
                    + "ZQUERYGEN BLOB )",
                "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + "ZNAME VARCHAR )",
                "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
                "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
                "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
                "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
                "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
                "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
                "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
                "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
            ])
    }

    @Test("of model v2 has no unique index")
    func withoutConstraint() throws {
        let schema = try SchemaStatements(USBMeterModel.v2, history: .none)
        #expect(schema.all.allSatisfy { !$0.contains("UNIQUE") })
        let current = try SchemaStatements(USBMeterModel.v2, history: .current)
        #expect(schema.tables.map(\.name) == current.tables.map(\.name))
        #expect(schema.tables.map(\.columns) == current.tables.map(\.columns))
    }

    @Test("refuses names that differ only in case and names that are no identifiers")
    func names() {
        let twins = ManagedObjectModel(entities: [Entity("Meter"), Entity("METER")])
        #expect(throws: StoreCreationError.self) { try SchemaStatements(twins, history: .none) }
        let odd = ManagedObjectModel(entities: [Entity("Meter", attributes: [Attribute("a, b", .string)])])
        #expect(throws: StoreCreationError.self) { try SchemaStatements(odd, history: .none) }
    }

    @Test("numbers entities depth first along inheritance")
    func numbers() {
        let model = ManagedObjectModel(
            entities: [
                Entity("Alpha", superentity: "Zeta"), Entity("Zeta"), Entity("Mu"),
                Entity("Beta", superentity: "Alpha"), Entity("Gamma", superentity: "Zeta"),
            ])
        #expect(PrimaryKeys(numbering: model).entries.map(\.name) == ["Mu", "Zeta", "Alpha", "Beta", "Gamma"])
        #expect(PrimaryKeys(numbering: model).entries.map(\.parent) == [0, 0, 2, 3, 2])
    }
}
