private import CSQLiteOptions
internal import CoreDataStore
internal import Foundation
package import GRDB
private import GRDBSQLite
internal import MeterModel
internal import MeterStore

/// The app's store on one device while it is used, with the settings of Apple's SQLite: deleted rows leave residue, the
/// log stays, checkpoints come at random and are held back by readers, and free pages are given back a few at a time.
/// The same life for the same seed. Copies of the files can be taken between any two saves, while the store is open.
///
/// One save is one SQLite transaction with one transaction of the history, as in real stores; before an insert the row
/// numbers are committed alone.
package final class StoreLife {
    /// What a record says of its meter.
    package struct Meter: Hashable, Sendable {
        package var address: String?
        package var name: String?
        package var unit: String?
        package var type: String?

        package init(address: String?, name: String?, unit: String?, type: String?) {
            (self.address, self.name, self.unit, self.type) = (address, name, unit, type)
        }
    }

    /// The records by `Z_PK` after each transaction of the history; the first one is before all of them.
    package private(set) var states: [[Int64: Meter]] = []
    /// The number of the last transaction of the history.
    package var lastTransaction: Int { states.count - 1 }

    private let folder: TemporaryFolder
    private let path: String
    private let seed: UInt64
    private var generator: SeededGenerator
    private let habits: Habits
    private var queue: DatabaseQueue
    /// Another process that reads.
    private var reader: DatabaseQueue?
    private let store: StoreDescription
    private let settings: SettingsTable
    private var time = FixtureClock.now - 300 * FixtureClock.day
    private var names = 0
    private var ids: UInt64 = 0
    private let addresses: [String]

    /// How this device and its user behave; each chance is one in so many.
    private struct Habits {
        let pageSize: Int
        let cachePages: Int
        let checkpoint: Int
        let reader: Int
        let vacuum: Int
        let quit: Int
        let rollback: Int
        let longName: Int
        let delete: Int

        init(using generator: inout SeededGenerator) {
            func pick(_ choices: [Int]) -> Int { choices.randomElement(using: &generator)! }
            pageSize = pick([512, 1024, 2048, 4096, 4096, 4096, 4096, 4096, 8192, 16_384])
            cachePages = pick([3, 10, 30])
            checkpoint = pick([12, 25, 50, 200])
            reader = pick([20, 60, 1000])
            vacuum = pick([30, 100, 1000])
            quit = pick([50, 300])
            rollback = pick([30, 300])
            longName = pick([20, 60, 1000])
            delete = pick([25, 50, 120])
        }
    }

    /// A new store without a record.
    package init(seed: UInt64) throws {
        self.seed = seed
        var generator = SeededGenerator(seed: seed &+ 0x11FE)
        habits = Habits(using: &generator)
        let encoding: USBMeterModel.LockEncoding =
            [.flat, .flat, .blob, .blobWithBinaryDiscovery, .both].randomElement(using: &generator)!
        addresses = (0..<Int.random(in: 3...60, using: &generator)).map { _ in
            (0..<6).map { _ in Hexadecimal.text(of: [UInt8.random(in: 1...0xFE, using: &generator)]).uppercased() }
                .joined(separator: ":")
        }
        self.generator = generator
        folder = try TemporaryFolder()
        path = try folder.store(StoreFixture(.v2).with { $0.lockEncoding = encoding })
        let draft = try DatabaseQueue(path: path, configuration: .forTests)
        try draft.writeWithoutTransaction { [habits] in
            try $0.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(habits.pageSize); VACUUM")
            try $0.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try draft.close()
        queue = try Self.open(path, cachePages: habits.cachePages)
        (store, settings) = try queue.read { database in
            let store = try StoreDescription(database)
            guard let settings = SettingsTable(store) else { throw FixtureError(description: "no records") }
            return (store, settings)
        }
        states = [[:]]
    }

    private static func open(_ path: String, cachePages: Int) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            // Debian's SQLite has it on, Apple's has not.
            try database.execute(sql: "PRAGMA secure_delete = 0; PRAGMA synchronous = OFF")
            // Apple's cuts a log that it starts again to 32 KB: with less of it, less is found.
            try database.execute(sql: "PRAGMA journal_size_limit = -1")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = \(cachePages)")
            // What a save changes goes to the log before its commit where memory is short.
            try database.execute(sql: "PRAGMA cache_spill = \(cachePages)")
            database.keepLog()
            meterfix_checkpoint_on_close(database.sqliteConnection, 0)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Copies the main file and its log, without the `-shm`, as they are now.
    package func copy(to target: String) throws {
        try copyMainFile(to: target)
        try copyLog(to: target)
    }

    package func copyMainFile(to target: String) throws {
        try FileManager.default.copyItem(atPath: path, toPath: target)
    }

    /// - Parameter target: of the main file.
    package func copyLog(to target: String) throws {
        guard FileManager.default.fileExists(atPath: path + "-wal") else { return }
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: target + "-wal")
    }

    // MARK: - Days

    /// Goes on for so many saves, and what happens between them.
    package func live(saves: Int) throws {
        let end = lastTransaction + saves
        while lastTransaction < end {
            try live()
            try save()
        }
    }

    private func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &generator) == 0 }

    /// What happens between two saves.
    private func live() throws {
        time += Double.random(in: 10...40_000, using: &generator)
        if chance(habits.reader) {
            reader = try Self.open(path, cachePages: habits.cachePages)
            try reader?.inDatabase {
                try $0.execute(sql: "BEGIN")
                _ = try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZDEVICESETTINGS")
            }
        } else if reader != nil, chance(8) {
            try endReading()
        }
        if chance(habits.checkpoint) {
            try checkpoint(["PASSIVE", "FULL", "RESTART", "TRUNCATE"].randomElement(using: &generator)!)
        }
        if chance(habits.vacuum) {
            let count = Int.random(in: 1...4, using: &generator)
            try write { _ = try Row.fetchAll($0, sql: "PRAGMA incremental_vacuum(\(count))") }
        }
        if chance(habits.rollback) { try rollBack() }
        if chance(60) {
            // An object that a merge touched.
            try write { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET Z_OPT = Z_OPT + 1 WHERE Z_PK % 5 = 1") }
        }
        if chance(80) {
            let old = Int64(lastTransaction - 5)
            try write { try $0.execute(sql: "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < \(old)") }
        }
        if chance(habits.quit) {
            try endReading()
            try queue.close()
            queue = try Self.open(path, cachePages: habits.cachePages)
        }
    }

    /// - Parameter mode: SQLite's word.
    package func checkpoint(_ mode: String) throws {
        try write { _ = try Row.fetchAll($0, sql: "PRAGMA wal_checkpoint(\(mode))") }
    }

    private func endReading() throws {
        try reader?.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try reader?.close()
        reader = nil
    }

    private func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.writeWithoutTransaction(body)
    }

    /// A save that fails: what was spilled to the log stays there without a commit.
    /// - Returns: what the names begin with that no meter ever had.
    @discardableResult
    package func rollBack() throws -> String {
        let name = "never " + newName()
        let size = 40 * habits.pageSize
        try write { database in
            try database.inTransaction {
                try database.execute(sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = ? || Z_PK", arguments: [name])
                // More than there is memory for.
                try database.execute(sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(\(size))")
                return .rollback
            }
        }
        return name
    }

    // MARK: - Saves

    /// One save of one or a few records.
    private func save() throws {
        let state = states[lastTransaction]
        let missing = addresses.filter { address in !state.values.contains { $0.address == address } }
        if state.isEmpty || !missing.isEmpty && chance(6) {
            let last = Int64((state.keys.max() ?? 0)) + 1
            try write {
                try $0.execute(
                    sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(Z_MAX, ?) WHERE Z_NAME = 'DeviceSettings'",
                    arguments: [last])
            }
        }
        let count = chance(10) ? Int.random(in: 2...6, using: &generator) : 1
        let rows = Array(state.keys.sorted().shuffled(using: &generator).prefix(count))
        let insertion = state.isEmpty || chance(6) ? missing.randomElement(using: &generator) : nil
        let isSaved = try write { database in
            var isDone = false
            try database.inTransaction {
                var writer = try SettingsWriter(settings, store, now: Timestamp(secondsSince2001: time), database)
                if let insertion {
                    isDone = try change(nil, insertion, &writer, database)
                } else {
                    for row in rows { isDone = try change(row, state[row]?.address ?? "", &writer, database) || isDone }
                }
                guard isDone else { return .rollback }
                try writer.finish()
                return .commit
            }
            return isDone
        }
        if isSaved { states.append(try write(Self.meters)) }
    }

    /// The records, by `Z_PK`.
    package static func meters(_ database: Database) throws -> [Int64: Meter] {
        var meters: [Int64: Meter] = [:]
        try database.forEachRow(
            "SELECT Z_PK, ZMACADDRESS, ZMETERNAME, ZTC66TEMPERATUREUNIT, ZMODELTYPE FROM ZDEVICESETTINGS"
        ) { row in
            meters[row.integer(0)] = Meter(
                address: row.text(1), name: row.text(2), unit: row.text(3), type: row.text(4))
        }
        return meters
    }

    /// - Returns: whether anything was written.
    private func change(
        _ row: Int64?, _ address: String, _ writer: inout SettingsWriter, _ database: Database
    ) throws -> Bool {
        let record = try row.flatMap { try settings.records(of: [$0], database)[$0] }
        if let record, chance(habits.delete) {
            try writer.delete(RecordDeletion(record))
            return true
        }
        ids += 1
        let outcome = operation(on: address).outcome(
            over: record.map { Array($0.values) }, in: settings.layout, address: address,
            id: FixtureUUID(seed &* 100_000 &+ ids).bytes, now: Timestamp(secondsSince2001: time))
        switch outcome {
        case .unchanged, .refused: return false
        case .update(let writes):
            guard let row else { return false }
            try writer.update(row: row, positions: writes.map(\.position), to: writes.map(\.value))
        case .insertion(let values):
            let fields = zip(settings.layout.fields, values).filter { !$1.isNull }.map { field, value in
                FieldChange(field: field, before: .null, after: value, donor: nil, rule: .newRecord)
            }
            guard let row = try nextRow(database) else { return false }
            try writer.insert(RecordInsertion(row: row, fields: fields))
        }
        return true
    }

    private func nextRow(_ database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT MAX(Z_MAX, (SELECT COALESCE(MAX(Z_PK), 0) FROM ZDEVICESETTINGS)) + 1 FROM Z_PRIMARYKEY
                WHERE Z_NAME = 'DeviceSettings'
                """)
    }

    /// What the meter reports, which almost never changes.
    private func type(of address: String) -> String {
        let types = ["UM25C", "UM34C", "TC66C"]
        return types[(address.utf8.reduce(0) { $0 + Int($1) } + (chance(20) ? 1 : 0)) % types.count]
    }

    private func operation(on address: String) -> SettingsOperation {
        let device = [FixtureDevice.anasPhone, .bogdansMac, .chloesPad].randomElement(using: &generator)!
        let app = AppDevice(id: device.id, name: device.name)!
        return switch Int.random(in: 0..<20, using: &generator) {
        case 0...2: .upsert(meterName: newName(), temperatureUnit: nil)
        case 3: .upsert(meterName: nil, temperatureUnit: TemperatureUnit.allCases.randomElement(using: &generator))
        case 4...9: .connect(modelType: type(of: address), by: app)
        case 10...12: .disconnect
        default: .discover(by: app)
        }
    }

    /// Each name is given once, so that it says when it was so.
    private func newName() -> String {
        names += 1
        let words = ["Lab", "Küche", "机架", "Werkbank", "Încărcător", "Зарядка", "travel", "🔌"]
        var name = "\(words.randomElement(using: &generator)!) (\(seed).\(names))"
        while chance(2) { name += " " + words.randomElement(using: &generator)! }
        if chance(habits.longName) {
            name += String(repeating: " x", count: Int.random(in: 100...3_000, using: &generator))
        }
        return name
    }
}
