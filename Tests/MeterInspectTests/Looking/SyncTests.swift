import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// Rows 1 and 2 are in CloudKit, by transactions 1 and 2, and the token names 2.
@Suite("sync")
struct SyncTests {
    private static let mirrored = StoreFixture(
        records: [
            Meters.healthy.with {
                $0.row = 1
                $0.cloudRecordName = "ONE"
            },
            Meters.other(2, "A4:C1:38:0B:7E:66", "Shed", inCloudAs: "TWO"),
        ]
    ).with { $0.mirror = .current }

    @Test("says since when, how often, and each error once, from the last success on")
    func since() throws {
        func failure(_ age: Double, _ code: Int64) -> MirrorEvent {
            MirrorEvent(
                .outgoing, at: FixtureClock.now - age * FixtureClock.day, succeeded: false,
                errorDomain: "CKErrorDomain", errorCode: code)
        }
        let events = [
            failure(20, 4), MirrorEvent(.outgoing, at: FixtureClock.now - 10 * FixtureClock.day), failure(9, 25),
            failure(8, 4), failure(7, 25), failure(6, 25), .running(.outgoing, since: FixtureClock.now - 60),
            MirrorEvent(.incoming, at: FixtureClock.now - FixtureClock.hour),
        ]
        let series = try #require(try report(Self.mirrored.with { $0.mirrorEvents = events }).mirror).series
        #expect(series.map(\.kindName) == ["import", "export"])
        #expect(series[0].failed == 0 && series[0].lastError == nil)
        let exports = series[1]
        #expect(exports.lastSuccess?.startedAt == FixtureClock.now - 10 * FixtureClock.day)
        #expect(exports.start == FixtureClock.now - 20 * FixtureClock.day)
        #expect(exports.failed == 4)
        #expect(exports.failures.map(\.error.code) == [25, 4])
        #expect(exports.failures.map(\.count) == [3, 1])
        #expect(exports.failures[0].first == FixtureClock.now - 9 * FixtureClock.day + 2.25)
        #expect(exports.failures[0].last == FixtureClock.now - 6 * FixtureClock.day + 2.25)
        #expect(exports.lastError?.code == 25)
        let none = try #require(try report(Self.mirrored.with { $0.mirrorEvents = [failure(1, 9)] }).mirror).series
        #expect(none[0].lastSuccess == nil && none[0].failed == 1)
    }

    private func report(_ fixture: StoreFixture) throws -> SyncReport {
        let store = try TestStore(fixture)
        return try store.looking { try store.sync() }
    }

    private static func own(_ type: Int, row: Int, columns: String = "NULL") -> String {
        """
        INSERT OR IGNORE INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (9, 'meterfix');
        INSERT OR IGNORE INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS) VALUES (3, 16002, 700000000.5, 9);
        INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
        VALUES (16001, \(type), (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'DeviceSettings'), \(row), 3, \(columns));

        """
    }

    private static func mark(_ assignment: String, row: Int) -> String {
        "UPDATE ANSCKRECORDMETADATA SET \(assignment) WHERE ZENTITYPK = \(row); "
    }

