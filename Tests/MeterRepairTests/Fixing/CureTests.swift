import CoreDataStore
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("a cure")
struct CureTests {
    @Test(
        "asks for nothing on other devices where it changes no record, in verify as in its dry run",
        arguments: CureCase.all)
    func steps(_ test: CureCase) throws {
        let store = try TestStore(test.fixture.with { $0.mirror = .current })
        let dry = try store.fix(FixPlanner([test.cure])) { $0.isDryRun = true }
        let verified = try Verify.report(store.path, VerifyOptions(now: TestStore.now))
        func asks(_ steps: [Step]) -> Bool {
            steps.contains { [.update, .syncAndClose, .copyAgain].contains($0.kind) }
        }
        #expect(asks(dry.stepsBefore) == test.cure.changesRecords)
        #expect(asks(StepPlan(verified).steps) == test.cure.changesRecords, "\(StepPlan(verified).steps)")
    }

    @Test("takes the finding away and changes nothing else:", arguments: CureCase.all)
    func cured(_ test: CureCase) throws {
        let store = try TestStore(test.fixture)
        #expect(try store.findings().contains(test.cure.rawValue))
        let (before, text) = (try store.cells(), try store.text())
        let report = try store.fix(FixPlanner([test.cure]))
        #expect(report.outcome == .applied)
        #expect(!report.findings.map(\.id).contains(test.cure.rawValue))
        #expect(try store.findings() == report.findings.map(\.id))
        var expected = before
        for (row, fields) in test.fields {
            expected[row]?.merge(fields) { $1 }
            guard test.isOfRecords else { continue }
            expected[row]?["Z_OPT"] = "\(try #require(Int(before[row]?["Z_OPT"] ?? "")) + 1)"
            expected[row]?["ZUPDATEDAT"] = try store.cells()[row]?["ZUPDATEDAT"]
            #expect(expected[row]?["ZUPDATEDAT"].flatMap(Double.init) == FixtureClock.now)
        }
        #expect(try store.cells() == expected)
        let after = try store.text()
        let written: Set<String> =
            switch test.cure {
            case .indexDamaged: []
            case .primaryKeyBehind: ["Z_PRIMARYKEY"]
            case .entityNumberMismatch: ["ZDEVICESETTINGS"]
            // Of an index that is gone SQLite keeps no statistics.
            case .foreignIndex: ["sqlite_stat1"]
            case .foreignTrigger: []
            case .rebuildMarkerMissing, .rebuildMarkerOld: ["Z_METADATA"]
            case .mirrorOrphan, .valueType, .unitUnknown, .lockTorn, .lockExpired, .metadataBlobMalformed, .idMissing,
                .idDuplicate:
                ["ZDEVICESETTINGS", "Z_PRIMARYKEY", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
            }
        #expect(after.isIntact && after.statements == text.statements.filter { !$0.contains(" another_tool ") })
        for (table, rows) in text.tables where !written.contains(table) {
            #expect(after[table: table] == rows, "\(table)")
        }
        let again = try store.fix(FixPlanner([test.cure]))
        #expect(again.outcome == .unchanged && again.plan.notes == [])
        #expect(try store.text() == after)
    }

    @Test(
        "of a record is one transaction with the attributes in it, and of anything else none:", arguments: CureCase.all)
    func history(_ test: CureCase) throws {
        let store = try TestStore(test.fixture)
        let last = try store.cells(of: "ATRANSACTION").keys.max()
        try store.fix(FixPlanner([test.cure]))
        let description = try store.description()
        let transactions = try store.cells(of: "ATRANSACTION").keys.filter { $0 > last ?? 0 }
        #expect(transactions.count == (test.isOfRecords ? 1 : 0))
        guard test.isOfRecords, let row = test.fields.keys.first else { return }
        let model = try #require(description.model)
        let entity = try #require(model[entity: "DeviceSettings"])
        let names = Set((test.fields[row] ?? [:]).keys.map { $0.dropFirst() } + ["UPDATEDAT"])
        let attributes = model.allAttributes(of: entity).map(\.name).filter { names.contains($0.uppercased()[...]) }
        let columns = try #require(model.changedColumns(Set(attributes), of: entity))
        #expect(
            try OrphanFixTests.lastTransaction(store) == ["1 2 \(row) X'\(Hexadecimal.text(of: columns).uppercased())'"]
        )
    }

