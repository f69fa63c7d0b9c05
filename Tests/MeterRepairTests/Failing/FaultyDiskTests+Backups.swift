import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

extension FaultyDiskTests {
    /// A store, the change it is about to meet, and whether that is the undo of a rebuild, or a rebuild.
    private struct Start {
        let name: String
        let store: TestStore
        let isUndo: Bool

        init(_ journal: String, isUndo: Bool) throws {
            name = "\(isUndo ? "undo" : "rebuild"), \(journal)"
            self.isUndo = isUndo
            store = try TestStore(
                UndoTests.fixture.with {
                    $0.modelCache = .empty
                    $0.marker = nil
                    if journal == "rollback journal" { $0.journalMode = .delete }
                })
            if isUndo { try store.rebuild { $0.makesBackup = true } }
            if journal == "part of it in the log" { try store.moveIntoLog() }
        }

        func change(_ store: TestStore) throws {
            if isUndo { try store.undo() } else { try store.rebuild { $0.makesBackup = true } }
        }
    }

    @Test(
        "and what was saved before a change or an undo is there exactly where that happened",
        arguments: FaultyDisk.Fault.allCases)
    func backups(fault: FaultyDisk.Fault) throws {
        let turn = try #require(FaultyDisk.Fault.allCases.firstIndex(of: fault))
        var happened: Set<Bool> = []
        for journal in ["all in the main file", "part of it in the log", "rollback journal"] {
            for isUndo in [false, true] {
                let start = try Start(journal, isUndo: isUndo)
                let before = try start.store.text()
                let done = try start.store.copy()
                let writes = try FaultyDisk.run(.once, atWrite: .max, in: done.folder) { try start.change(done) }
                let after = try done.text()
                #expect(writes > 5 && before != after)
                for failing in 1...writes where Self.isThorough || failing % FaultyDisk.Fault.allCases.count == turn {
                    let comment: Comment = "\(start.name), \(fault) at write \(failing) of \(writes)"
                    let store = try start.store.copy()
                    var error: StoreError?
                    _ = FaultyDisk.run(fault, atWrite: failing, in: store.folder) {
                        do { try start.change(store) } catch let thrown as StoreError { error = thrown } catch {}
                    }
                    let text = try store.text()
                    #expect(text.isIntact && (text == before || text == after), comment)
                    guard let error else {
                        #expect(text == after || fault == .dropped, comment)
                        continue
                    }
                    #expect([.inputOutput, .permissionDenied, .inUse].contains(error.kind), "\(comment): \(error)")
                    let names = try store.snapshot().names
                    #expect(!names.contains { $0.hasSuffix(".meterfix-restoring") }, comment)
                    let saved = names.contains { $0.hasSuffix(isUndo ? "Z-undo" : "Z-rebuild") }
                    #expect(saved == (text == after), comment)
                    happened.insert(text == after)
                    // It is the way back, as if nothing had failed.
                    guard text == after else { continue }
                    let back = try store.undo(redoes: isUndo)
                    #expect(back.outcome == .applied, comment)
                    #expect(try store.text() == before, comment)
                }
            }
        }
        // Some faults come with the commit, and SQLite reports a change as failed that it has made.
        #expect([.torn, .dropped].contains(fault) || happened == [false, true])
    }
}

extension TestStore {
    /// Leaves a part of the contents in the log, as while the app is open.
    fileprivate func moveIntoLog() throws {
        let queue = try DatabaseQueue(path: path)
        // SQLite writes no page for an update to the values that are there.
        for change in ["+ 1", "- 1"] {
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT \(change)")
            }
        }
        let files = try ["", "-wal"].map { ($0, try FileBytes.read(path + $0)) }
        try queue.close()
        try #require(!files[1].1.isEmpty)
        for (suffix, bytes) in files { try FileBytes.write(bytes, to: path + suffix) }
    }

    /// The store and its backups in another folder.
    fileprivate func copy() throws -> TestStore { try TestStore(copyOf: self) }

    private init(copyOf other: TestStore) throws {
        try self.init()
        for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.path) {
            try FileManager.default.copyItem(atPath: other.folder.path + "/" + name, toPath: folder.path + "/" + name)
        }
    }
}
