import CoreDataStore
import Foundation
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("when a write fails, whichever it is, a store is as before or as after:", .serialized)
struct FaultyDiskTests {
    private struct Scenario {
        let name: String
        let fixture: StoreFixture
    }

    private static let fixture = StoreFixture(records: Meters.pair + [Meters.healthy]).with {
        $0.marker = nil
        // A small store: fewer writes, and each of them meets a fault.
        $0.modelCache = .empty
    }

    private static let scenarios = [
        Scenario(name: "WAL", fixture: fixture),
        Scenario(name: "WAL with rows in the log", fixture: fixture.with { $0.logPlacement = .rowsInLogOnly }),
        Scenario(name: "rollback journal", fixture: fixture.with { $0.journalMode = .delete }),
    ]

    /// All faults at all writes take most of a minute; by default each write meets one kind of fault.
    static let isThorough = ProcessInfo.processInfo.environment["METERFIX_ALL_FAULTS"] != nil

    @Test("every write, every kind of fault, every journal", arguments: FaultyDisk.Fault.allCases)
    func everyWrite(fault: FaultyDisk.Fault) throws {
        let turn = try #require(FaultyDisk.Fault.allCases.firstIndex(of: fault))
        for scenario in Self.scenarios {
            let bench = try Bench(scenario)
            try #require(bench.writes > 5)
            try bench.meet(
                fault,
                at: (1...bench.writes).filter { Self.isThorough || $0 % FaultyDisk.Fault.allCases.count == turn })
        }
    }

    /// What a large store's transaction has written is put into the log, and read there by others, before the commit. (No
    /// power failure: a disk that loses what it took shows SQLite a damaged log.)
    @Test("in a large store too", arguments: [FaultyDisk.Fault.once, .full, .gone, .torn])
    func largeStore(fault: FaultyDisk.Fault) throws {
        let bench = try Bench(
            Scenario(name: "large", fixture: StoreFixture(records: ParallelReadingTests.records)))
        // An SQLite that also overwrites what was deleted, as Debian's does, writes three times as much.
        try #require(bench.writes > 400)
        // Some on the way, and all that come with the commit.
        let step = Self.isThorough ? 20 : bench.writes / 3
        try bench.meet(
            fault, at: Array(stride(from: 1, to: bench.writes, by: step)) + (bench.writes - 4...bench.writes))
    }

    /// A store, what a rebuild makes of it, and how many writes that takes.
    private struct Bench {
        private let scenario: Scenario
        private let before: StoreText
        private let after: StoreText
        private let original: FolderSnapshot
        private let files: [(suffix: String, bytes: [UInt8])]
        let writes: Int

        init(_ scenario: Scenario) throws {
            self.scenario = scenario
            let store = try TestStore(scenario.fixture)
            before = try store.text()
            original = try store.snapshot()
            files = ["", "-wal"].compactMap { suffix in
                (try? FileBytes.read(store.path + suffix)).map { (suffix, $0) }
            }
            let done = try TestStore(scenario.fixture)
            writes = try FaultyDisk.run(.once, atWrite: .max, in: done.folder) { try done.rebuild() }
            after = try done.text()
            #expect(before != after)
        }

        /// Rebuilds with a fault at one write after the other.
        func meet(_ fault: FaultyDisk.Fault, at places: [Int]) throws {
            var outcomes: [Bool: Int] = [:]
            for failing in places {
                outcomes[try isDone(with: fault, at: failing), default: 0] += 1
            }
            // Some faults come before the commit.
            #expect(outcomes[false, default: 0] > 0)
        }

        /// Whether the store is as after the change.
        private func isDone(with fault: FaultyDisk.Fault, at failing: Int) throws -> Bool {
            let comment: Comment = "\(scenario.name), \(fault) at write \(failing) of \(writes)"
            let store = try TestStore(copyOf: files)
            var error: StoreError?
            _ = FaultyDisk.run(fault, atWrite: failing, in: store.folder) {
                do { try store.rebuild() } catch let thrown as StoreError { error = thrown } catch {}
            }
            // The very bytes of before need no look.
            if try store.snapshot().hasSameBytes(as: original) {
                #expect(error != nil || fault == .dropped, comment)
                return false
            }
            let text = try store.text()
            #expect(text.isIntact, comment)
            #expect(text == before || text == after, comment)
            if let error {
                #expect([.inputOutput, .permissionDenied, .inUse].contains(error.kind), "\(comment): \(error)")
            } else if fault != .dropped {
                #expect(text == after, comment)
            }
            // The next run works, from either.
            _ = try FaultyDisk.run(.once, atWrite: .max, in: store.folder) {
                let next = try store.rebuild()
                #expect(next.outcome == (text == after ? .unchanged : .applied), comment)
            }
            if text != after { #expect(try store.text() == after, comment) }
            return text == after
        }
    }

    @Test("and the backup of a change that did not happen is gone")
    func backup() throws {
        let store = try TestStore(Self.fixture)
        let before = try store.text()
        _ = FaultyDisk.run(.full, atWrite: 2, in: store.folder) {
            let error = #expect(throws: StoreError.self) { try store.rebuild { $0.makesBackup = true } }
            #expect(error?.kind == .inputOutput)
        }
        #expect(try store.text() == before)
        #expect(try store.snapshot().names.filter { $0.contains("rebuild") } == [])
    }

    @Test("a dry run writes nothing beside the store that could fail")
    func dryRun() throws {
        let store = try TestStore(Self.fixture)
        let writes = try FaultyDisk.run(.gone, atWrite: 1, in: store.folder) {
            try store.rebuild { $0.isDryRun = true }
        }
        #expect(writes == 0)
    }
}

extension TestStore {
    /// A store of these bytes, by suffix of the file's name.
    init(copyOf files: [(suffix: String, bytes: [UInt8])]) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/CKModel.sqlite"
        for file in files { try FileBytes.write(file.bytes, to: path + file.suffix) }
    }
}
