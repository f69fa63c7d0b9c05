import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

extension TestStore {
    /// First aid, without a backup unless asked for one.
    @discardableResult
    func firstAid(
        at now: Timestamp = TestStore.now, _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport { try change(FirstAidPlanner(), at: now, adjust) }

    /// What the app shows of a meter.
    func shown(_ address: String) throws -> MeterSettings? {
        let store = try SettingsStore(opening: path)
        let settings = try store.fetch(for: address)
        try store.close()
        return settings
    }

    fileprivate func finding(_ letterCase: LetterCase? = nil) throws -> Finding? {
        var options = VerifyOptions(now: TestStore.now)
        options.letterCase = letterCase
        return try Verify.report(path, options).findings.first { $0.id == "duplicate-mac" }
    }
}

@Suite("first aid while devices are in use")
struct FirstAidPlannerTests {
    /// Row 3 has the name, and the app finds it first; only row 7 has the unit.
    static let fixture = StoreFixture(records: Meters.pair + [Meters.healthy]).with { $0.marker = nil }

    enum Place: String, CaseIterable, Sendable {
        case mainFile, log, rollbackJournal, mirrored, v1

        var fixture: StoreFixture {
            let fixture = FirstAidPlannerTests.fixture
            switch self {
            case .mainFile: return fixture
            case .log: return fixture.with { $0.logPlacement = .rowsInLogOnly }
            case .rollbackJournal: return fixture.with { $0.journalMode = .delete }
            case .mirrored:
                return fixture.with { fixture in
                    fixture.mirror = .current
                    for index in fixture.records.indices {
                        fixture.records[index].cloudRecordName = FixtureUUID(UInt64(index)).text
                    }
                }
            case .v1:
                // Its index lets no two records have one text.
                return StoreFixture(
                    .v1,
                    records: [Meters.pair[0], Meters.pair[1].with { $0.macAddress = "a4c1380b7e21" }, Meters.healthy])
            }
        }
    }

    @Test(
        "lets the app show the name and the unit that another record has, wherever the rows are",
        arguments: Place.allCases)
    func shown(place: Place) throws {
        let store = try TestStore(place.fixture)
        #expect(try store.shown(Meters.address)?.tc66TemperatureUnit == nil)
        let other = try TestStore(place.fixture)
        #expect(try other.finding()?.showsEverything == false)
        #expect(try other.firstAid().outcome == .applied)
        let settings = try #require(try other.shown(Meters.address))
        #expect(settings.meterName == "Kitchen" && settings.tc66TemperatureUnit == "celsius")
        #expect(settings.updatedAt?.secondsSince2001 == FixtureClock.now - 900.5)
        // What a rebuild would keep is the same as before.
        try other.rebuild()
        let kept = try #require(try other.shown(Meters.address))
        #expect(kept.meterName == "Kitchen" && kept.tc66TemperatureUnit == "celsius" && kept.modelType == "TC66C")
    }

    @Test(
        "writes the one field and its history, and nothing else of the file changes",
        arguments: Place.allCases.filter { $0 != .v1 })
    func written(place: Place) throws {
        let store = try TestStore(place.fixture)
        let before = try store.text()
        let report = try store.firstAid()
        let after = try store.text()
        #expect(after.isIntact && after.statements == before.statements)
        let history: Set<String> = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "Z_PRIMARYKEY"]
        for table in before.tables.keys where !history.contains(table) && table != "ZDEVICESETTINGS" {
            #expect(before[table: table] == after[table: table], "\(table)")
        }
        let changed = zip(before[table: "ZDEVICESETTINGS"], after[table: "ZDEVICESETTINGS"]).filter { $0 != $1 }
        #expect(after[table: "ZDEVICESETTINGS"].count == 3)
        let changedFields: [Int] = changed.map { old, new in
            zip(old.split(separator: ","), new.split(separator: ",")).count { $0 != $1 }
        }
        #expect(changedFields == [2])
        #expect(try store.column("Z_OPT") == ["3: 2", "5: 1", "7: 1"])
        #expect(try store.column("ZTC66TEMPERATUREUNIT") == ["3: 'celsius'", "5: NULL", "7: 'celsius'"])
        // By name, tc66TemperatureUnit is the 14th attribute.
        let number = before[table: "ACHANGE"].count + 1
        let change: String = "\(number),16001,NULL,1,1,3,\(number),X'0004'"
        #expect(after[table: "ACHANGE"].dropLast().elementsEqual(before[table: "ACHANGE"]))
        #expect(after[table: "ACHANGE"].last == change)
        #expect(after[table: "ATRANSACTION"].count == before[table: "ATRANSACTION"].count + 1)
        #expect(report.plan.metadataChanges.isEmpty == true)
        #expect(report.plan.conflicts.isEmpty == true && report.summary.deleted == 0)
        #expect(report.inUse && report.summary.groups == 1 && report.summary.updated == 1)
    }

