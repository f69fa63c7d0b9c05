import CoreDataStore
import JSON
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterRepair

@Suite("a plan in which somebody may change")
struct RevisedPlanTests {
    private static let other = "B4:C1:38:0B:7E:22"

    /// Two meters with two records each, and one with one.
    private static let twoPairs = PlanBench.fixture.with {
        $0.records += Meters.pair.map { record in
            record.with {
                $0.row += 100
                $0.macAddress = other
                $0.id = FixtureUUID(UInt64($0.row)).bytes
            }
        }
        $0.mirror = .none
    }

    private func without(_ address: String, _ lines: PlanLines) -> PlanLines {
        var lines = lines
        while let index = lines.values.firstIndex(where: { $0["mac"]?.string == address }) {
            lines = lines.with("\(index + 1)", nil)
        }
        return lines
    }

    // MARK: - Values

    @Test("a name is applied with that name, and tells of both")
    func name() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.rebuilding)
        #expect(try bench.lines.at("3.fields[0].after") == "Kitchen")
        try bench.write(try bench.lines.with("3.fields[0].after", "Küche"))
        for isDryRun in [true, false] {
            let plan = try #require(try bench.apply { $0.isDryRun = isDryRun }.plan)
            #expect(
                plan.notes.last
                    == "replaced in the edited plan: meterName \"Küche\" instead of \"Kitchen\" (\(Meters.address))")
            guard case .update(let update)? = plan.changes.first else {
                Issue.record("no update")
                return
            }
            #expect(update.fields[0].rule == .byHand && update.fields[0].donor == nil)
            var givenUp: [GivenUpValue] = []
            plan.forEachGivenUp { givenUp.append($0) }
            #expect(givenUp.map(\.value) == [.text("Kitchen")] && givenUp.map(\.kept) == [.text("Küche")])
        }
        #expect(try bench.store.column("ZMETERNAME") == ["5: 'Lab'", "7: 'Küche'"])
    }

    @Test("a name that is in conflict gives up the one that was to be kept too", arguments: [false, true])
    func conflict(alsoInConflict: Bool) throws {
        let bench = try PlanBench(
            PlanBench.fixture.with {
                $0.records[0].meterName = "Old"
                $0.records[0].updatedAt = FixtureClock.now - 500
                $0.records[1].meterName = "Older"
                $0.records[1].updatedAt = FixtureClock.now - 900
                $0.records[1].tc66TemperatureUnit = "celsius"
                $0.records[1].modelType = "TC66C"
            })
        try bench.plan(PlanBench.rebuilding)
        var lines = try bench.lines
        let update = try #require(lines.number(of: "update"))
        let conflict = try #require(lines.number(of: "conflict"))
        #expect(lines.at("\(update).fields[0].after") == "Old" && lines.at("\(conflict).kept") == "Old")
        lines = lines.with("\(update).fields[0].after", "New")
        if alsoInConflict { lines = lines.with("\(conflict).kept", "New") }
        try bench.write(lines)
        let plan = try #require(try bench.apply().plan)
        #expect(plan.conflicts.map(\.kept) == [.text("New")] && plan.conflicts.map(\.keptFrom) == [nil])
        #expect(plan.conflicts[0].dropped.map(\.value) == [.text("Old"), .text("Older")])
        #expect(try bench.store.column("ZMETERNAME") == ["5: 'Lab'", "7: 'New'"])
    }

    @Test("a name that is in conflict does not give up the one that was put there")
    func droppedName() throws {
        let bench = try PlanBench(
            PlanBench.fixture.with {
                $0.records[0].meterName = "Old"
                $0.records[0].updatedAt = FixtureClock.now - 500
                $0.records[1].meterName = "Older"
                $0.records[1].updatedAt = FixtureClock.now - 900
                $0.records[1].tc66TemperatureUnit = "celsius"
                $0.records[1].modelType = "TC66C"
                $0.records.append(
                    $0.records[0].with {
                        $0.row = 4
                        $0.id = FixtureUUID(4).bytes
                        $0.cloudRecordName = FixtureUUID(4).text
                        $0.meterName = "Oldest"
                        $0.updatedAt = FixtureClock.now - 1000
                    })
            })
        try bench.plan(PlanBench.rebuilding)
        let lines = try bench.lines
        let update = try #require(lines.number(of: "update"))
        #expect(lines.at("\(update).fields[0].after") == "Old")
        try bench.write(lines.with("\(update).fields[0].after", "Oldest"))
        let plan = try #require(try bench.apply().plan)
        #expect(plan.conflicts.map(\.kept) == [.text("Oldest")])
        #expect(plan.conflicts[0].dropped.map(\.value) == [.text("Old"), .text("Older")])
    }

    @Test("a value of an import is applied with that value, and the next import finds the dump's")
    func importedName() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.importing)
        let lines = try bench.lines
        let index = try #require((0..<6).first { lines.at("5.fields[\($0)].name") == "meterName" })
        #expect(lines.at("5.fields[\(index)].after") == "Wohnmobil")
        try bench.write(lines.with("5.fields[\(index)].after", "Camper").with("8.fields[0].after", "Studio"))
        let report = try bench.apply()
        #expect(report.plan?.conflicts.map(\.kept) == [.text("Studio")])
        #expect(
            report.plan?.notes == [
                "replaced in the edited plan: meterName \"Camper\" instead of \"Wohnmobil\" (0A:1B:2C:3D:4E:5F) and "
                    + "meterName \"Studio\" instead of \"Atelier\" (A4:C1:38:0B:7E:99)"
            ])
        #expect(try bench.store.column("ZMETERNAME").contains("8: 'Camper'"))
        #expect(try bench.store.column("ZMETERNAME").contains("5: 'Studio'"))
    }

    @Test("a value of first aid is applied with that value")
    func firstAid() throws {
        let bench = try PlanBench(FirstAidPlannerTests.fixture)
        try bench.plan(FirstAidPlanner())
        let line = try #require(try bench.lines.number(of: "update"))
        try bench.write(bench.lines.with("\(line).fields[0].after", "fahrenheit"))
        #expect(try bench.apply().outcome == .applied)
        #expect(try bench.store.shown(Meters.address)?.tc66TemperatureUnit == "fahrenheit")
    }

    @Test("a name by hand is told of as if it had been typed: whom else it belongs to")
    func byHand() throws {
        let bench = try PlanBench(PlanBench.fixture.with { $0.records.removeFirst() })
        try bench.plan(SetPlanner(MACAddress.parse(Meters.address)!.0, name: "Attic", unit: nil))
        let lines = try bench.lines
        #expect(lines.at("1.options.name") == "Attic" && lines.at("3.fields[0].after") == "Attic")
        try bench.write(lines.with("3.fields[0].after", "Lab"))
        let notes = try bench.apply().plan?.notes ?? []
        #expect(notes.count == 2 && notes[0].hasPrefix("the name \"Lab\" is also on "))
        #expect(notes[1] == "replaced in the edited plan: meterName \"Lab\" instead of \"Attic\" (\(Meters.address))")
        #expect(try bench.store.column("ZMETERNAME") == ["5: 'Lab'", "7: 'Lab'"])
    }

    @Test("an address, which must be no other record's")
    func address() throws {
        let bench = try PlanBench(PlanBench.fixture.with { $0.records[2].macAddress = "unknown" })
        let address = MACAddress.parse(Self.other)!.0
        try bench.plan(SetPlanner(.row(5), name: nil, unit: nil, address: address))
        let lines = try bench.lines
        #expect(lines.at("3.fields[0].after") == .string(Self.other))
        for (text, flaw) in [
            ("b4:c1:38:0b:7e:23", "not a value that `set` gives `macAddress`"), ("x", "not a value that `set` gives"),
            ("02:00:00:00:00:00", "not a value that `set` gives `macAddress`"),
        ] {
            try bench.write(lines.with("3.fields[0].after", .string(text)))
            try bench.expectRefused(saying: "line 3, fields[0].after: \(flaw)")
        }
        try bench.write(lines.with("3.fields[0].after", .string(Meters.address)))
        let error = #expect(throws: StoreError.self) { try bench.apply() }
        #expect(error?.kind == .unsuitable && error?.message.contains("has a record already, row 3") == true)
        try bench.write(lines.with("3.fields[0].after", "B4:C1:38:0B:7E:23"))
        #expect(try bench.apply().outcome == .applied)
        #expect(try bench.store.column("ZMACADDRESS").first { $0.hasPrefix("5:") } == "5: 'B4:C1:38:0B:7E:23'")
    }

    // MARK: - Meters

    @Test("which meters are rebuilt leaves the others, and no marker that lies")
    func meter() throws {
        let bench = try PlanBench(Self.twoPairs)
        let plan = try #require(try bench.plan(PlanBench.rebuilding).plan)
        #expect(plan.summary.updated == 2 && plan.summary.deleted == 2 && plan.changes.count == 5)
        let lines = try without(Meters.address, bench.lines)
        #expect(lines.number(of: "metadata") != nil)
        // With the line of the marker and without it.
        for isMarked in [true, false] {
            let bench = try PlanBench(Self.twoPairs)
            try bench.plan(PlanBench.rebuilding)
            try bench.write(isMarked ? lines : lines.with("\(lines.number(of: "metadata") ?? 0)", nil))
            let report = try bench.apply()
            #expect(report.outcome == .applied && report.summary.updated == 1 && report.summary.deleted == 1)
            #expect(
                report.plan?.notes.last
                    == "left out of the edited plan: \(Meters.address); so the store is not marked as done")
            #expect(try bench.store.column("Z_OPT") == ["3: 1", "5: 1", "7: 1", "107: 2"])
            #expect(try bench.store.description().metadata.dictionary?["cloudStoreRebuildVersion"] == nil)
            #expect(!report.findings.ids.contains("rebuild-marker-lies"))
            #expect(try bench.store.rebuild().summary.deleted == 1)
            #expect(try bench.store.description().metadata.dictionary?["cloudStoreRebuildVersion"] == .integer(3))
        }
    }

    @Test("everything leaves nothing to do, and no marker")
    func onlyMarker() throws {
        for planner in [PlanBench.rebuilding, PlanBench.importing] as [any Planner] {
            let bench = try PlanBench(PlanBench.fixture)
            try bench.plan(planner)
            var lines = try bench.lines
            while let line = lines.values.firstIndex(where: { $0["mac"] != nil }) {
                lines = lines.with("\(line + 1)", nil)
            }
            #expect(lines.number(of: "metadata") != nil)
            try bench.write(lines)
            let before = try bench.store.snapshot()
            let report = try bench.apply()
            #expect(report.outcome == .unchanged && report.plan?.isEmpty == true)
            #expect(report.plan?.notes.first?.hasPrefix("left out of the edited plan: ") == true)
            #expect(try bench.store.snapshot().hasSameBytes(as: before))
        }
    }

    @Test("which records are made leaves the number of one that is not unused")
    func newRecord() throws {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(PlanBench.importing)
        try bench.write(without("0A:1B:2C:3D:4E:5F", try bench.lines))
        let report = try bench.apply()
        #expect(report.outcome == .applied)
        // Its numbers are those of what is left.
        #expect(report.summary.inserted == 1 && report.plan?.cloud.updates == 2)
        #expect(report.plan?.cloud.recreateInserts == 4)
        #expect(report.plan?.notes == ["left out of the edited plan: 0A:1B:2C:3D:4E:5F"])
        #expect(try bench.store.column("Z_OPT") == ["3: 1", "5: 2", "7: 1", "9: 1"])
    }

    @Test("which records are made costs nothing in CloudKit, where no record is there")
    func newRecordWithoutCloud() throws {
        let bench = try PlanBench(
            PlanBench.fixture.with {
                $0.mirror = .none
                for index in $0.records.indices { $0.records[index].cloudRecordName = nil }
            })
        #expect(try bench.plan(PlanBench.importing).plan?.cloud.updates == 0)
        try bench.write(without("0A:1B:2C:3D:4E:5F", try bench.lines))
        let plan = try #require(try bench.apply().plan)
        #expect(plan.summary.inserted == 1 && plan.cloud.updates == 0 && plan.cloud.recreateInserts == 0)
    }

    @Test("which records without an address are cured, and which notes are of them")
    func recordWithoutAddress() throws {
        let bench = try PlanBench(
            StoreFixture(
                records: [Meters.healthy, Meters.healthy.with { $0.row = 6 }].map { record in
                    record.with {
                        $0.macAddress = nil
                        $0.id = FixtureUUID(UInt64($0.row)).bytes
                        $0.connectedByDeviceName = "torn"
                        $0.connectedExpiryAt = FixtureClock.now + 5_000
                    }
                }))
        #expect(try bench.plan(FixPlanner([.lockTorn])).plan?.notes.count == 2)
        var lines = try bench.lines
        while let line = lines.values.firstIndex(where: { $0["row"] == .integer(5) }) {
            lines = lines.with("\(line + 1)", nil)
        }
        try bench.write(lines)
        let notes = try #require(try bench.apply().plan?.notes)
        #expect(notes.count == 2 && notes[0].hasPrefix("row 6: ") && notes[1] == "left out of the edited plan: row 5")
        #expect(try bench.store.column("Z_OPT") == ["5: 1", "6: 2"])
    }
}
