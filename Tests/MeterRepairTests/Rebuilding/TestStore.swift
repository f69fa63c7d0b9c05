import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

/// A store in a folder of its own, and what the tests do to it.
struct TestStore {
    let folder: TemporaryFolder
    let path: String

    static let now = Timestamp(secondsSince2001: FixtureClock.now)

    init(_ fixture: StoreFixture, named name: String = "CKModel.sqlite") throws {
        folder = try TemporaryFolder()
        path = try folder.store(fixture, named: name)
    }

    /// A folder without a store.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/CKModel.sqlite"
    }

    /// The canonical rebuild, without a backup unless asked for one.
    @discardableResult
    func rebuild(
        policy: WinnerPolicy = .mostComplete, force: Bool = false, at now: Timestamp = TestStore.now,
        _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport {
        try change(RebuildPlanner(policy: policy), at: now) { options in
            options.force = force
            adjust(&options)
        }
    }

    func text() throws -> StoreText { try StoreText(of: path) }

    func snapshot() throws -> FolderSnapshot { try FolderSnapshot(folder.path) }

    /// Looks at the store, which leaves no trace.
    func looking<Value>(_ look: () throws -> Value) throws -> Value {
        let before = try snapshot()
        let value = try look()
        #expect(try snapshot().differences(from: before) == [])
        return value
    }

    /// Changes the store behind everybody's back, as a script would.
    func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path, configuration: .forTests)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// The values of one column, as literals of SQL, by row number.
    func column(_ name: String, of table: String = "ZDEVICESETTINGS") throws -> [String] {
        try StoreText.read(path) { database in
            try String.fetchAll(database, sql: "SELECT Z_PK || ': ' || quote(\(name)) FROM \(table) ORDER BY Z_PK")
        }
    }
}

extension ChangeOptions {
    /// Without a backup unless asked for one.
    static func withoutBackup(
        at now: Timestamp = TestStore.now, _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) -> ChangeOptions {
        var options = ChangeOptions(now: now)
        options.makesBackup = false
        adjust(&options)
        return options
    }
}

/// Records that several tests are about.
enum Meters {
    static let address = "A4:C1:38:0B:7E:21"

    /// Two records of one meter: row 3 has the name, row 7 is more complete and is kept.
    static let pair = [
        FixtureRecord(row: 3, macAddress: address, meterName: "Kitchen").with {
            $0.id = FixtureUUID(3).bytes
            $0.createdAt = FixtureClock.now - 1000.5
            $0.updatedAt = FixtureClock.now - 900.5
        },
        FixtureRecord(row: 7, macAddress: address).with {
            $0.id = FixtureUUID(7).bytes
            $0.modelType = "TC66C"
            $0.tc66TemperatureUnit = "celsius"
            $0.createdAt = FixtureClock.now - 1000.5
            $0.updatedAt = FixtureClock.now - 800.5
        },
    ]

    /// A record of another meter that needs nothing.
    static let healthy = FixtureRecord(row: 5, macAddress: "A4:C1:38:0B:7E:99", meterName: "Lab").with {
        $0.id = FixtureUUID(5).bytes
        $0.createdAt = FixtureClock.now - 500.5
        $0.updatedAt = FixtureClock.now - 400.5
    }
}

extension TestStore {
    /// The migration, without a backup unless asked for one.
    @discardableResult
    func migrate(
        _ planner: MigrationPlanner = MigrationPlanner(), _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport {
        try change(planner, adjust)
    }

    /// Any change, without a backup unless asked for one.
    @discardableResult
    func change(
        _ planner: some Planner, at now: Timestamp = TestStore.now, _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport {
        try ChangeRun.run(planner, on: path, options: .withoutBackup(at: now, adjust))
    }

    func description() throws -> StoreDescription { try StoreText.read(path) { try StoreDescription($0) } }

    func sync() throws -> SyncReport {
        try InspectedStore.look(at: path, now: Self.now) { try Sync.report(of: $0, $1) }
    }

    func findings() throws -> [String] {
        try Verify.report(path, VerifyOptions(now: TestStore.now)).findings.all.map(\.id)
    }
}

extension TestStore {
    /// What a process leaves that is killed while it writes to a main file: a page of another name, and the rollback
    /// journal with the page as it was (https://www.sqlite.org/fileformat2.html#the_rollback_journal).
    static func leaveJournal(beside path: String) throws {
        var main = try FileBytes.read(path)
        let size = 4096
        let name = try #require(main.firstRange(of: Array("Kitchen".utf8))).lowerBound
        let page = Array(main[name / size * size..<name / size * size + size])
        main[name] ^= 1
        try FileBytes.write(main, to: path)
        func bytes(_ number: Int) -> [UInt8] {
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        for number in [1, 0, main.count / size, 512, size] { journal += bytes(number) }
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        let checksum = stride(from: size - 200, to: 0, by: -200).reduce(0) { $0 + Int(page[$1]) }
        journal += bytes(name / size + 1) + page + bytes(checksum)
        try FileBytes.write(journal, to: path + "-journal")
    }
}
