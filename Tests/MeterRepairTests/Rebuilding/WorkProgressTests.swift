import CoreDataStore
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("what is told of long work")
struct WorkProgressTests {
    private static let fixture = StoreFixture(records: LargeStoreTests.records)

    /// How far the work was at its end.
    private func end<Value>(of work: () throws -> Value) throws -> WorkProgress.Snapshot {
        let progress = WorkProgress()
        _ = try WorkProgress.$current.withValue(progress) { try work() }
        return try #require(progress.snapshot)
    }

    @Test("are the records that were read")
    func reading() throws {
        let store = try TestStore(Self.fixture)
        let end = try end { try Verify.report(store.path, VerifyOptions(now: TestStore.now)) }
        #expect(end.phase == .reading)
        #expect(end.total == 1_500)
        // It counts by the thousand, and records with duplicates are read again.
        #expect(end.done >= 1_024)
    }

    @Test("are the bytes of all files that were copied, the log's among them")
    func copying() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
        let sizes = try [store.path, store.path + "-wal"].map { try FileBytes.read($0).count }
        let files = try StoreFiles(path: store.path)
        #expect(files.size == sizes.reduce(0, +))
        let end = try end { try PrivateCopy(of: files) }
        #expect(end.phase == .copying)
        #expect(end.total == files.size)
        #expect(end.done == files.size)
    }

    @Test("ends, in a dry run, with the records that are checked again")
    func checking() throws {
        let store = try TestStore(Self.fixture)
        let end = try end { try store.rebuild { $0.isDryRun = true } }
        #expect(end.phase == .checking)
        #expect(end.total == 1_500)
    }

    @Test("is the log at last, which a change puts into the main file")
    func log() throws {
        let store = try TestStore(Self.fixture)
        #expect(try end { try store.rebuild() }.phase == .playingLog)
    }

    @Test("counts no steps of another kind, and nothing where nobody looks")
    func units() {
        WorkProgress.begin(.saving, of: 10)
        #expect(WorkProgress.current == nil)
        let progress = WorkProgress()
        WorkProgress.$current.withValue(progress) {
            WorkProgress.begin(.saving, of: 10)
            WorkProgress.advance(.records, by: 3)
            WorkProgress.advance(.bytes, by: 4)
            #expect(progress.snapshot?.done == 4)
            WorkProgress.expect(20, in: .planning)
            #expect(progress.snapshot?.total == 10)
            WorkProgress.begin(.planning)
            WorkProgress.expect(20, in: .planning)
            #expect(progress.snapshot?.total == 20)
            WorkProgress.begin(.reading, of: 0)
            #expect(progress.snapshot?.done == 0)
            #expect(progress.snapshot?.total == nil)
        }
    }
}
