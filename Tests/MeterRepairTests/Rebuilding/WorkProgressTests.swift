import CoreDataStore
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("what is told of long work")
struct WorkProgressTests {
    private static let fixture = StoreFixture(records: LargeStoreTests.records)

    /// What was told last.
    private func end<Value>(of work: () throws -> Value) rethrows -> String {
        let progress = WorkProgress()
        _ = try WorkProgress.$current.withValue(progress) { try work() }
        return progress.text
    }

    @Test("are the records that were read, by the thousand")
    func reading() throws {
        let store = try TestStore(Self.fixture)
        let end = try end { try Verify.report(store.path, VerifyOptions(now: TestStore.now)) }
        #expect(end == "reading 1024 of 1500 records")
    }

    @Test("are the bytes of all files that were copied, the log's among them")
    func copying() throws {
        let store = try TestStore(Self.fixture.with { $0.logPlacement = .rowsInLogOnly })
        let sizes = try [store.path, store.path + "-wal"].map { try FileBytes.read($0).count }
        let files = try StoreFiles(path: store.path)
        #expect(files.size == sizes.reduce(0, +))
        let size = files.size / 1_000_000
        #expect(try end { try PrivateCopy(of: files) } == "copying \(size) of \(size) MB")
    }

    @Test("ends, in a dry run, with the records that are checked again")
    func checking() throws {
        let store = try TestStore(Self.fixture)
        let end = try end { try store.rebuild { $0.isDryRun = true } }
        #expect(end.hasPrefix("checking ") && end.hasSuffix(" of 1500 records"))
    }

    @Test("is the log at last, which a change puts into the main file")
    func log() throws {
        let store = try TestStore(Self.fixture)
        #expect(try end { try store.rebuild() } == "playing the log in")
    }

    @Test("says what is done and how much of how much, as far as that is known; never more than all, an estimate")
    func text() {
        #expect(end {}.isEmpty)
        #expect(end { WorkProgress.begin("planning") } == "planning")
        #expect(end { WorkProgress.begin("reading", .records) } == "reading")
        #expect(end { WorkProgress.begin("reading", of: 10, .records) } == "reading 0 of 10 records")
        func counted(of total: Int?, _ unit: WorkProgress.Unit, _ steps: Int) -> String {
            end {
                WorkProgress.begin("copying", of: total, unit)
                WorkProgress.advance(unit, by: steps)
            }
        }
        #expect(counted(of: nil, .records, 7) == "copying 7 records")
        #expect(counted(of: 10, .stores, 3) == "copying 3 of 10 stores")
        #expect(counted(of: 1_000, .records, 1_200) == "copying 1000 of 1000 records")
        #expect(counted(of: 104_857_600, .bytes, 52_428_800) == "copying 52 of 104 MB")
    }

    @Test("counts no steps of another kind, and nothing where nobody looks")
    func units() {
        WorkProgress.begin("saving", of: 10, .changes)
        #expect(WorkProgress.current == nil)
        let end = end {
            WorkProgress.begin("saving", of: 10, .changes)
            WorkProgress.advance(.records, by: 3)
            WorkProgress.advance(.changes, by: 4)
        }
        #expect(end == "saving 4 of 10 changes")
    }
}
