public import CoreDataStore
internal import GRDB
public import MeterModel

/// The store as the app's own wrapper uses it: each operation is one transaction, written as Core Data would write it,
/// with its persistent history, `Z_OPT`, the row numbers of `Z_PRIMARYKEY` and `updatedAt`. A record that would not
/// change is not written.
///
/// Records are looked up as in the app: by the exact text of the address, not by its 48 bits, and of several records
/// the first (smallest `Z_PK`). A meter known as `aa:bb:…` therefore gets a second record when it is saved as
/// `AA:BB:…`: this is how duplicates arise in the field. The text must still be an address, and not a placeholder. Only
/// `meterfix rebuild` compares the 48 bits.
///
/// The object has exclusive access to the file until `close`; use it on one thread.
public final class SettingsStore {
    private let connection: StoreConnection
    private let path: String
    private var throttle = DiscoveryThrottle<String>()
    /// Discoveries that the throttle kept from being written, by address.
    private var held: [String: Discovery] = [:]

    /// Opens a store for exclusive access.
    /// - Parameter path: the store's main file; a missing one is an error and is never created.
    /// - Throws: `StoreError`, `inUse` if another process has it open, `unsuitable` if it has no `DeviceSettings`.
    public init(opening path: String) throws(StoreError) {
        self.path = path
        connection = try StoreConnection.exclusive(path)
        do throws(StoreError) {
            if connection.files.traceOfMissingLog() != nil {
                throw StoreError(
                    .damaged, at: path, "the -wal file is missing or incomplete",
                    hint: "ask for the whole -wal file")
            }
            try connection.read { try refuseStore($0) }
        } catch {
            try? connection.close()
            throw error
        }
    }

    private func refuse(_ obstacle: WriteObstacle?) throws(StoreError) {
        if let obstacle { throw obstacle.error(at: path) }
    }

    /// Refuses a store that is not the app's, is damaged, or that only Core Data can write to.
    private func refuseStore(_ database: Database) throws {
        let store = try StoreDescription(database)
        guard let settings = SettingsTable(store) else {
            throw StoreError(
                .unsuitable, at: path, "a store without \(SettingsTable.entityName) records",
                hint: "the app's store is named CKModel.sqlite")
        }
        if let problem = try IntegrityCheck.problems(database, limit: 1).first {
            throw StoreError(
                .damaged, at: path, "SQLite's integrity check fails: \(problem)",
                hint: "ask for the store again, with its -wal file")
        }
        try refuse(
            WriteObstacle.ofAnyChange(in: settings, of: store)
                ?? WriteObstacle.ofRecordChanges(in: settings, of: store)
                ?? WriteObstacle.ofColumns(in: settings, of: store))
        if store.history == nil, store.mirror != nil {
            throw StoreError(
                .unsuitable, at: path,
                "the store is mirrored to CloudKit but has no history: what is written cannot reach the cloud",
                hint: "only the app itself can write to this store")
        }
    }

    /// Closes the file. The object cannot be used afterwards.
    /// - Throws: `StoreError` if what was written cannot be checkpointed into the main file.
    public func close() throws(StoreError) { try connection.close() }

    /// Saves what the user typed or chose, and creates the meter's record if there is none.
    /// - Parameters:
    ///   - meterName: nil to leave the name as it is.
    ///   - tc66TemperatureUnit: nil to leave the unit as it is.
    ///   - now: the device's clock; becomes `updatedAt`.
    /// - Throws: `StoreError`, `unsuitable` for a text that is not a meter's address.
    public func upsertDeviceSettings(
        macAddress: String, meterName: String?, tc66TemperatureUnit: TemperatureUnit?, at now: Timestamp
    ) throws(StoreError) {
        try perform(
            .upsert(meterName: meterName, temperatureUnit: tc66TemperatureUnit), on: macAddress, at: now)
    }

    /// Takes the connection lock for 120 s, or renews it by advancing `connectedAt` and the expiry. Creates the meter's
    /// record if there is none.
    /// - Parameters:
    ///   - modelType: what the meter reports; nil to leave that field as it is.
    ///   - now: the device's clock.
    /// - Throws: `StoreError`, `inUse` if another device holds a lock that has not expired.
    public func setConnection(
        macAddress: String, modelType: String?, by device: AppDevice, at now: Timestamp
    ) throws(StoreError) {
        try perform(.connect(modelType: modelType, by: device), on: macAddress, at: now)
    }

    /// Clears the connection lock, whoever holds it, and lets the next discovery be written at once. Writes nothing if
    /// there is no lock.
    /// - Parameter now: the device's clock.
    /// - Throws: `StoreError`.
    public func clearConnection(macAddress: String, at now: Timestamp) throws(StoreError) {
        try perform(.disconnect, on: macAddress, at: now)
        throttle.reset(macAddress)
    }

