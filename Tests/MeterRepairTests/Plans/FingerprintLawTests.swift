import CoreDataStore
import JSON
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

/// Random stores, and everything that may be planned for them.
enum RandomPlans {
    private static let locked = MACAddress.parse(Meters.address)!.0

    static func fixture(seed: UInt64) -> StoreFixture {
        StoreFixture(
            records: RandomStores.records(seed: seed, meters: 4) + [
                Meters.pair[0].locked(by: .anasPhone, at: FixtureClock.now - 30).with { $0.row = 9_000 }
            ]
        ).with {
            $0.mirror = seed % 3 == 0 ? .none : .current
            $0.historyToken = RandomStores.historyToken(seed: seed, transactions: $0.records.count)
            $0.lockEncoding = [.flat, .both, .blob][Int(seed % 3)]
            $0.journalMode = seed % 2 == 0 ? .wal : .delete
            $0.logPlacement = seed % 4 == 0 ? .rowsInLogOnly : .checkpointed
            $0.marker = seed % 2 == 0 ? nil : 2
        }
    }

    /// Addresses of the store, as they are written there, and two that it does not have.
    static func dump(seed: UInt64) -> LegacyValues {
        var names = ["0A:1B:2C:3D:4E:5F": "Wohnmobil", "0A:1B:2C:3D:4E:60": "Garage", "x": "rejected"]
        for record in RandomStores.records(seed: seed, meters: 4) where record.row % 2 == 0 {
            if let address = record.macAddress { names[address] = "Name \(record.row)" }
        }
        return TestStore.values(names: names, units: [Meters.address: "kelvin"])
    }

    /// Those that take a filter, with one.
    static func planners(seed: UInt64, _ filter: MeterFilter) -> [any Planner] {
        let imports = ImportConflictPolicy.allCases.map {
            ImportPlanner(dump(seed: seed), sha256: "5a", policy: $0, filter)
        }
        return [
            RebuildPlanner(policy: .mostComplete, filter), RebuildPlanner(policy: .newest, filter),
            FirstAidPlanner(filter), WholeRepair(filter), FixPlanner(FixableCheck.allCases, force: true, filter),
        ] + imports
    }

    static func planners(seed: UInt64) -> [any Planner] {
        planners(seed: seed, .all) + [
            UnlockPlanner(locked, force: true), SetPlanner(locked, name: "By hand", unit: .celsius),
            DeletePlanner(row: 1, force: true), MigrationPlanner(),
        ]
    }

    static func options(at now: Timestamp = TestStore.now) -> ChangeOptions {
        var options = ChangeOptions(now: now)
        options.makesBackup = false
        // Some stores are mirrored and have no history.
        options.force = true
        return options
    }
}

@Suite("law of fingerprints")
struct FingerprintLawTests {
    private func run(
        _ planner: some Planner, on path: String, _ adjust: (inout ChangeOptions) -> Void
    ) throws -> ChangeReport {
        var options = RandomPlans.options()
        adjust(&options)
        return try ChangeRun.run(planner, on: path, options: options)
    }

    private func dryRun(
        _ planner: some Planner, on path: String, at now: Timestamp = TestStore.now
    ) throws -> ChangeReport {
        try run(planner, on: path) {
            $0.now = now
            $0.isDryRun = true
        }
    }

    /// Nil for what this store refuses.
    private func planned(_ planner: some Planner, on path: String) throws -> ChangeReport? {
        do {
            return try dryRun(planner, on: path)
        } catch let error as StoreError where error.kind == .unsuitable {
            return nil
        }
    }

