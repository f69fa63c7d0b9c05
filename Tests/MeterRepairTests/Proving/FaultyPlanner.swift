import CoreDataStore
import GRDB
import GRDBSQLite
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterRepair

/// Plans well, and sees to it that something else happens to the store when the plan is carried out: a mistake in the
/// code that applies plans, as the proof would meet it.
struct FaultyPlanner<Base: Planner>: Planner {
    let base: Base
    /// In SQL.
    var mistake: String?
    /// In SQL, after the plan was carried out. (A trigger cannot change the schema.)
    var changeOfSchema: String?
    /// Whether SQLite tells of the mistake. What it does not tell of must show in what the store then has in it.
    let isTold: Bool
    let moment: MistakeMoment
    var spoil: @Sendable (inout Plan) -> Void = { _ in }

    init(
        _ base: Base = RebuildPlanner(policy: .mostComplete), mistake: String? = nil,
        changeOfSchema: String? = nil, isTold: Bool = true, moment: MistakeMoment = .metadata
    ) {
        self.base = base
        self.mistake = mistake
        self.changeOfSchema = changeOfSchema
        self.isTold = isTold
        self.moment = moment
    }

    var command: WritingCommand { base.command }
    var changesRecords: Bool { base.changesRecords }

    func plan(in session: MeterSession) throws -> Plan {
        if let mistake {
            // A temporary trigger is of this connection alone and stands in no table of the store.
            try addFunction(making: mistake, session.database)
            try session.database.execute(
                sql: "CREATE TEMP TRIGGER mistake AFTER \(moment.rawValue) BEGIN SELECT make_mistake(); END")
        }
        var plan = try base.plan(in: session)
        spoil(&plan)
        return plan
    }

    func remaining(of plan: Plan, in session: MeterSession) throws -> Plan {
        if let changeOfSchema { try session.database.execute(sql: changeOfSchema) }
        return try base.remaining(of: plan, in: session)
    }

    /// Makes a function of SQL known that makes the mistake, in statements of its own: what a trigger does goes by the
    /// conflict clause of the statement that fired it. What is not to be told comes after the end of the connection's
    /// update hook, and with it of the log of writes.
    private func addFunction(making mistake: String, _ database: Database) throws {
        nonisolated(unsafe) let connection = database.sqliteConnection
        // The mistake may fire the trigger again.
        nonisolated(unsafe) var isMade = false
        database.add(
            function: DatabaseFunction("make_mistake", argumentCount: 0) { [isTold] _ in
                guard !isMade else { return nil }
                isMade = true
                if !isTold { sqlite3_update_hook(connection, nil, nil) }
                if sqlite3_exec(connection, mistake, nil, nil, nil) != SQLITE_OK {
                    Issue.record("\(mistake): \(String(cString: sqlite3_errmsg(connection)))")
                }
                return nil
            })
        // The store's connections trust no function in a schema.
        try database.execute(sql: "PRAGMA trusted_schema = ON")
    }

    /// Expects that the change is rolled back as our own mistake, without a trace.
    func expectCaught(
        in fixture: StoreFixture, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try TestStore(fixture)
        let before = try store.text()
        let error = #expect(throws: StoreError.self, comment, sourceLocation: sourceLocation) {
            try store.change(self) { $0.makesBackup = true }
        }
        #expect(error?.kind == .internalFault, comment, sourceLocation: sourceLocation)
        #expect(try store.text() == before, comment, sourceLocation: sourceLocation)
        #expect(
            try store.snapshot().names == ["CKModel.sqlite", "CKModel.sqlite-wal"], comment,
            sourceLocation: sourceLocation)
    }

    /// Expects that the change is made.
    func expectDone(in fixture: StoreFixture, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let store = try TestStore(fixture)
        #expect(
            try store.change(self).outcome == .applied,
            sourceLocation: sourceLocation)
    }
}

/// When a mistake happens.
enum MistakeMoment: String, Sendable {
    /// The last write of a plan that changes the metadata.
    case metadata = "UPDATE ON Z_METADATA"
    /// The last write of a plan that does not.
    case history = "UPDATE ON Z_PRIMARYKEY WHEN NEW.Z_NAME = 'TRANSACTION'"
}

extension Planner {
    /// The plan for a store that is only read.
    func plan(for store: InspectedStore, _ database: Database) throws -> Plan {
        try plan(in: Session(store, database).requireMeterSession())
    }
}

extension Plan {
    /// Makes another change of each record, or none.
    mutating func changeRecords(_ change: (RecordChange) -> RecordChange?) {
        for index in meters.indices { meters[index].records = meters[index].records.compactMap(change) }
    }

    /// Puts meters and their changes into the opposite order.
    mutating func reverse() {
        meters.reverse()
        for index in meters.indices { meters[index].records.reverse() }
    }
}
