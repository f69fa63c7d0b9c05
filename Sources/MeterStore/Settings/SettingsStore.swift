public import CoreDataStore
internal import GRDB
public import MeterModel

/// The store as the app's own wrapper uses it: each operation is one transaction, written as Core Data would write it,
/// with its persistent history, `Z_OPT`, the row numbers of `Z_PRIMARYKEY` and `updatedAt`. A record that would not
/// change is not written.
///
/// An address may be written in any way that is one: a record is found by its 48 bits, and gets the address in canonical
/// text, six pairs with colons, in the letter case of the store's other addresses. So no second record of a meter is made.
/// Of several records the first one is used (smallest `Z_PK`), one in canonical text before others, as the app does.
///
/// Operations may be called from any thread; they run one after the other.
public final class SettingsStore: Sendable {
    /// Who else may use the file.
    public enum Access: Hashable, Sendable {
        /// Nobody, until `close`. On iOS an app that holds a lock on a file of an app group's container may be ended when
        /// it is suspended (described by Apple under the termination code 0xdead10cc; not tried): close the store before.
        ///
        /// Not for a process that has the same store open with Core Data: it would lose its locks on the file.
        case exclusive
        /// Everybody, the app itself included: the file is opened for each operation and closed after it, and locked in
        /// between only as long as SQLite reads or writes.
        case shared
    }

    private let file: SettingsFile
    private let memory = Locked(Memory())

    /// What is not in the file.
    private struct Memory: Sendable {
        var throttle = DiscoveryThrottle<MACAddress>()
        /// Discoveries that the throttle kept from being written, by address.
        var held: [MACAddress: Discovery] = [:]
        /// Meters that were disconnected since their last discovery was written: the next one is new.
        var released: Set<MACAddress> = []
        /// Of the store's addresses; nil until they were read.
        var letterCase: LetterCase?
    }

    /// Opens a store, and checks that the app's records can be written to it.
    /// - Parameters:
    ///   - path: the store's main file; a missing one is an error and is never created.
    ///   - access: who else may use the file.
    /// - Throws: `StoreError`: `notFound`; `inUse` if another process has locked it (`exclusive`: has it open);
    ///   `permissionDenied`; `damaged`; `unsuitable` for a store without `DeviceSettings`, or one that only Core Data can
    ///   write to.
    public init(opening path: String, access: Access = .exclusive) throws(StoreError) {
        file = try SettingsFile(path, access)
    }

    /// Closes the file. The object cannot be used afterwards.
    /// - Throws: `StoreError` if what was written cannot be checkpointed into the main file.
    public func close() throws(StoreError) { try file.close() }

    /// Saves what the user typed or chose, and creates the meter's record if there is none.
    /// - Parameters:
    ///   - macAddress: of the meter, written in any way.
    ///   - meterName: saved without the white space around it; nothing else removes the name; nil leaves it as it is.
    ///   - tc66TemperatureUnit: nil to leave the unit as it is.
    ///   - now: the device's clock; becomes `updatedAt`.
    /// - Throws: `StoreError`, `unsuitable` for a text that is not a meter's address, and for a name that a program made:
    ///   an address, a UUID, a host name, a hardware type, a platform or its model.
    public func upsertDeviceSettings(
        macAddress: String, meterName: String?, tc66TemperatureUnit: TemperatureUnit?, at now: Timestamp
    ) throws(StoreError) {
        if let meterName, let kind = MachineMadeName(meterName), kind != .blank {
            throw StoreError(
                .unsuitable, at: file.path, "the name \"\(meterName)\" is \(kind.noun)",
                hint: "let the user type a name that tells this meter from others")
        }
        try perform(
            .upsert(meterName: meterName, temperatureUnit: tc66TemperatureUnit), on: macAddress, at: now)
    }

    /// Takes the connection lock for 120 s, or renews it by advancing `connectedAt` and the expiry. Creates the meter's
    /// record if there is none.
    /// - Parameters:
    ///   - macAddress: of the meter, written in any way.
    ///   - modelType: what the meter reports; nil to leave that field as it is.
    ///   - device: the one that connects.
    ///   - now: the device's clock.
    /// - Throws: `StoreError`, `inUse` if another device holds a lock that has not expired.
    public func setConnection(
        macAddress: String, modelType: String?, by device: AppDevice, at now: Timestamp
    ) throws(StoreError) {
        try perform(.connect(modelType: modelType, by: device), on: macAddress, at: now)
    }

    /// Clears the connection lock, whoever holds it, and lets the next discovery be written at once. Writes nothing if
    /// there is no lock.
    /// - Parameters:
    ///   - macAddress: of the meter, written in any way.
    ///   - now: the device's clock.
    /// - Throws: `StoreError`.
    public func clearConnection(macAddress: String, at now: Timestamp) throws(StoreError) {
        try perform(.disconnect, on: macAddress, at: now)
        let address = try address(in: macAddress)
        memory.withLock { memory in
            memory.throttle.reset(address)
            memory.released.insert(address)
        }
    }