    @Test("a dry run has that of the real run, whatever the clock says, and only this plan is carried out")
    func sameAsRealRun() throws {
        var applied = 0
        for seed in LawSeeds.first(6) {
            for (index, planner) in RandomPlans.planners(seed: seed).enumerated() {
                let comment: Comment = "seed \(seed), \(planner.command.rawValue) \(index)"
                let store = try TestStore(RandomPlans.fixture(seed: seed))
                let before = try store.snapshot()
                guard let dry = try planned(planner, on: store.path) else { continue }
                let fingerprint = dry.fingerprint
                // What is locked or expired at a moment is no matter of the clock alone.
                let isOfLocks = [.fix, .unlock].contains(planner.command)
                for delay in isOfLocks ? [0.25, 1.5] : [-4e8, -0.25, 1.5, 4e8] {
                    let later = Timestamp(secondsSince2001: FixtureClock.now + delay)
                    #expect(try dryRun(planner, on: store.path, at: later).fingerprint == fingerprint, comment)
                }
                let other = try #require(PlanFingerprint(String(fingerprint.description.reversed())))
                for isDryRun in [true, false] where other != fingerprint {
                    let error = #expect(throws: StoreError.self, comment) {
                        try run(planner, on: store.path) {
                            $0.expected = other
                            $0.isDryRun = isDryRun
                        }
                    }
                    #expect(error?.kind == .stale && error?.hint?.hasPrefix("run the dry run again") == true, comment)
                }
                #expect(try store.snapshot().hasSameBytes(as: before), comment)
                let done = try run(planner, on: store.path) { $0.expected = fingerprint }
                #expect(done.fingerprint == fingerprint && done.plan == dry.plan, comment)
                guard done.outcome == .applied else { continue }
                applied += 1
                // The same once more is another plan.
                let after = try store.snapshot()
                let again = #expect(throws: StoreError.self, comment) {
                    try run(planner, on: store.path) { $0.expected = fingerprint }
                }
                #expect([.stale, .unsuitable].contains(again?.kind), comment)
                #expect(try store.snapshot().hasSameBytes(as: after), comment)
            }
        }
        #expect(applied > 30, "\(applied)")
    }

    @Test("equal plans have one, whatever asked for them, and different plans have different ones")
    func oneForEachPlan() throws {
        var (plans, equals) = (0, 0)
        for seed in LawSeeds.first(6) {
            var known: [PlanFingerprint: String] = [:]
            func note(_ report: ChangeReport, _ comment: Comment) throws {
                let fingerprint = report.fingerprint
                let said = try said(by: report)
                if let other = known[fingerprint] {
                    equals += 1
                    #expect(other == said, comment)
                } else {
                    #expect(!known.values.contains(said), comment)
                    known[fingerprint] = said
                    plans += 1
                }
            }
            let store = try TestStore(RandomPlans.fixture(seed: seed))
            let rows = RandomPlans.fixture(seed: seed).records.map(\.row)
            let meters = try RandomFilters(seed: seed, store.path)
            for round in 0..<4 {
                let planners =
                    RandomPlans.planners(seed: seed)
                    + meters.filters.flatMap { RandomPlans.planners(seed: seed, $0) }
                for (index, planner) in planners.enumerated() {
                    guard let report = try planned(planner, on: store.path) else { continue }
                    try note(report, "seed \(seed), round \(round), \(planner.command.rawValue) \(index)")
                }
                // Something that no plan may pass over in silence.
                let column = ["ZMETERNAME", "ZMODELTYPE", "ZTC66TEMPERATUREUNIT", "ZID"][round]
                let value = column == "ZID" ? "X'0123456789ABCDEF0123456789ABCDEF'" : "'moved'"
                try store.execute(
                    "UPDATE ZDEVICESETTINGS SET \(column) = \(value) WHERE Z_PK = \(rows[(round * 3) % rows.count])")
            }
        }
        #expect(plans > 100 && equals > 100, "\(plans) \(equals)")
    }

    /// What the answer says of the plan, without what the clock alone decides: the definition of what counts.
    private func said(by report: ChangeReport) throws -> String {
        let document = try JSONValue(parsing: Array(report.text(pretty: false).utf8))
        func elements(_ value: JSONValue?) -> [JSONValue] { if case .array(let values)? = value { values } else { [] } }
        let changes = elements(document["changes"]).map { change -> JSONValue in
            guard case .object(let members) = change else { return change }
            if change["key"] == "legacyKeyValueImport" {
                return .object(
                    members.map { $0.key == "after" ? .init("after", change.at("after.sha256")) : $0 })
            }
            guard change["fields"] != nil else { return change }
            let lasting = elements(change["fields"]).compactMap { field -> JSONValue? in
                if field["rule"] == "now" { return nil }
                let isNew = field["rule"] == "new-record" && field["name"] != "macAddress"
                return isNew ? field.with("after", .null) : field
            }
            return .object(members.map { $0.key == "fields" ? .init("fields", lasting) : $0 })
        }
        let rest = ["conflicts", "rejects"].map { JSONValue.array(elements(document[$0])) }
        return JSONValue.array([.array(changes)] + rest).text(pretty: false)
    }

    @Test("a store that has moved since gives another one, or has the same plan")
    func moved() throws {
        for place in [StoreFixture.LogPlacement.checkpointed, .rowsInLogOnly] {
            let store = try TestStore(
                StoreFixture(records: Meters.pair + [Meters.healthy]).with { $0.logPlacement = place })
            let planner = RebuildPlanner(policy: .mostComplete)
            let fingerprint = try dryRun(planner, on: store.path).fingerprint
            // Of a record that the plan is not about.
            try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar' WHERE Z_PK = 5")
            #expect(try dryRun(planner, on: store.path).fingerprint == fingerprint)
            try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Attic' WHERE Z_PK = 3")
            let before = try store.snapshot()
            for force in [false, true] {
                let error = #expect(throws: StoreError.self) {
                    try run(planner, on: store.path) {
                        $0.expected = fingerprint
                        $0.makesBackup = true
                        $0.force = force
                    }
                }
                #expect(error?.kind == .stale)
            }
            #expect(try store.snapshot().hasSameBytes(as: before))
            // Another store with the same records.
            let other = try TestStore(StoreFixture(records: Meters.pair + [Meters.healthy]))
            try other.execute("UPDATE Z_METADATA SET Z_UUID = 'X'")
            #expect(try dryRun(planner, on: other.path).fingerprint != fingerprint)
        }
    }

    @Test("of another plan, the refusal names the meters that it changes, and what changed last in the store")
    func otherPlan() throws {
        let store = try TestStore(Meters.fixture)
        let lab = try #require(Meters.healthy.macAddress)
        let shown = try dryRun(RebuildPlanner(policy: .newest), on: store.path).fingerprint
        func refusal() throws -> String {
            try store.refusal { try run(RebuildPlanner(policy: .newest), on: store.path) { $0.expected = shown } }
                .message
        }
        try store.change(SetPlanner(#require(MACAddress.parse(lab)).address, name: "Cellar", unit: nil))
        try store.execute(
            """
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS)
            SELECT 9, Z_ENT, 1, ZMACADDRESS FROM ZDEVICESETTINGS WHERE Z_PK = 5
            """)
        let other = try refusal()
        #expect(
            other.contains("instead of \(shown): it changes \"Kitchen\", \(Meters.address) and \"Cellar\", \(lab); "),
            "\(other)")
        #expect(
            other.contains(
                "; the last changes in its history are of row 5 (\"Cellar\", \(lab), changed \(TestStore.now) by meterfix)"
            ),
            "\(other)")
        #expect(other.hasSuffix("; nothing was changed"))
        try store.execute("DROP TABLE ATRANSACTION; DROP TABLE ACHANGE; UPDATE ZDEVICESETTINGS SET ZMACADDRESS = Z_PK")
        let nothing = try refusal()
        #expect(
            nothing
                == "there is nothing to do now, instead of the plan \(shown); the store has no history that says what "
                + "changed last; nothing was changed")
    }

    @Test("a store of other bytes and the same contents has the same")
    func otherBytes() throws {
        let store = try TestStore(RandomPlans.fixture(seed: 4))
        let planner = RebuildPlanner(policy: .newest)
        let fingerprint = try dryRun(planner, on: store.path).fingerprint
        try store.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM;")
        #expect(try run(planner, on: store.path) { $0.expected = fingerprint }.outcome == .applied)
    }

    @Test("an import that makes its store has the same, whenever it is planned, and makes none of another plan")
    func newStore() throws {
        let bench = try TestStore()
        let planner = ImportPlanner(RandomPlans.dump(seed: 1), sha256: "5a", policy: .keep)
        func create(_ adjust: (inout ChangeOptions) -> Void) throws -> ChangeReport {
            var options = ChangeOptions(now: TestStore.now)
            options.rejectsFile = bench.folder.path + "/rejects.json"
            adjust(&options)
            return try LegacyImport.run(planner, on: bench.path, creates: true, options: options)
        }
        let fingerprint = try create { $0.isDryRun = true }.fingerprint
        let error = #expect(throws: StoreError.self) {
            try create { $0.expected = PlanFingerprint("0123456789abcdef") }
        }
        #expect(error?.kind == .stale)
        #expect(try bench.snapshot().contents.isEmpty)
        let done = try create {
            $0.expected = fingerprint
            $0.now = Timestamp(secondsSince2001: FixtureClock.now + 4e6)
        }
        #expect(done.outcome == .applied && done.fingerprint == fingerprint)
        #expect(try bench.snapshot().contents.keys.contains("rejects.json"))
    }

    @Test("an undo has one too, of what is put back in the place of what")
    func undo() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair + [Meters.healthy]))
        let original = try store.files()
        try store.rebuild { $0.makesBackup = true }
        func undo(redoes: Bool = false, _ adjust: (inout ChangeOptions) -> Void = { _ in }) throws -> UndoReport {
            var options = ChangeOptions(now: TestStore.now)
            adjust(&options)
            return try Undo.run(store.path, redoes: redoes, options: options)
        }
        let planned = try undo { $0.isDryRun = true }
        let fingerprint = planned.fingerprint
        #expect(
            try undo {
                $0.isDryRun = true
                $0.now = Timestamp(secondsSince2001: FixtureClock.now + 4e8)
            }.fingerprint == fingerprint)
        let before = try store.snapshot()
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar' WHERE Z_PK = 5")
        for isDryRun in [true, false] {
            let error = #expect(throws: StoreError.self) {
                try undo {
                    $0.expected = fingerprint
                    $0.isDryRun = isDryRun
                    $0.force = true
                }
            }
            #expect(error?.kind == .stale && error?.message.contains(": it takes back the rebuild of ") == true)
        }
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Lab' WHERE Z_PK = 5")
        #expect(try store.snapshot().names == before.names)
        #expect(try undo { $0.expected = fingerprint }.fingerprint == fingerprint)
        #expect(try store.files() == original)
        let nothing = #expect(throws: StoreError.self) { try undo { $0.expected = fingerprint } }
        #expect(nothing?.kind == .stale && nothing?.message.hasPrefix("there is nothing to do now") == true)
        #expect(try undo(redoes: true) { $0.isDryRun = true }.fingerprint != fingerprint)
    }
}

/// Some meters of a store, and a filter for them and one for all others.
struct RandomFilters {
    let only: MeterFilter
    let except: MeterFilter
    let addresses: Set<MACAddress>

    var filters: [MeterFilter] { [only, except] }

    init(seed: UInt64, _ path: String) throws {
        var generator = SeededGenerator(seed: seed &+ 0xF117)
        let found = try Session.look(at: path, now: TestStore.now) { $0.store.addresses.meters.map(\.address) }
        let all = found + [MACAddress.parse("0A:1B:2C:3D:4E:5F")!.0]
        addresses = Set(all.filter { _ in generator.next() % 2 == 0 })
        only = .only(addresses)
        except = .except(addresses)
    }
}