    @Test("is undone byte for byte", arguments: Place.allCases)
    func undone(place: Place) throws {
        let store = try TestStore(place.fixture)
        let before = try store.files()
        #expect(try store.firstAid { $0.makesBackup = true }.backup?.hasSuffix("-rebuild") == true)
        #expect(try store.files() != before)
        try store.undo()
        #expect(try TestStore.withoutCounters(store.files()) == TestStore.withoutCounters(before))
    }

    @Test("says what stays, and verify then says of no record that it lacks something")
    func nothingLacking() throws {
        let store = try TestStore(Place.mirrored.fixture)
        let finding = try #require(try store.finding())
        #expect(finding.message.contains("; the app finds row 3, which lacks the unit; row 3 has "))
        #expect(finding.firstAid?.description == "meterfix rebuild --in-use \(store.path)")
        #expect(finding.cure.description == "meterfix rebuild \(store.path)")
        let report = try store.firstAid()
        let notes = report.plan.notes
        #expect(notes.count == 2)
        #expect(notes.first?.contains("nobody may type a name or choose a unit on any device") == true)
        #expect(
            notes.dropFirst() == [
                "the duplicates remain: 1 meter still has several records; when the app is closed on all devices, run "
                    + "`meterfix rebuild \(store.path)` (see MIGRATIONS.md)"
            ])
        #expect(!report.leavesRepairs && report.findings.worst == .error)
        let after = try #require(try store.finding())
        #expect(after.showsEverything == true && after.firstAid == nil && after.severity == .error)
        #expect(after.message.contains("; the app finds row 3; row 3 has "))
    }

    @Test("leaves every file as it was where nothing is lacking", arguments: Place.allCases)
    func nothing(place: Place) throws {
        let store = try TestStore(place.fixture)
        try store.firstAid()
        let before = try store.snapshot()
        let report = try store.firstAid { $0.makesBackup = true }
        #expect(report.outcome == .unchanged && report.backup == nil && report.plan.isEmpty == true)
        #expect(try store.snapshot().differences(from: before, withFolder: false) == [])
        // A single record is none of its business, however its address is written.
        let single = try TestStore(StoreFixture(records: [Meters.healthy.with { $0.macAddress = "A4-C1-38-0B-7E-99" }]))
        #expect(try single.firstAid().outcome == .unchanged)
        #expect(try single.firstAid().plan.notes == [])
    }

    @Test("does not help a meter of which the app finds no record, and says so")
    func unfound() throws {
        let store = try TestStore(
            Self.fixture.with { fixture in
                for index in 0...1 { fixture.records[index].macAddress = "a4:c1:38:0b:7e:21" }
                fixture.records.append(Meters.healthy.with { $0.row = 9 })
            })
        let report = try store.firstAid { $0.letterCase = .upper }
        #expect(report.outcome == .unchanged && report.leavesRepairs)
        let note: Sentence = """
            this does not help A4:C1:38:0B:7E:21: the app finds none of its records, because no record has exactly this \
            address
            """
        #expect(report.plan.notes.first == note)
        #expect(report.plan.notes.count == 2)
        let finding = try #require(try store.finding(.upper))
        #expect(finding.showsEverything == false && finding.firstAid == nil)
        // To an app that writes lower case, they are there.
        #expect(
            try store.finding(.lower)?.firstAid?.description
                == "meterfix rebuild --in-use --mac-case lower \(store.path)")
        let lower = try store.firstAid { $0.letterCase = .lower }
        #expect(lower.outcome == .applied)
        #expect(try store.shown("a4:c1:38:0b:7e:21")?.tc66TemperatureUnit == "celsius")
    }

    @Test("does not care for what only a deletion could break, and is refused where no change can be made")
    func refusals() throws {
        var reading = Entity("Reading", attributes: [Attribute("volts", .double)])
        reading.relationships = [Relationship("meter", to: "DeviceSettings")]
        let related = Self.fixture.with {
            $0.extraEntities = [reading]
            $0.damage = { try $0.execute(sql: "INSERT INTO ZREADING (Z_PK, Z_ENT, Z_OPT, ZMETER) VALUES (1, 2, 1, 3)") }
        }
        #expect(throws: StoreError.self) { try TestStore(related).rebuild() }
        #expect(try TestStore(related).firstAid().outcome == .applied)
        let deaf = Self.fixture.with {
            $0.history = .none
            $0.mirror = .current
        }
        let trigger = Self.fixture.damaged("CREATE TRIGGER t AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT 1; END")
        for fixture in [deaf, trigger] {
            let store = try TestStore(fixture)
            let error = try store.refusal { try store.firstAid() }
            #expect(error.kind == .unsuitable)
            // So it is not offered.
            #expect(try store.finding()?.firstAid == nil && store.finding()?.showsEverything == false)
        }
    }

    @Test("does not lower, raise or set the marker", arguments: [nil, Int64(2), 3, 4])
    func marker(marker: Int64?) throws {
        let store = try TestStore(Self.fixture.with { $0.marker = marker })
        try store.firstAid()
        #expect(try store.description().metadata.dictionary?["cloudStoreRebuildVersion"] == marker.map { .integer($0) })
    }
}

