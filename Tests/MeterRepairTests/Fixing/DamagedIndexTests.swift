import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("a store of which only indexes are damaged")
struct DamagedIndexTests {
    private static let index = "ATRANSACTION_ZPROCESSIDTS_INDEX"

    /// With duplicates, of which the whole repair has something to merge.
    private static func store(_ fixture: StoreFixture = StoreFixture(records: Meters.pair + [Meters.healthy])) throws
        -> TestStore
    {
        let store = try TestStore(fixture)
        try ByteDamage.misleadLastEntry(of: index, in: store.path)
        return store
    }

    private static func integrity(_ store: TestStore) throws -> [String] {
        try StoreText.read(store.path) { try $0.integrityProblems() }
    }

    @Test("is found as that, with the whole repair as the only command")
    func finding() throws {
        let store = try Self.store()
        let report = try store.looking { try Verify.report(store.path, VerifyOptions(now: TestStore.now)) }
        let ids = report.findings.ids
        #expect(ids.contains("index-damaged") && !ids.contains("not-intact"))
        #expect(report.verdict == .repair && report.alerts.damage == nil)
        let commands = StepPlan(report).steps.compactMap(\.command)
        #expect(commands.count == 1 && commands[0].words == "fix --dry-run --all", "\(commands)")
    }

    @Test("is repaired in one change: the indexes first, then all else", arguments: [true, false])
    func repaired(isWhole: Bool) throws {
        let (store, sound) = (try Self.store(), try TestStore(StoreFixture(records: Meters.pair + [Meters.healthy])))
        func repair(_ store: TestStore, _ adjust: (inout ChangeOptions) -> Void) throws -> ChangeReport {
            isWhole ? try store.change(WholeRepair(), adjust) : try store.change(FixPlanner([.indexDamaged]), adjust)
        }
        let files = try store.snapshot()
        let dry = try repair(store) { $0.isDryRun = true }
        #expect(try store.snapshot().hasSameBytes(as: files))
        let report = try repair(store) {
            $0.expected = dry.fingerprint
            $0.makesBackup = true
        }
        #expect(report.outcome == .applied && report.plan == dry.plan)
        #expect(report.plan.schemaChanges.first == .remakeIndex(name: Self.index, table: "ATRANSACTION"))
        #expect(try Self.integrity(store).isEmpty)
        _ = try repair(sound) { _ in }
        #expect(try store.text() == sound.text())
        #expect(try repair(store) { _ in }.outcome == .unchanged)
    }

    @Test("has one undo, and that a redo, byte for byte")
    func undone() throws {
        let store = try Self.store()
        let before = try store.files()
        try store.change(WholeRepair()) { $0.makesBackup = true }
        let after = try store.files()
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
        #expect(try store.undo(redoes: true).outcome == .applied)
        #expect(try store.files() == after && Self.integrity(store).isEmpty)
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("is refused by every other change, and by a repair that leaves the indexes out")
    func refused() throws {
        let store = try Self.store()
        #expect(try store.refusal { try store.rebuild() }.kind == .damaged)
        #expect(try store.refusal { try store.change(WholeRepair(except: ["index-damaged"])) }.kind == .damaged)
        #expect(try store.refusal { try store.change(FixPlanner([.idMissing])) }.kind == .damaged)
    }

    @Test("is another thing than a store of which more is damaged, which no repair takes")
    func moreDamaged() throws {
        let store = try Self.store()
        try ByteDamage.miscountFragments(ofTable: "ZDEVICESETTINGS", in: store.path)
        #expect(try Set(store.findings()).intersection(["not-intact", "index-damaged"]) == ["not-intact"])
        for makesBackup in [true, false] {
            let refusal = try store.refusal { try store.change(WholeRepair()) { $0.makesBackup = makesBackup } }
            #expect(refusal.kind == .damaged)
        }
    }

    @Test("loses nothing to recover, whose store is then as good as any")
    func recovered() throws {
        let store = try Self.store()
        let output = "\(store.folder.path)/new.sqlite"
        let report = try Recovery.run(store.path, to: output, now: TestStore.now)
        #expect(report.salvage.isWhole && report.verification.findings?.ids.contains("recovered-store") == false)
        try store.change(FixPlanner([.indexDamaged]))
        #expect(try StoreText(of: output).tables == store.text().tables)
    }
}