    @Test("names what waits by meter, and the attributes that an update changed")
    func objects() throws {
        let table = try #require(SettingsTable.columnsOfNameChange(in: Self.mirrored))
        let mirror = try #require(
            try report(Self.mirrored.damaged(Self.own(1, row: 2, columns: table) + Self.own(2, row: 1))).mirror)
        #expect(mirror.objects.map(\.object.row) == [1, 2])
        #expect(mirror.objects.map(\.waiting.kind) == [.delete, .update])
        #expect(mirror.objects[1].mac == "A4:C1:38:0B:7E:66")
        #expect(mirror.objects[1].name == "Shed")
        #expect(mirror.objects[1].fields == ["meterName", "updatedAt"])
        #expect(mirror.objects[0].fields == nil)
        #expect((mirror.forecast.uploads, mirror.forecast.deletes) == (1, 1))
    }

    @Test("says whether the last change by meterfix has arrived")
    func arrival() throws {
        func arrival(_ sql: String, token: Int64 = 3) throws -> [Int]? {
            let report = try report(
                Self.mirrored.with {
                    $0.historyToken = .transaction(token)
                    $0.damage = { try $0.execute(sql: sql) }
                })
            return report.mirror?.arrival.map { [Int($0.transaction), $0.changes, $0.arrived] }
        }
        let change = Self.own(1, row: 1) + Self.own(2, row: 2)
        let exported = Self.mark("ZLASTEXPORTEDTRANSACTIONNUMBER = 3", row: 1)
        let deleted = "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 2; "
        #expect(try arrival("SELECT 1", token: 2) == nil)
        #expect(try arrival(change, token: 2) == [3, 2, 0])
        #expect(try arrival(change) == [3, 2, 0])
        #expect(try arrival(change + exported) == [3, 2, 1])
        #expect(try arrival(change + exported + deleted) == [3, 2, 2])
        #expect(try arrival(change + exported + deleted, token: 2) == [3, 2, 0])
        #expect(try arrival(change + exported + Self.mark("ZNEEDSUPLOAD = 1", row: 1)) == [3, 2, 0])
        #expect(try arrival(change + Self.mark("ZLASTEXPORTEDTRANSACTIONNUMBER = 7", row: 1)) == [3, 2, 1])
        #expect(try arrival(change + Self.mark("ZLASTEXPORTEDTRANSACTIONNUMBER = NULL", row: 1)) == [3, 2, 0])
    }

    @Test("a change where the token is lost says so before anything is written")
    func warning() throws {
        final class Heard: @unchecked Sendable { var messages: [(text: String, hasBackup: Bool)] = [] }
        func run(_ fixture: StoreFixture) throws -> (Heard, ChangeReport) {
            let store = try TestStore(fixture)
            let heard = Heard()
            var options = ChangeOptions(now: TestStore.now)
            options.warn = { message in
                let hasBackup = FileManager.default.fileExists(atPath: store.path + ".meterfix")
                heard.messages.append((message, hasBackup))
            }
            let address = try #require(MACAddress.parse("A4:C1:38:0B:7E:66")).0
            let planner = SetPlanner(address, name: "Barn", unit: nil)
            return (heard, try ChangeRun.run(planner, on: store.path, options: options))
        }
        let (heard, report) = try run(Self.damaged("DELETE FROM ATRANSACTION WHERE Z_PK = 2"))
        #expect(report.outcome == .applied)
        #expect(heard.messages.map(\.hasBackup) == [false])
        #expect(heard.messages.first?.text.contains("ROWS ARE DELETED HERE") ?? false)
        #expect(report.forecast?.after.deletions == [.lostPlace(transaction: 2)])
        #expect(try run(Self.mirrored).0.messages.isEmpty)
    }

    struct Forecast: CustomTestStringConvertible {
        let testDescription: String
        let fixture: StoreFixture
        /// Words of sentences, in order. A `!` in front: of one that says something is lost.
        let says: [String]

        init(_ description: String, _ fixture: StoreFixture, says words: String...) {
            testDescription = description
            self.fixture = fixture
            says = words
        }
    }

    @Test("says what happens when the app opens the store:", arguments: forecasts)
    func forecast(_ test: Forecast) throws {
        let sentences = try report(test.fixture).next
        var rest = sentences[...]
        for words in test.says {
            let isLoss = words.hasPrefix("!")
            let text = isLoss ? String(words.dropFirst()) : words
            guard let found = rest.firstIndex(where: { $0.marked.contains(text) }) else {
                Issue.record("\"\(text)\" is not in \(sentences.map(\.marked))")
                return
            }
            #expect(rest[found].isLoss == isLoss)
            rest = rest[(found + 1)...]
        }
        #expect(sentences.contains { $0.isLoss } == test.says.contains { $0.hasPrefix("!") })
    }

    private static func damaged(_ sql: String) -> StoreFixture { mirrored.damaged(sql) }

    private static func zone(_ column: String) -> StoreFixture {
        damaged("UPDATE ANSCKRECORDZONEMETADATA SET \(column) = 1")
    }

    private static let noLoss = "no rows are deleted here, as far as the store can say (inferred)"

    private static let forecasts: [Forecast] = [
        Forecast(
            "nothing waits", mirrored, says: noLoss, "another iCloud account",
            "nothing is sent: nothing is pending (documented)", "since 2026-"),
        Forecast(
            "changes wait", damaged(own(1, row: 1) + own(2, row: 2) + "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 2"),
            says: noLoss,
            "2 record operations in 1 batch of at most 400: 1 upload and 1 delete (documented)",
            "nobody has seen it on a device (inferred)", "does not notice"),
        Forecast(
            "a row is there whose delete waits", damaged(own(2, row: 2)),
            says: "!1 object is about to be deleted, here or in CloudKit"),
        Forecast(
            "the token's transaction is gone",
            damaged("DELETE FROM ATRANSACTION WHERE Z_PK = 2" + "; " + own(1, row: 1)),
            says: "!ROWS ARE DELETED HERE: transaction 2",
            "!1 change of such records that is pending here is lost (documented)"),
        Forecast(
            "the token is of another store", mirrored.with { $0.historyToken = .otherStore(2) }, says: noLoss,
            "from another store", "2 record operations"),
        Forecast(
            "no fetch was ever made", damaged("UPDATE ANSCKRECORDZONEMETADATA SET ZLASTFETCHDATE = NULL"),
            says: "fetches everything from CloudKit (documented)"),
        Forecast(
            "the user deleted the data in iCloud", zone("ZNEEDSRECOVERYFROMUSERPURGE"),
            says: "!the user deleted the app's data in iCloud"),
        Forecast(
            "the zone is gone", zone("ZNEEDSRECOVERYFROMZONEDELETE"), says: noLoss, "zone was deleted",
            "uploads every record"),
        Forecast("the key is lost", zone("ZNEEDSRECOVERYFROMIDENTITYLOSS"), says: noLoss, "the key", "uploads every"),
        Forecast(
            "an object was never seen", damaged("DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 2"),
            says: noLoss, "nothing is pending", "1 object that the mirror passes over is not uploaded"),
        Forecast(
            "the model has a constraint", mirrored.with { $0.version = .v1 },
            says: "refuses a model with a uniqueness constraint (error 134060)", "no rows are deleted"),
        Forecast(
            "the last export failed", mirrored.failing(.outgoing, "CKErrorDomain", 25), says: noLoss, "nothing is sent",
            "fetches"),
        Forecast(
            "the account was another one", mirrored.failing(.setup, "NSCocoaErrorDomain", 134_405),
            says: "!the iCloud account has changed"),
        Forecast(
            "the mirror was told to look for rows",
            damaged(
                "INSERT INTO ANSCKMETADATAENTRY (Z_PK, ZKEY, ZBOOLVALUENUM) VALUES "
                    + "(90, 'NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey', 1)"),
            says: noLoss, "the next export looks for rows without record metadata (inferred)"),
        Forecast(
            "no mirror", mirrored.with { $0.mirror = .none }, says: "no tables of the mirror",
            "uploads every record (inferred)"),
    ]
}

extension SettingsTable {
    /// `ZCOLUMNS` of an update of a name, as a literal of SQL.
    fileprivate static func columnsOfNameChange(in fixture: StoreFixture) -> String? {
        guard let entity = fixture.model[entity: entityName],
            let columns = fixture.model.changedColumns(["meterName", "updatedAt"], of: entity)
        else { return nil }
        return "X'" + Hexadecimal.text(of: columns) + "'"
    }
}