    /// Records that a device saw the meter, and creates the meter's record if there is none. For each meter at most one
    /// discovery is written in 120 s; the others are kept in memory, where `fetch` sees them.
    /// - Parameter now: the device's clock.
    /// - Returns: whether it was written.
    /// - Throws: `StoreError`; the discovery then does not count as written.
    @discardableResult
    public func recordDiscovery(
        macAddress: String, by device: AppDevice, at now: Timestamp
    ) throws(StoreError) -> Bool {
        _ = try address(in: macAddress)
        let discovery = Discovery(seenAt: now, deviceID: device.id, deviceName: device.name)
        guard throttle.admits(macAddress, at: now) else {
            held[macAddress] = discovery
            return false
        }
        do {
            try perform(.discover(by: device), on: macAddress, at: now)
        } catch {
            throttle.reset(macAddress)
            held[macAddress] = discovery
            throw error
        }
        held[macAddress] = nil
        return true
    }

    /// The meter's record; nil if there is none with exactly this text.
    /// - Throws: `StoreError`.
    public func fetch(for macAddress: String) throws(StoreError) -> MeterSettings? {
        try connection.read { database in
            guard let settings = SettingsTable(try StoreDescription(database)) else { return nil }
            return try Self.record(macAddress, settings, database).map { MeterSettings($0, held: held[macAddress]) }
        }
    }

    /// Every record, in the order of row numbers; there may be several of one meter.
    /// - Throws: `StoreError`.
    public func fetchAll() throws(StoreError) -> [MeterSettings] {
        try connection.read { database in
            guard let settings = SettingsTable(try StoreDescription(database)) else { return [] }
            var all: [MeterSettings] = []
            try settings.forEachRow(database) { found in
                let record = found.record
                all.append(MeterSettings(record, held: record[.macAddress].text.flatMap { held[$0] }))
            }
            return all
        }
    }

    /// The record that the app uses.
    private static func record(
        _ macAddress: String, _ settings: SettingsTable, _ database: Database
    ) throws -> DeviceSettings? {
        guard let row = try settings.rows(with: .text(macAddress), in: .macAddress, database).first else { return nil }
        return try settings.records(of: [row], database)[row]
    }

    private func address(in macAddress: String) throws(StoreError) -> MACAddress {
        if let (address, _) = MACAddress.parse(macAddress), !address.isPlaceholder { return address }
        throw StoreError(
            .unsuitable, at: path, "'\(macAddress)' is not a meter's address",
            hint: "write it as twelve hexadecimal digits, in pairs with colons")
    }

    private func perform(
        _ operation: SettingsOperation, on macAddress: String, at now: Timestamp
    ) throws(StoreError) {
        let address = try address(in: macAddress)
        try connection.change { database in
            let store = try StoreDescription(database)
            guard let settings = SettingsTable(store) else { return }
            let record = try Self.record(macAddress, settings, database)
            let outcome = operation.outcome(
                over: record.map { Array($0.values) }, in: settings.layout, address: macAddress,
                id: Self.newIdentity(), now: now)
            switch outcome {
            case .unchanged: return
            case .refused(let lock): throw refusal(lock, macAddress)
            case .update(let writes):
                guard let record else { return }
                try refuse(RowObstacles(in: settings).ofUpdate(of: record.row, writes))
                var writer = try SettingsWriter(settings, store, now: now, database)
                try writer.update(row: record.row, positions: writes.map(\.position), to: writes.lazy.map(\.value))
                try writer.finish()
            case .insertion(let values):
                try insert(values, of: address, settings, store, now, database)
            }
        }
    }

    private func insert(
        _ values: [FieldValue], of address: MACAddress, _ settings: SettingsTable, _ store: StoreDescription,
        _ now: Timestamp, _ database: Database
    ) throws {
        guard let row = try settings.nextRow(database) else {
            throw StoreError(.unsuitable, at: path, "no row number is left for a new record")
        }
        let filled = values.indices.filter { !values[$0].isNull }
        try refuse(
            RowObstacles(in: settings).ofInsertion(filled.lazy.map { .init(position: $0, value: values[$0]) }))
        let shape = RecordInsertion.Shape(
            fields: filled.map { settings.layout.fields[$0] }, rules: filled.map { _ in .newRecord })
        var writer = try SettingsWriter(settings, store, now: now, database)
        try writer.insert(
            RecordInsertion(
                row: row, address: address, shape: shape, values: RecordValues(filled.lazy.map { values[$0] })))
        try writer.finish()
    }

    private func refusal(_ lock: ConnectionLock, _ macAddress: String) -> StoreError {
        let holder = lock.holder ?? "another device"
        let until = lock.expiresAt.map { " until \($0)" } ?? ""
        return StoreError(
            .inUse, at: path, "the meter \(macAddress) is connected to \(holder)\(until)",
            hint: "disconnect it there, or wait until the lock has expired")
    }

    /// A random UUID (RFC 9562, version 4).
    private static func newIdentity() -> [UInt8] {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }
}