/// A failure names its seed.
@Suite("first aid in any store")
struct FirstAidLawTests {
    private static let seeds = LawSeeds.first(8)

    private static func fixture(_ seed: UInt64) -> StoreFixture {
        let records = RandomStores.records(seed: seed).enumerated().map { index, record in
            // Else hardly any meter would have a record that the app finds.
            record.with { record in
                guard index % 3 > 0, let address = record.macAddress.flatMap(MACAddress.parse)?.address else { return }
                record.macAddress = address.text(in: .upper)
            }
        }
        return StoreFixture(records: records).with {
            $0.mirror = seed % 3 == 0 ? .none : .current
            $0.historyToken = RandomStores.historyToken(seed: seed, transactions: records.count)
            $0.lockEncoding = [.flat, .flat, .both, .blob][Int(seed % 4)]
            $0.history = seed % 5 == 0 ? .withoutStrings : .current
            $0.journalMode = seed % 2 == 0 ? .wal : .delete
            $0.logPlacement = seed % 4 == 0 ? .rowsInLogOnly : .checkpointed
        }
    }

    @Test("does what its dry run says, and once more changes nothing", arguments: seeds)
    func dryRun(seed: UInt64) throws {
        let store = try TestStore(Self.fixture(seed))
        let planned = try store.looking { try store.firstAid { $0.isDryRun = true } }
        let done = try store.firstAid()
        #expect(
            planned.plan == done.plan && planned.findings == done.findings && planned.summary == done.summary)
        let text = try store.text()
        #expect(text.isIntact)
        let again = try store.firstAid()
        #expect(again.outcome == .unchanged && again.plan.isEmpty == true)
        #expect(try store.text() == text)
    }

    @Test(
        "overwrites and deletes nothing, moves no updatedAt, and every meter that the app finds is levelled",
        arguments: seeds)
    func gentle(seed: UInt64) throws {
        let store = try TestStore(Self.fixture(seed))
        let columns = ["ZMETERNAME", "ZTC66TEMPERATUREUNIT"]
        let before = try columns.map { try store.column($0) }
        let dates = try store.column("ZUPDATEDAT")
        let report = try store.firstAid()
        for (column, old) in zip(columns, before) {
            let new = try store.column(column)
            #expect(new.count == old.count)
            for (old, new) in zip(old, new) where old != new {
                let value = old.drop { $0 != ":" }.dropFirst(2)
                #expect(value == "NULL" || value.allSatisfy { $0 == "'" || $0.isWhitespace }, "\(old) → \(new)")
            }
        }
        #expect(try store.column("ZUPDATEDAT") == dates)
        for finding in report.findings where finding.id == "duplicate-mac" {
            let isFound = !finding.message.contains("the app finds none")
            #expect(finding.showsEverything == isFound && finding.firstAid == nil, "\(finding.message)")
        }
    }
}
