internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterRepair
internal import MeterStore
internal import MeterTestSupport

extension FuzzTarget {
    /// The journal of a backup.
    static let journal = FuzzTarget(
        name: "journal", longestInput: 1 << 16, shortRun: 20,
        seeds: {
            let rebuilt = try RebuiltStore()
            return try withExtendedLifetime(rebuilt) { [try FileBytes.read(rebuilt.journal)] }
        },
        entry: {
            let rebuilt = try RebuiltStore()
            return { bytes in
                try FileBytes.write(bytes, to: rebuilt.journal)
                try rebuilt.trial.lookAtBackups(only: number(of: bytes))
            }
        })

    /// The changes in a backup, in a file that is the one its journal tells of.
    static let changes = FuzzTarget(
        name: "changes", longestInput: 1 << 16, shortRun: 20,
        seeds: {
            let rebuilt = try RebuiltStore()
            return try withExtendedLifetime(rebuilt) { [try FileBytes.read(rebuilt.changes)] }
        },
        entry: {
            let rebuilt = try RebuiltStore()
            let text = String(decoding: try FileBytes.read(rebuilt.journal), as: UTF8.self)
            let written = try FileDigest(of: rebuilt.changes)
            // Only where a row moved since are the changes made again.
            let queue = try DatabaseQueue(path: rebuilt.trial.path)
            try queue.write { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage'") }
            try queue.close()
            return { bytes in
                try FileBytes.write(bytes, to: rebuilt.changes)
                let digest = try FileDigest(of: rebuilt.changes)
                let edited = text.replacing(
                    Hexadecimal.text(of: written.sha256), with: Hexadecimal.text(of: digest.sha256)
                ).replacing("\"size\": \(written.size),", with: "\"size\": \(digest.size),")
                try FileBytes.write(Array(edited.utf8), to: rebuilt.journal)
                try rebuilt.trial.lookAtBackups(only: number(of: bytes))
            }
        })

    /// The main file of a store, with pages as small as they can be.
    static let store = FuzzTarget(
        name: "store", longestInput: 1 << 17, shortRun: 20,
        seeds: { try [StoreTrial.fixture, oldFixture].map(smallPages) },
        entry: {
            { bytes in
                let folder = try TemporaryFolder()
                let trial = StoreTrial(path: folder.path + "/CKModel.sqlite", in: folder)
                try FileBytes.write(bytes, to: trial.path)
                try trial.run(only: number(of: bytes))
            }
        })

    /// The main file of a store that is to be recovered.
    static let recovery = FuzzTarget(
        name: "recovery", longestInput: 1 << 17, shortRun: 30,
        seeds: { try [StoreTrial.fixture, oldFixture].map(smallPages) },
        entry: {
            { bytes in
                let folder = try TemporaryFolder()
                let path = folder.path + "/CKModel.sqlite"
                try FileBytes.write(bytes, to: path)
                let before = try FolderSnapshot(folder.path)
                let home = try TemporaryFolder()
                do {
                    let report = try Recovery.run(path, to: home.path + "/new.sqlite", now: StoreTrial.now)
                    _ = try Verify.report(report.output, VerifyOptions(now: StoreTrial.now))
                } catch let error as StoreError {
                    guard [.damaged, .unsuitable].contains(error.kind) else { throw BrokenLaw("\(error)") }
                }
                guard try FolderSnapshot(folder.path).differences(from: before).isEmpty else {
                    throw BrokenLaw("recovering left a trace")
                }
            }
        })

    /// The log beside a store, half of the time with checksums that fit the damage.
    static let log = FuzzTarget(
        name: "log", longestInput: 1 << 17, shortRun: 6, seeds: { [try smallLogged.get().log] },
        entry: {
            try besideStore("-wal") { number(of: $0).isMultiple(of: 2) ? LogChecksums.renewed($0) : $0 }
        })

    /// The log beside a store, of two saves that the history knows: half of the time with checksums that fit the damage.
    /// What it says of the past is looked at.
    static let past = FuzzTarget(
        name: "past", longestInput: 1 << 17, shortRun: 6, seeds: { [try smallLife.get().log] },
        entry: {
            let main = try smallLife.get().main
            return { bytes in
                let folder = try TemporaryFolder()
                let trial = StoreTrial(path: folder.path + "/CKModel.sqlite", in: folder)
                try FileBytes.write(main, to: trial.path)
                let number = number(of: bytes)
                try FileBytes.write(
                    number.isMultiple(of: 2) ? LogChecksums.renewed(bytes) : bytes, to: trial.path + "-wal")
                try trial.lookAtPast(number / 2 % 3)
            }
        })

    /// The index of the log beside a store.
    static let logIndex = FuzzTarget(
        name: "log-index", longestInput: 1 << 16, shortRun: 6,
        seeds: {
            let folder = try TemporaryFolder()
            let path = try folder.store(oldFixture.with { $0.logPlacement = .logForgotten })
            return try withExtendedLifetime(folder) { [try FileBytes.read(path + "-shm")] }
        },
        entry: { try besideStore("-shm") })

    private static let oldFixture = StoreFixture(.v1, records: [FixtureRecord(row: 1)])
    private static let smallLogged = Result {
        try logged(smallPages(StoreTrial.fixture)) {
            try $0.execute(
                sql: "UPDATE ZDEVICESETTINGS SET ZMODELTYPE = 'TC66C'; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
        }
    }
    private static let smallLife = Result {
        try logged(
            smallPages(StoreTrial.fixture),
            { try StoreTrial.fixture.write(.update(3, ["meterName": "Foo"], at: FixtureClock.now + 0.25), to: $0) },
            { try StoreTrial.fixture.write(.delete(7, at: FixtureClock.now + 0.5), to: $0) })
    }

    /// One and the same for the same input.
    private static func number(of bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 + Int($1) } }

    /// A store and its log, in which some of its pages are.
    private static func logged(
        _ store: [UInt8], _ saves: (Database) throws -> Void...
    ) throws -> (main: [UInt8], log: [UInt8]) {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store.sqlite"
        try FileBytes.write(store, to: path)
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
        }
        let main = try FileBytes.read(path)
        for save in saves { try queue.write { try save($0) } }
        let log = try FileBytes.read(path + "-wal")
        try queue.close()
        return (main, log)
    }

    private static func besideStore(
        _ suffix: String, _ finished: @escaping ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> Entry {
        let main = try smallLogged.get().main
        return { bytes in
            let folder = try TemporaryFolder()
            let trial = StoreTrial(path: folder.path + "/CKModel.sqlite", in: folder)
            try FileBytes.write(main, to: trial.path)
            try FileBytes.write(finished(bytes), to: trial.path + suffix)
            try trial.run(only: number(of: bytes))
        }
    }

    private static func smallPages(_ fixture: StoreFixture) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = try folder.store(fixture)
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM")
        }
        try queue.close()
        return try withExtendedLifetime(folder) { try FileBytes.read(path) }
    }
}

/// A store that was rebuilt, and the files of its backup.
struct RebuiltStore {
    let trial: StoreTrial
    let journal: String
    let changes: String

    init() throws {
        let folder = try TemporaryFolder()
        let path = try folder.store(StoreTrial.fixture)
        trial = StoreTrial(path: path, in: folder)
        let report = try ChangeRun.run(
            RebuildPlanner(policy: .newest), on: path, options: ChangeOptions(now: StoreTrial.now))
        // It lies beside its store, whose path is absolute here.
        guard let backup = report.backup else { throw BrokenLaw("a rebuild made no backup") }
        journal = backup + "/journal.json"
        changes = backup + "/changes.jsonl"
    }
}