    /// Records that a device saw the meter, and creates the meter's record if there is none. For each meter at most one
    /// discovery is written in 120 s, whoever wrote it: the record's own date counts too, so that another process and a
    /// store that was opened again wait as well. The others are kept in memory, where `fetch` sees them.
    /// - Parameters:
    ///   - macAddress: of the meter, written in any way.
    ///   - device: the one that saw the meter.
    ///   - now: the device's clock.
    /// - Returns: whether it was written.
    /// - Throws: `StoreError`; the discovery then does not count as written.
    @discardableResult
    public func recordDiscovery(
        macAddress: String, by device: AppDevice, at now: Timestamp
    ) throws(StoreError) -> Bool {
        let address = try address(in: macAddress)
        let discovery = Discovery(seenAt: now, deviceID: device.id, deviceName: device.name)
        let (isAdmitted, isReleased) = memory.withLock { memory in
            memory.held[address] = discovery
            return (memory.throttle.admits(address, at: now), memory.released.contains(address))
        }
        guard isAdmitted else { return false }
        // Of another process, or of this one before it was started again.
        var recent: Timestamp?
        do {
            try perform(.discover(by: device), on: macAddress, at: now) { record in
                guard !isReleased, DiscoveryThrottle<MACAddress>.isTooSoon(after: record.seenAt, at: now) else {
                    return false
                }
                recent = record.seenAt
                return true
            }
        } catch {
            memory.withLock { $0.throttle.reset(address) }
            throw error
        }
        memory.withLock { memory in
            if let recent {
                memory.throttle.note(address, writtenAt: recent)
            } else {
                memory.held[address] = nil
                memory.released.remove(address)
            }
        }
        return recent == nil
    }

    /// The meter's record; nil if there is none, and for a text that is no meter's address.
    /// - Parameter macAddress: of the meter, written in any way.
    /// - Throws: `StoreError`.
    public func fetch(for macAddress: String) throws(StoreError) -> MeterSettings? {
        guard let address = try? address(in: macAddress) else { return nil }
        let held = memory.withLock { $0.held[address] }
        return try file.read { settings, database in
            try record(of: address, settings, database).record.map { MeterSettings($0, held: held) }
        }
    }

    /// Every record, in the order of row numbers; there may be several of one meter.
    /// - Throws: `StoreError`.
    public func fetchAll() throws(StoreError) -> [MeterSettings] {
        let held = memory.withLock { $0.held }
        return try file.read { settings, database in
            try settings.records(database).map { MeterSettings($0, held: $0.usableAddress.flatMap { held[$0] }) }
        }
    }

    /// The meter's record, nil if there is none, and its address in canonical text.
    private func record(
        of address: MACAddress, _ settings: SettingsTable, _ database: Database
    ) throws -> (record: DeviceSettings?, text: String) {
        if let letterCase = memory.withLock({ $0.letterCase }) {
            let text = address.text(in: letterCase)
            if let row = try settings.rows(with: .text(text), in: .macAddress, database).first {
                return (try settings.records(of: [row], database)[row], text)
            }
        }
        // Another spelling, another letter case since, or a new meter.
        let addresses = AddressIndex(of: try settings.records(database))
        let letterCase = addresses.ownLetterCase
        if let letterCase { memory.withLock { $0.letterCase = letterCase } }
        let text = address.text(in: letterCase ?? .upper)
        let records = addresses.records(of: address)
        return (records.first { $0[.macAddress].text == text } ?? records.first, text)
    }

    private func address(in macAddress: String) throws(StoreError) -> MACAddress {
        if let (address, _) = MACAddress.parse(macAddress), !address.isPlaceholder { return address }
        throw StoreError(
            .unsuitable, at: file.path, "'\(macAddress)' is not a meter's address",
            hint: "write it as twelve hexadecimal digits, in pairs with colons")
    }

    /// - Parameter isInVain: whether nothing is to be written over this record, the meter's.
    private func perform(
        _ operation: SettingsOperation, on macAddress: String, at now: Timestamp,
        unless isInVain: (DeviceSettings) -> Bool = { _ in false }
    ) throws(StoreError) {
        let address = try address(in: macAddress)
        try file.change { settings, store, database in
            let (record, text) = try record(of: address, settings, database)
            if let record, isInVain(record) { return }
            let outcome = operation.outcome(
                over: record.map { Array($0.values) }, in: settings.layout, address: text,
                id: Self.newIdentity(), now: now)
            switch outcome {
            case .unchanged: return
            case .refused(let lock): throw refusal(lock, macAddress)
            case .update(let writes):
                guard let record else { return }
                try file.refuse(RowObstacles(in: settings).ofUpdate(of: record.row, writes))
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
            throw StoreError(.unsuitable, at: file.path, "no row number is left for a new record")
        }
        let filled = values.indices.filter { !values[$0].isNull }
        try file.refuse(
            RowObstacles(in: settings).ofInsertion(filled.lazy.map { .init(position: $0, value: values[$0]) }))
        let fields = filled.map { position in
            FieldChange(
                field: settings.layout.fields[position], before: .null, after: values[position], donor: nil,
                rule: .newRecord)
        }
        var writer = try SettingsWriter(settings, store, now: now, database)
        try writer.insert(RecordInsertion(row: row, fields: fields))
        try writer.finish()
    }

    private func refusal(_ lock: ConnectionLock, _ macAddress: String) -> StoreError {
        let holder = lock.holder ?? "another device"
        let until = lock.expiresAt.map { " until \($0)" } ?? ""
        return StoreError(
            .inUse, at: file.path, "the meter \(macAddress) is connected to \(holder)\(until)",
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