    @Test("is in a dry run what it is in the real run:", arguments: CureCase.all)
    func planned(_ test: CureCase) throws {
        let store = try TestStore(test.fixture)
        let files = try store.snapshot()
        let dry = try store.fix(FixPlanner([test.cure])) { $0.isDryRun = true }
        #expect(try store.snapshot().hasSameBytes(as: files))
        let real = try store.fix(FixPlanner([test.cure])) { $0.expected = dry.fingerprint }
        #expect(dry.plan == real.plan && dry.findings.map(\.id) == real.findings.map(\.id))
    }

    @Test("is undone byte for byte:", arguments: CureCase.all)
    func undone(_ test: CureCase) throws {
        let store = try TestStore(test.fixture)
        let before = try store.files()
        #expect(try store.fix(FixPlanner([test.cure])) { $0.makesBackup = true }.backup?.hasSuffix("-fix") == true)
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("has its sample, and a case here")
    func complete() {
        #expect(
            Set(CureCase.all.map(\.cure))
                .union([.mirrorOrphan, .indexDamaged]) == Set(FixableCheck.allCases))
    }

    // MARK: - All

    @Test("with all others that lose nothing is one change, of everything in a record at once")
    func all() throws {
        let changed = CureCase.changed(2) {
            $0.connectedByDeviceID = "a"
            $0.tc66TemperatureUnit = "F"
            $0.id = SampleRecords.household[2].id
        }
        let fixture = CureCase.damaged(
            """
            UPDATE ZDEVICESETTINGS SET Z_ENT = 9 WHERE Z_PK IN (2, 4);
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'DeviceSettings'
            """, changed.with { $0.marker = nil })
        let store = try TestStore(fixture)
        let before = try store.cells()
        let report = try store.fix(WholeRepair())
        #expect(report.outcome == .applied && report.plan.summary.updated == 1 && report.plan.notes.count == 1)
        let ids = Set(FixableCheck.allCases.map(\.rawValue))
        #expect(try store.findings().filter(ids.contains) == [])
        let after = try store.cells()
        for row in before.keys {
            let changed = before[row]!.keys.filter { before[row]![$0] != after[row]![$0] }.sorted()
            let keptsID = after[row]!["ZID"] == before[row]!["ZID"]
            #expect(
                changed.filter { $0 != "ZID" }
                    == (row == 2
                        ? ["ZCONNECTEDBYDEVICEID", "ZTC66TEMPERATUREUNIT", "ZUPDATEDAT", "Z_ENT", "Z_OPT"]
                        : row == 4 ? ["Z_ENT"] : row == 3 && !keptsID ? ["ZUPDATEDAT", "Z_OPT"] : []))
        }
        #expect(Set(after.values.map { $0["Z_ENT"] }) == ["2"])
        #expect(try store.fix(WholeRepair()).outcome == .unchanged)
    }

    @Test("leaves out what takes something away, and without the rebuild the marker that it sets")
    func left() throws {
        let orphans = try TestStore(.orphans)
        #expect(try orphans.fix(WholeRepair()).outcome == .unchanged)
        let store = try TestStore(
            StoreFixture(records: Meters.pair + [Meters.healthy]).with { $0.marker = 2 })
        let report = try store.fix(WholeRepair(except: ["duplicate-mac"]))
        #expect(report.outcome == .unchanged)
        #expect(
            report.plan.notes.count == 1
                && report.plan.notes.first?.hasPrefix("rebuild-marker-old: a rebuild is due") == true)
        let error = #expect(throws: StoreError.self) { try store.fix(FixPlanner([.rebuildMarkerOld])) }
        #expect(error?.kind == .unsuitable && error?.hint?.contains("meterfix rebuild") == true)
    }

    @Test("never lowers the marker, and leaves lost metadata alone")
    func marker() throws {
        for fixture in [CureCase.plain.with { $0.marker = 4 }, CureCase.plain.with { $0.hasPropertyList = false }] {
            let store = try TestStore(fixture)
            #expect(try store.fix(FixPlanner([.rebuildMarkerMissing, .rebuildMarkerOld])).outcome == .unchanged)
        }
    }

    // MARK: - What stays

    @Test("leaves a meter with several records to a rebuild, if that would come out otherwise")
    func severalRecords() throws {
        // The older name belongs to a record with an expired lock.
        var pair = Meters.pair
        pair[1].meterName = "Newer"
        pair[0].tc66TemperatureUnit = "celsius"
        pair[0].modelType = "TC66C"
        pair[0] = pair[0].locked(by: .anasPhone, at: FixtureClock.now - FixtureClock.day)
        let store = try TestStore(StoreFixture(records: pair))
        let report = try store.fix(FixPlanner([.lockExpired]))
        #expect(report.outcome == .unchanged)
        #expect(report.plan.notes.first?.contains("rebuild first: meterfix rebuild") == true)
        // In the record that is kept in any case it is cleared.
        pair.swapAt(0, 1)
        var kept = pair
        kept[0].meterName = nil
        kept[0].modelType = nil
        let other = try TestStore(StoreFixture(records: kept))
        #expect(try other.fix(FixPlanner([.lockExpired])).plan.summary.updated == 1)
    }

    @Test("leaves a lock whose device is connected now, or that has another side, and says why")
    func locks() throws {
        let live = CureCase.changed(2) {
            $0.connectedByDeviceName = "Ana's iPhone"
            $0.connectedAt = FixtureClock.now - 30
        }
        let store = try TestStore(live)
        let report = try store.fix(FixPlanner([.lockTorn]))
        #expect(report.outcome == .unchanged && report.hasFindings(of: [.lockTorn]))
        #expect(report.plan.notes.first?.contains("\"Ana's iPhone\" renewed it less than two minutes ago") == true)
        #expect(try store.fix(FixPlanner([.lockTorn], force: true)).outcome == .applied)
        // The expired lock is flat, and the text beside it cannot be read.
        let both = CureCase.changed(2) {
            $0 = $0.locked(by: .bogdansMac, at: FixtureClock.now - FixtureClock.day)
            $0.connectionMetadata = "{"
        }.with { $0.lockEncoding = .both }
        let other = try TestStore(both)
        #expect(try other.fix(FixPlanner([.lockExpired])).outcome == .unchanged)
        #expect(try other.fix(FixPlanner([.lockExpired, .metadataBlobMalformed])).outcome == .applied)
        #expect(try other.cells()[2]?["ZCONNECTIONMETADATA"] == "NULL")
    }

    @Test("leaves a unit that nobody understands, and says which and how to set it")
    func units() throws {
        for unit in ["kelvin", "5"] {
            let store = try TestStore(CureCase.changed(3) { $0.tc66TemperatureUnit = unit })
            let report = try store.fix(FixPlanner([.unitUnknown]))
            #expect(report.outcome == .unchanged)
            let note = try #require(report.plan.notes.first)
            #expect(note.contains("row 3: the unit \"\(unit)\" is not understood"))
            #expect(note.contains("meterfix set ") && note.contains(" --unit celsius "))
        }
        let nameless = try TestStore(
            CureCase.changed(3) {
                $0.tc66TemperatureUnit = "C"
                $0.macAddress = nil
            })
        let meter = try #require(nameless.fix(FixPlanner([.unitUnknown])).plan.meters.first)
        #expect(meter.address == nil && meter.update?.row == 3)
    }

    @Test("leaves rows of a table that several entities share, unless all but one are abstract")
    func sharedTables() throws {
        func fixture(isAbstract: Bool) -> StoreFixture {
            var parent = Entity("Bookmark", attributes: [Attribute("title", .string)])
            parent.isAbstract = isAbstract
            return StoreFixture(records: [Meters.healthy]).with {
                $0.extraEntities = [parent, Entity("Favourite", superentity: "Bookmark")]
            }.damaged("INSERT INTO ZBOOKMARK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (8, 77, 1, 'a')")
        }
        let shared = try TestStore(fixture(isAbstract: false))
        let report = try shared.fix(FixPlanner([.entityNumberMismatch]))
        #expect(report.outcome == .unchanged)
        #expect(report.plan.notes.first?.contains("the table holds Bookmark and Favourite") == true)
        let cure = try Verify.report(shared.path, VerifyOptions(now: TestStore.now)).findings
            .first { $0.id == "entity-number-mismatch" }?.cure.description
        #expect(cure?.hasPrefix("the table holds Bookmark and Favourite") == true)
        let abstract = try TestStore(fixture(isAbstract: true))
        #expect(try abstract.fix(FixPlanner([.primaryKeyBehind, .entityNumberMismatch])).outcome == .applied)
        let favourite = try #require(try abstract.description().keys["Favourite"])
        #expect(try abstract.cells(of: "ZBOOKMARK")[8]?["Z_ENT"] == "\(favourite.number)")
        #expect(try abstract.description().keys["Bookmark"]?.lastRow == 8)
    }

    // MARK: - Identities

    @Test("gives each record but the kept one an id of its own, the same on every device")
    func identities() throws {
        let id = FixtureUUID(1).bytes
        let records = SampleRecords.household.map { record in record.with { $0.id = id } }
        let one = try TestStore(StoreFixture(records: records))
        let other = try TestStore(
            StoreFixture(records: RandomStores.shuffledRows(records, seed: 5)).with {
                $0.storeUUID = FixtureUUID(77).text
            })
        var ids: [[String: String]] = []
        for store in [one, other] {
            #expect(try store.fix(FixPlanner([.idDuplicate])).plan.summary.updated == records.count - 1)
            ids.append(
                Dictionary(
                    uniqueKeysWithValues: try store.cells().values.map { ($0["ZMACADDRESS"]!, $0["ZID"]!) }))
        }
        #expect(ids[0] == ids[1] && Set(ids[0].values).count == records.count)
        // A record that comes back with the old id gets another one than an earlier cure made.
        let kept = try #require(ids[0].first { $0.value == "X'\(Hexadecimal.text(of: id).uppercased())'" }?.key)
        let changed = try #require(one.cells().first { $0.value["ZMACADDRESS"] != kept })
        try one.execute(
            """
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS, ZID)
            SELECT 90, Z_ENT, 1, ZMACADDRESS, X'\(Hexadecimal.text(of: id))' FROM ZDEVICESETTINGS WHERE Z_PK = \(changed.key)
            """)
        try one.fix(FixPlanner([.idDuplicate]))
        let all = try one.cells().values.map { $0["ZID"]! }
        #expect(Set(all).count == all.count)
    }

    @Test("gives each record without an id one of its own, the same on every device that has it from CloudKit")
    func missingIdentities() throws {
        let records = SampleRecords.mirrored(SampleRecords.household).map { record in record.with { $0.id = nil } }
        let others = RandomStores.shuffledRows(records, seed: 5)
        let ids = try [records, others].map { records in
            let store = try TestStore(StoreFixture(records: records).with { $0.mirror = .current })
            #expect(try store.fix(WholeRepair()).plan.summary.updated == records.count)
            return Dictionary(
                uniqueKeysWithValues: try store.cells().values.map { ($0["ZMACADDRESS"]!, $0["ZID"]!) })
        }
        #expect(ids[0] == ids[1] && Set(ids[0].values).count == records.count && !ids[0].values.contains("NULL"))
        // CloudKit does not have these, and so no other device: they must only differ.
        let alone = try TestStore(
            StoreFixture(
                records: Meters.pair.map { record in
                    record.with {
                        $0.id = nil
                        $0.macAddress = nil
                        $0.createdAt = nil
                    }
                }))
        try alone.fix(FixPlanner([.idMissing]))
        #expect(Set(try alone.cells().values.map { $0["ZID"]! }.filter { $0 != "NULL" }).count == 2)
    }
}
