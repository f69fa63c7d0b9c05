package import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel
package import MeterRepair

/// A store in a folder of its own, and what the tests do to it.
package struct TestStore {
    package let folder: TemporaryFolder
    package let path: String

    package static let now = Timestamp(secondsSince2001: FixtureClock.now)

    package init(_ fixture: StoreFixture, named name: String = "CKModel.sqlite") throws {
        folder = try TemporaryFolder()
        path = try folder.store(fixture, named: name)
    }

    /// A folder without a store.
    package init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/CKModel.sqlite"
    }

    /// The canonical rebuild, without a backup unless asked for one.
    @discardableResult
    package func rebuild(
        policy: WinnerPolicy = .mostComplete, force: Bool = false, at now: Timestamp = TestStore.now,
        _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport {
        try change(RebuildPlanner(policy: policy), at: now) { options in
            options.force = force
            adjust(&options)
        }
    }

    package func text() throws -> StoreText { try StoreText(of: path) }

    package func snapshot() throws -> FolderSnapshot { try FolderSnapshot(folder.path) }

    /// Looks at the store, which leaves no trace.
    package func looking<Value>(_ look: () throws -> Value) throws -> Value {
        let before = try snapshot()
        let value = try look()
        let traces = try snapshot().differences(from: before)
        guard traces.isEmpty else { throw TracesOfLook(traces: traces) }
        return value
    }

    /// The error that a change ends with, which leaves every file as it was.
    package func refusal<Value>(_ change: () throws -> Value) throws -> StoreError {
        let before = try snapshot()
        do {
            _ = try change()
        } catch let error as StoreError {
            let traces = try snapshot().differences(from: before, withFolder: false)
            guard traces.isEmpty else { throw TracesOfLook(traces: traces) }
            return error
        }
        throw FixtureError(description: "not refused")
    }

    /// Changes the store behind everybody's back, as a script would.
    package func execute(_ sql: String) throws { try DatabaseQueue.script(at: path, sql) }

    /// The values of one column, as literals of SQL, by row number.
    package func column(_ name: String, of table: String = "ZDEVICESETTINGS") throws -> [String] {
        try StoreText.read(path) { database in
            try String.fetchAll(database, sql: "SELECT Z_PK || ': ' || quote(\(name)) FROM \(table) ORDER BY Z_PK")
        }
    }
}

/// What a look, or a change that was refused, left in the folder, which must be nothing.
private struct TracesOfLook: Error {
    let traces: [String]
}

extension ChangeOptions {
    /// Without a backup unless asked for one.
    package static func withoutBackup(
        at now: Timestamp = TestStore.now, _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) -> ChangeOptions {
        var options = ChangeOptions(now: now)
        options.makesBackup = false
        adjust(&options)
        return options
    }
}

/// Records that several tests are about.
package enum Meters {
    package static let address = "A4:C1:38:0B:7E:21"

    /// Two records of one meter: row 3 has the name, row 7 is more complete and is kept.
    package static let pair = [
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
    package static let healthy = FixtureRecord(row: 5, macAddress: "A4:C1:38:0B:7E:99", meterName: "Lab").with {
        $0.id = FixtureUUID(5).bytes
        $0.createdAt = FixtureClock.now - 500.5
        $0.updatedAt = FixtureClock.now - 400.5
    }

    /// All of them in a store.
    package static let fixture = StoreFixture(records: pair + [healthy])
}

extension TestStore {
    /// The migration, without a backup unless asked for one.
    @discardableResult
    package func migrate(
        _ planner: MigrationPlanner = MigrationPlanner(), _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport { try change(planner, adjust) }

    /// Any change, without a backup unless asked for one.
    @discardableResult
    package func change(
        _ planner: some Planner, at now: Timestamp = TestStore.now, _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport {
        try ChangeRun.run(planner, on: path, options: .withoutBackup(at: now, adjust))
    }

    @discardableResult
    package func undo(redoes: Bool = false, _ adjust: (inout ChangeOptions) -> Void = { _ in }) throws -> UndoReport {
        var options = ChangeOptions(now: TestStore.now)
        adjust(&options)
        return try Undo.run(path, redoes: redoes, options: options)
    }

    package func description() throws -> StoreDescription { try StoreText.read(path) { try StoreDescription($0) } }

    package func sync() throws -> SyncReport {
        try Session.look(at: path, now: Self.now) { try SyncReport(of: $0) }
    }

    /// The findings of these checks, or of all.
    package func found(_ checks: String...) throws -> [Finding] {
        let all = try Verify.report(path, VerifyOptions(now: Self.now)).findings
        return checks.isEmpty ? all : all.filter { checks.contains($0.id) }
    }

    package func findings() throws -> [String] { try found().map(\.id) }
}
