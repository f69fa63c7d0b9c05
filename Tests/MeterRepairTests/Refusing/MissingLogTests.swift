import CoreDataStore
import Foundation
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("a store that came without its newest changes, or probably did,")
struct MissingLogTests {
    /// Why they are missing.
    enum Loss: CaseIterable {
        case mainFileAlone, logForgotten, damagedHeader

        func store(_ records: [FixtureRecord]) throws -> TestStore {
            let fixture = StoreFixture(records: records)
            switch self {
            case .mainFileAlone: return try TestStore(fixture.with { $0.logPlacement = .mainFileAlone })
            case .logForgotten:
                // The main file has all rows, and the -shm tells of a log that had more to say.
                let store = try TestStore(fixture.with { $0.logPlacement = .mainFileAlone })
                let other = try TestStore(fixture.with { $0.logPlacement = .logForgotten })
                try FileBytes.write(FileBytes.read(other.path + "-shm"), to: store.path + "-shm")
                return store
            case .damagedHeader:
                let store = try TestStore(fixture)
                let other = try TestStore(fixture.with { $0.logPlacement = .rowsInLogOnly })
                var log = try FileBytes.read(other.path + "-wal")
                log[17] ^= 1
                try FileBytes.write(log, to: store.path + "-wal")
                return store
            }
        }
    }

    @Test(
        "is refused, also by force and where there is nothing to do, and no file of it changes",
        arguments: Loss.allCases)
    func refused(loss: Loss) throws {
        for records in [Meters.pair, [Meters.healthy]] {
            let store = try loss.store(records)
            let error = try store.refusal { try store.rebuild(force: true) { $0.makesBackup = true } }
            #expect(error.kind == .damaged)
            #expect(error.message.contains("-wal file is"))
            #expect(error.hint?.contains("--accept-missing-wal") == true)
        }
    }

    @Test("is planned for by a dry run, which says it first", arguments: Loss.allCases)
    func dryRun(loss: Loss) throws {
        let store = try loss.store(Meters.pair)
        let before = try store.snapshot()
        let said = Said()
        let report = try store.rebuild {
            $0.isDryRun = true
            $0.warn = { said.add($0) }
        }
        #expect(report.outcome == .planned)
        #expect(said.all.count == 1)
        #expect(said.all[0].contains("-wal file"))
        #expect(report.findings.ids.contains("wal-missing"))
        #expect(try store.snapshot().differences(from: before, withFolder: false) == [])
    }

    @Test("is changed where that is accepted, and put back as it came", arguments: Loss.allCases)
    func accepted(loss: Loss) throws {
        let store = try loss.store(Meters.pair)
        let before = try store.files()
        let said = Said()
        let report = try store.rebuild {
            $0.acceptsMissingLog = true
            $0.makesBackup = true
            $0.warn = { said.add($0) }
        }
        #expect(report.outcome == .applied)
        #expect(said.all.count == 1)
        #expect(try FileBytes.read(store.path + "-wal").isEmpty)
        #expect(report.filesToReturn.starts(with: ["CKModel.sqlite", "CKModel.sqlite-wal"]))
        #expect(try store.undo { $0.acceptsMissingLog = true }.isByteForByte)
        #expect(try store.files() == before)
    }

    @Test("is not undone either, unless that is accepted")
    func undo() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair))
        try store.rebuild { $0.makesBackup = true }
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar'")
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        let error = try store.refusal { try store.undo { $0.force = true } }
        #expect(error.hint?.contains("--accept-missing-wal") == true)
        #expect(
            try store.undo {
                $0.force = true
                $0.acceptsMissingLog = true
            }.outcome == .applied)
    }

    @Test("is known to be whole where it is exactly what meterfix left, and only then")
    func ownWork() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair))
        func missesLog() throws -> Bool {
            try FileManager.default.removeItem(atPath: store.path + "-wal")
            defer { try? FileBytes.write([], to: store.path + "-wal") }
            return try store.findings().contains("wal-missing")
        }
        #expect(try missesLog())
        try store.rebuild { $0.makesBackup = true }
        #expect(try !missesLog())
        #expect(try store.undo().outcome == .applied)
        #expect(try !missesLog())
        #expect(try store.undo(redoes: true).outcome == .applied)
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar'")
        #expect(try missesLog())
    }

    @Test("is not taken for whole where it was put back as it came")
    func putBackAlone() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair).with { $0.logPlacement = .mainFileAlone })
        try store.rebuild {
            $0.acceptsMissingLog = true
            $0.makesBackup = true
        }
        #expect(try !store.findings().contains("wal-missing"))
        #expect(try store.undo().isByteForByte)
        #expect(try store.findings().contains("wal-missing"))
        // The backup that was put back is gone: nobody knows any more with which files the store had come.
        let backups = store.path + ".meterfix"
        for name in try FileManager.default.contentsOfDirectory(atPath: backups) where !name.contains("-undo") {
            try FileManager.default.removeItem(atPath: backups + "/" + name)
        }
        #expect(try store.findings().contains("wal-missing"))
    }

    /// What a run warned of.
    private final class Said: @unchecked Sendable {
        private(set) var all: [String] = []
        func add(_ sentence: String) { all.append(sentence) }
    }
}
