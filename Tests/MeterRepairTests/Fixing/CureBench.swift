import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

/// A store for each cure in which its finding is the only one of its kind, and what the cure writes there.
struct CureCase: Sendable, CustomStringConvertible {
    let cure: FixableCheck
    let fixture: StoreFixture
    /// The columns that the cure changes in the table of the records, by row, with their values as SQL writes them.
    var fields: [Int64: [String: String]] = [:]
    /// Whether it is a change of records, which moves `updatedAt` and `Z_OPT` and is written into the history.
    var isOfRecords = true

    var description: String { cure.rawValue }

    /// From the fourth record's name in CloudKit and its address.
    private static let idOfFourth = Hexadecimal.text(
        of: nameBasedUUID(of: Array("\(FixtureUUID(903).text) 88:4A:18:C7:D1:54 1".utf8))
    ).uppercased()

    static let stamp = "\(FixtureClock.now)"

    private static let household = SampleRecords.household

    static let all: [CureCase] = [
        CureCase(
            cure: .primaryKeyBehind,
            fixture: damaged("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'DeviceSettings'"),
            isOfRecords: false),
        CureCase(
            cure: .entityNumberMismatch,
            fixture: damaged("UPDATE ZDEVICESETTINGS SET Z_ENT = 7 WHERE Z_PK = 2"),
            fields: [2: ["Z_ENT": "2"]], isOfRecords: false),
        CureCase(
            cure: .foreignIndex,
            fixture: damaged(
                "CREATE UNIQUE INDEX another_tool ON ZDEVICESETTINGS (upper(ZMACADDRESS)); ANALYZE ZDEVICESETTINGS"),
            isOfRecords: false),
        CureCase(
            cure: .foreignTrigger,
            fixture: damaged(
                """
                CREATE TRIGGER another_tool AFTER UPDATE ON ZDEVICESETTINGS BEGIN UPDATE ZBOOKMARK SET ZTITLE = 'x'; END
                """), isOfRecords: false),
        CureCase(
            cure: .valueType,
            fixture: damaged(
                """
                UPDATE ZDEVICESETTINGS SET ZID = 'd5bacb55-3739-4490-BECF-ed553f11ffef', ZLASTSEENAT = '' WHERE Z_PK = 3
                """),
            fields: [3: ["ZID": "X'D5BACB5537394490BECFED553F11FFEF'", "ZLASTSEENAT": "NULL"]]),
        CureCase(
            cure: .unitUnknown, fixture: changed(3) { $0.tc66TemperatureUnit = " °F " },
            fields: [3: ["ZTC66TEMPERATUREUNIT": "'fahrenheit'"]]),
        CureCase(
            cure: .lockTorn,
            fixture: changed(2) {
                $0.connectedByDeviceID = FixtureDevice.anasPhone.id
                $0.connectedByDeviceName = FixtureDevice.anasPhone.name
            }, fields: [2: ["ZCONNECTEDBYDEVICEID": "NULL", "ZCONNECTEDBYDEVICENAME": "NULL"]]),
        CureCase(
            cure: .lockExpired,
            fixture: changed(2) {
                $0 = $0.locked(by: .bogdansMac, at: FixtureClock.now - FixtureClock.hour - 120)
            },
            fields: [
                2: [
                    "ZCONNECTEDBYDEVICEID": "NULL", "ZCONNECTEDBYDEVICENAME": "NULL", "ZCONNECTEDAT": "NULL",
                    "ZCONNECTEDEXPIRYAT": "NULL",
                ]
            ]),
        CureCase(
            cure: .metadataBlobMalformed,
            fixture: changed(2) {
                $0.connectionMetadata = #"{"device":"Ana's iPhone","timest"#
                $0.discoveryMetadata = "[]"
            }.with { $0.lockEncoding = .blob },
            fields: [2: ["ZCONNECTIONMETADATA": "NULL", "ZDISCOVERYMETADATA": "NULL"]]),
        CureCase(cure: .idMissing, fixture: changed(4) { $0.id = nil }, fields: [4: ["ZID": "X'\(idOfFourth)'"]]),
        CureCase(
            cure: .idDuplicate, fixture: changed(4) { $0.id = household[1].id },
            fields: [4: ["ZID": "X'E9D1EA1FCB058717952470050B148674'"]]),
        CureCase(
            cure: .rebuildMarkerMissing,
            fixture: damaged(StoreFixture.deletionByMeterfix, plain.with { $0.marker = nil }), isOfRecords: false),
        CureCase(cure: .rebuildMarkerOld, fixture: plain.with { $0.marker = 2 }, isOfRecords: false),
    ]

    /// Five meters, mirrored, beside another entity of the app's.
    static let plain = besides(StoreFixture(records: household))

    static func changed(_ row: Int64, _ change: (inout FixtureRecord) -> Void) -> StoreFixture {
        besides(StoreFixture(records: SampleRecords.household(row, change)))
    }

    private static func besides(_ fixture: StoreFixture) -> StoreFixture {
        fixture.with {
            $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])]
            $0.mirror = .current
            for index in $0.records.indices {
                $0.records[index].cloudRecordName = FixtureUUID(900 + UInt64(index)).text
            }
        }.damaged(bookmark)
    }

    private static let bookmark = "INSERT INTO ZBOOKMARK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a')"

    /// With what a script did to it.
    static func damaged(_ sql: String, _ fixture: StoreFixture = plain) -> StoreFixture {
        fixture.damaged("\(bookmark); \(sql)")
    }
}

extension TestStore {
    /// Carries out cures, without a backup unless asked for one.
    @discardableResult
    func fix(_ planner: some Planner, _ adjust: (inout ChangeOptions) -> Void = { _ in }) throws(StoreError)
        -> ChangeReport
    {
        try ChangeRun.run(planner, on: path, options: .withoutBackup(adjust))
    }

    /// Every value of a table, by row and column, as SQL writes it.
    func cells(of table: String = "ZDEVICESETTINGS") throws -> [Int64: [String: String]] {
        try StoreText.read(path) { database in
            let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('\(table)')")
            let values = names.map { "quote(\"\($0)\")" }.joined(separator: ", ")
            var cells: [Int64: [String: String]] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT Z_PK, \(values) FROM \(table)") {
                cells[row[0]] = Dictionary(
                    uniqueKeysWithValues: names.enumerated().map { ($1, row[$0 + 1] as String) })
            }
            return cells
        }
    }
}
