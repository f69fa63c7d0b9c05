import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("the past of a store")
struct PastTests {
    private static let kitchen = "A4:C1:38:0B:7E:21"
    private static let bench = "A4:C1:38:5D:02:9F"
    private static let times = [-2 * FixtureClock.day, -FixtureClock.day, -FixtureClock.hour].map {
        FixtureClock.now + $0 + 0.25
    }

    /// The household of the samples, whose first meter was renamed twice and whose second one was deleted, in
    /// transactions 6, 7 and 8.
    private static let fixture = StoreFixture(records: SampleRecords.household).with {
        $0.savedInLog = [
            .update(1, ["meterName": "Küche"], at: times[0]), .update(1, ["meterName": "Labor"], at: times[1]),
            .delete(2, at: times[2]),
        ]
    }

    /// The files of a store while it is in use, after statements that are only in its log.
    private func copyInUse(of store: TestStore, _ statements: String...) throws -> String {
        var configuration = Configuration.forTests
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        let queue = try DatabaseQueue(path: store.path, configuration: configuration)
        let copy = store.path + ".copy"
        try queue.writeWithoutTransaction { database in
            for sql in statements { try database.execute(sql: sql) }
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy + suffix)
            }
        }
        try queue.close()
        return copy
    }

    private func names(_ store: TestStore, at moment: PastMoment?) throws -> [String?] {
        try store.looking { try MeterList.of(store.path, in: moment, now: TestStore.now) }.meters
            .sorted { $0.rows[0] < $1.rows[0] }.prefix(2).map(\.name)
    }

    private func lost(_ store: TestStore, all: Bool = false) throws -> FormerValues {
        try store.looking { try FormerValues.of(store.path, all: all, folder: nil, now: TestStore.now) }
    }

    // MARK: - log

    @Test("is in the log: what each of the last changes replaced, and by what")
    func values() throws {
        let store = try TestStore(Self.fixture)
        let log = try store.looking { try ChangeLog.of(store.path, ChangeLog.Request(), now: TestStore.now) }
        let names = log.entries.prefix(3).map { $0.fields?.first { $0.name == "meterName" }?.delta }
        #expect(names.map { $0?.before } == [.text("Bench UM34C"), .text("Küche"), .text("Kitchen charger")])
        #expect(names.map { $0?.after } == [.null, .text("Labor"), .text("Küche")])
        // The record is gone; its meter is known all the same.
        #expect(log.entries[0].address?.text(in: .upper) == Self.bench)
        #expect(log.entries[3].fields == nil, "what is older than the -wal is not known")
        #expect(log.pastProblem == nil)
    }

    // MARK: - --at

    @Test("is what --at looks at: after a transaction, at a time, and after a commit")
    func states() throws {
        let store = try TestStore(Self.fixture)
        let states: [(PastMoment, [String])] = [
            (.transaction(5), ["Kitchen charger", "Bench UM34C"]), (.transaction(6), ["Küche", "Bench UM34C"]),
            (.transaction(7), ["Labor", "Bench UM34C"]), (.commit(0), ["Kitchen charger", "Bench UM34C"]),
            (.commit(1), ["Küche", "Bench UM34C"]), (.time(Self.times[0]), ["Küche", "Bench UM34C"]),
            (.time(Self.times[1] - 1), ["Küche", "Bench UM34C"]),
            (.time(Self.times[0] - 1), ["Kitchen charger", "Bench UM34C"]),
        ]
        for (moment, expected) in states { #expect(try names(store, at: moment) == expected, "\(moment)") }
        #expect(try names(store, at: .transaction(8)).first == "Labor")
        #expect(try names(store, at: .transaction(8)) == names(store, at: nil))
        #expect(try names(store, at: .time(FixtureClock.now)) == names(store, at: nil))
    }

    @Test(
        "is refused where it is not certain",
        arguments: [PastMoment.transaction(9), .transaction(4), .commit(4), .time(0)])
    func uncertain(_ moment: PastMoment) throws {
        let store = try TestStore(Self.fixture)
        let error = #expect(throws: StoreError.self) { try names(store, at: moment) }
        #expect(error?.kind == .unsuitable && error?.hint?.contains("6 to 8") == true)
    }

    @Test("of a store without a log is its present alone")
    func withoutLog() throws {
        let store = try TestStore(Self.fixture.with { $0.savedInLog = [] })
        let error = #expect(throws: StoreError.self) { try names(store, at: .transaction(5)) }
        #expect(error?.message.contains("no commits") == true)
        #expect(try lost(store).values.isEmpty)
    }

    @Test("compared with the present says what has changed since, and nothing about synchronising")
    func comparison() throws {
        let store = try TestStore(Self.fixture)
        let report = try store.looking {
            try ComparisonReport.of(store.path, since: .transaction(6), now: TestStore.now)
        }
        #expect(report.count(.different) == 1 && report.count(.onlyA) == 1 && report.count(.onlyB) == 0)
        #expect(report.steps.isEmpty && report.losing == 0)
    }

    // MARK: - A log that does not belong to its main file

    /// The main file from before the log was begun, with the log of another life: every checksum is right.
    private func mixed() throws -> TestStore {
        let store = try TestStore(Self.fixture)
        let other = try TestStore(
            Self.fixture.with { fixture in
                fixture.records = fixture.records.map { record in
                    record.with { if $0.row == 3 { $0.meterName = "Other" } }
                }
                fixture.savedLater = [.changed(3, at: Self.times[0] - FixtureClock.day, ["meterName"])]
            })
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        try FileManager.default.copyItem(atPath: other.path + "-wal", toPath: store.path + "-wal")
        return store
    }

    @Test("is not told where the log is of another moment than its main file, and why is said")
    func mixedFiles() throws {
        let store = try mixed()
        let log = try store.looking { try ChangeLog.of(store.path, ChangeLog.Request(), now: TestStore.now) }
        #expect(log.entries.allSatisfy { $0.fields?.allSatisfy { $0.delta == nil } ?? true })
        #expect(log.pastProblem != nil)
        #expect(throws: StoreError.self) { try names(store, at: .commit(1)) }
        #expect(try lost(store).values.isEmpty && lost(store).reach.problem == log.pastProblem)
    }

    @Test("is not told where a commit changed a record and no transaction says so")
    func byHand() throws {
        let store = try TestStore(Self.fixture)
        let copy = try copyInUse(of: store, "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'By hand' WHERE Z_PK = 3")
        let log = try ChangeLog.of(copy, ChangeLog.Request(), now: TestStore.now)
        #expect(log.pastProblem?.contains("row 3") == true)
    }

    // MARK: - lost

    @Test("has the names and units that no record has any more, with the commands that give them back")
    func lostValues() throws {
        let store = try TestStore(Self.fixture)
        let found = try lost(store)
        #expect(found.values.map { $0.value.display(as: .text) }.contains("Bench UM34C"))
        let names = found.values.filter { $0.field.known == .meterName }
        #expect(names.map { $0.value.text } == ["Bench UM34C", "Küche", "Kitchen charger"])
        #expect(names.allSatisfy { $0.past.certainty == .certain && $0.past.source == .log })
        #expect(names.map(\.past.transaction) == [8, 7, 6])
        #expect(names.map(\.past.to?.secondsSince2001) == Self.times.reversed())
        #expect(
            names.map { found.command(for: $0)?.words } == [
                "restore-record --from lost \(Self.bench)", "set \(Self.kitchen) --name 'Küche'",
                "set \(Self.kitchen) --name 'Kitchen charger'",
            ])
        #expect(found.finding("küch").values.count == 1)
        #expect(found.reach.transactions == 6...8)
    }

    @Test("comes back as a record, every value of it, through a change like any other")
    func restored() throws {
        let address = try #require(MACAddress.parse(Self.bench)).address
        let store = try TestStore(Self.fixture)
        var options = ChangeOptions(now: TestStore.now)
        options.isDryRun = true
        let planned = try store.looking { try RestoreRecord.run(lost: address, on: store.path, options: options) }
        options.isDryRun = false
        let report = try RestoreRecord.run(lost: address, on: store.path, options: options)
        #expect(report.plan.meters == planned.plan.meters && report.plan.summary.inserted == 1)
        let meter = try #require(MeterList.of(store.path, now: TestStore.now).meters.first { $0.address == address })
        #expect(meter.name == "Bench UM34C" && meter.rows == [6])
        #expect(throws: StoreError.self) { try RestoreRecord.run(lost: address, on: store.path, options: options) }
    }

    @Test("is found in backups too: a name that a change by meterfix replaced, and one that its log had")
    func backups() throws {
        let store = try TestStore(Self.fixture)
        let address = try #require(MACAddress.parse(Self.kitchen)).address
        try store.change(SetPlanner(address, name: "Attic", unit: nil)) { $0.makesBackup = true }
        let names = try lost(store).values.filter { $0.address == address && $0.field.known == .meterName }
        #expect(Set(names.map { $0.value.text }) == ["Labor", "Küche", "Kitchen charger"])
        #expect(names.allSatisfy { $0.past.source == .backup })
    }

    @Test("is gone once the value is there again")
    func found() throws {
        let store = try TestStore(Self.fixture)
        let address = try #require(MACAddress.parse(Self.kitchen)).address
        try store.change(SetPlanner(address, name: "Küche", unit: nil)) { $0.makesBackup = true }
        #expect(try !lost(store).values.contains { $0.value.text == "Küche" })
    }

    @Test("of a store without history is likely, and has neither times nor transactions")
    func withoutHistory() throws {
        let store = try TestStore(Self.fixture)
        let copy = try copyInUse(
            of: store,
            "DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING; PRAGMA wal_checkpoint(TRUNCATE)",
            "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT + 1, ZMETERNAME = 'Attic' WHERE Z_PK = 1")
        let lost = try FormerValues.of(copy, all: false, folder: nil, now: TestStore.now)
        let value = try #require(lost.values.first { $0.value.text == "Labor" })
        #expect(value.past.certainty == .likely && value.past.to == nil && value.past.transaction == nil)
        #expect(lost.reach.commits == 1 && lost.reach.transactions == nil && lost.reach.problem == nil)
        let then = try MeterList.of(copy, in: .commit(0), now: TestStore.now)
        #expect(then.meters.first { $0.rows == [1] }?.name == "Labor")
    }
}
