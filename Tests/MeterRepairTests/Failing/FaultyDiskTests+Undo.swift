import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

extension FaultyDiskTests {
    private static let fixture = UndoTests.fixture.with { $0.modelCache = .empty }

    /// Rebuilt stores, with what an undo finds: a main file alone, a part of the contents in the log, a rollback journal.
    private static func starts() throws -> [(name: String, store: TestStore)] {
        let rollback = fixture.with { $0.journalMode = .delete }
        let starts = try [("WAL", fixture), ("WAL with a log", fixture), ("rollback journal", rollback)].map {
            (name: $0, store: try TestStore($1))
        }
        for (name, store) in starts {
            try store.rebuild { $0.makesBackup = true }
            if name == "WAL with a log" { try store.moveIntoLog() }
        }
        return starts
    }

    @Test(
        "an undo too, and what it saved first is there exactly where it happened", arguments: FaultyDisk.Fault.allCases)
    func undo(fault: FaultyDisk.Fault) throws {
        let turn = try #require(FaultyDisk.Fault.allCases.firstIndex(of: fault))
        var happened: Set<Bool> = []
        for (name, start) in try Self.starts() {
            let before = try start.text()
            let done = try start.copy()
            let writes = try FaultyDisk.run(.once, atWrite: .max, in: done.folder) { try done.undo() }
            let after = try done.text()
            #expect(writes > 5 && before != after)
            // Each write meets one kind of fault, and each that waits for the disk may be the commit.
            for failing in 1...writes where Self.isThorough || failing % FaultyDisk.Fault.allCases.count == turn {
                let comment: Comment = "\(name), \(fault) at write \(failing) of \(writes)"
                let store = try start.copy()
                var error: StoreError?
                _ = FaultyDisk.run(fault, atWrite: failing, in: store.folder) {
                    do { try store.undo() } catch let thrown as StoreError { error = thrown } catch {}
                }
                let text = try store.text()
                #expect(text.isIntact && (text == before || text == after), comment)
                if let error {
                    #expect([.inputOutput, .permissionDenied, .inUse].contains(error.kind), "\(comment): \(error)")
                    let names = try store.snapshot().names
                    #expect(!names.contains { $0.hasSuffix(".meterfix-restoring") }, comment)
                    let saved = names.filter { $0.contains("-undo") }
                    #expect(saved.isEmpty == (text == before), "\(comment): \(saved)")
                    happened.insert(text == after)
                } else if fault != .dropped {
                    #expect(text == after, comment)
                }
                // The next run works, from either, and so does the way back.
                _ = try FaultyDisk.run(.once, atWrite: .max, in: store.folder) {
                    if text == before {
                        let next = try store.undo()
                        #expect(next.outcome == .applied, comment)
                    }
                    let text = try store.text()
                    #expect(text == after, comment)
                    let back = try store.undo(redoes: true)
                    #expect(back.outcome == .applied, comment)
                }
                #expect(try store.text() == before, comment)
            }
        }
        // A disk that fails once has taken some of the changes that it reports as failed.
        #expect(fault != .once || happened == [false, true])
    }
}

extension TestStore {
    /// Leaves a part of the contents in the log, as while the app is open.
    fileprivate func moveIntoLog() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT") }
        let files = try ["", "-wal"].map { ($0, try FileBytes.read(path + $0)) }
        try queue.close()
        for (suffix, bytes) in files { try FileBytes.write(bytes, to: path + suffix) }
    }

    /// The store and its backups in another folder.
    fileprivate func copy() throws -> TestStore { try TestStore(copyOf: self) }

    private init(copyOf other: TestStore) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/CKModel.sqlite"
        for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.path) {
            try FileManager.default.copyItem(atPath: other.folder.path + "/" + name, toPath: folder.path + "/" + name)
        }
    }
}
