internal import CoreDataStore
internal import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// Makes the changes of records that stay the records they are: one field, or a lock, and `updatedAt` because of them.
struct RecordEditor {
    let layout: RecordLayout
    let now: Timestamp

    /// The change of a known field; nil where the store lacks the attribute.
    func change(
        _ field: SettingsField, of record: DeviceSettings, to value: FieldValue, by rule: SurvivorshipRule
    ) -> FieldChange? {
        layout.position(of: field).map { position in
            FieldChange(
                field: layout.fields[position], before: record.values[position], after: value, donor: nil, rule: rule)
        }
    }

    /// The changes of a record and, because of them, of its `updatedAt`, in the order of the layout.
    func stamped(_ changes: [FieldChange], of record: DeviceSettings) -> [FieldChange] {
        let stamp = change(.updatedAt, of: record, to: .real(now.secondsSince2001), by: .now)
        let all = changes + (stamp.map { $0.before == $0.after ? [] : [$0] } ?? [])
        return all.sorted { layout.position(of: $0.field)! < layout.position(of: $1.field)! }
    }

    /// Clears the lock as a whole, in each spelling.
    func unlocking(_ record: DeviceSettings) -> [FieldChange] { clearing(SettingsField.lock, of: record) }

    /// Clears one of the locks of a record that may have two.
    func clearing(_ lock: ConnectionLock, of record: DeviceSettings) -> [FieldChange] {
        switch lock.encoding {
        case .flat: clearing(SettingsField.flatLock, of: record)
        case .blob: clearing([.connectionMetadata], of: record)
        }
    }

    private func clearing(_ fields: [SettingsField], of record: DeviceSettings) -> [FieldChange] {
        fields.filter { !record[$0].isNull }.compactMap { change($0, of: record, to: .null, by: .unlocked) }
    }
}

extension ConnectionLock {
    /// What to say where a lock is cleared that has not expired.
    func warning(row: Int64) -> Sentence {
        let end: Sentence = expiresAt.map { "until \($0)" } ?? "without an end"
        return
            "row \(row): the lock of \(shownHolder) had not expired (\(end)); if "
            + "that device is connected, it takes the lock again within 60 s"
    }
}

extension Merge {
    /// What the user typed, as the rebuild leaves it.
    var userData: [SettingsField: FieldValue] {
        var values: [SettingsField: FieldValue] = [:]
        for field in SettingsField.userData {
            values[field] = changes.first { $0.field.known == field }?.after ?? winner[field]
        }
        return values
    }
}

/// Which records a command changes by hand.
package enum NamedRecords: Hashable, Sendable {
    /// All of a meter.
    case meter(MACAddress)
    /// The one in this row, `Z_PK`; with a usable address, all of its meter.
    case row(Int64)
}

/// The records that a command names, and plans that update them.
package struct MeterRecords {
    /// Nil for a record without a usable one.
    let address: MACAddress?
    /// In the order of row numbers; at least one.
    let records: [DeviceSettings]
    let editor: RecordEditor
    private let size: StoreSize

    /// - Parameter size: of the store; nil to measure it.
    /// - Throws: `StoreError`, `unsuitable` where the store has no such record.
    init(of named: NamedRecords, in session: MeterSession, size: StoreSize? = nil) throws {
        let (store, settings) = (session.store, session.settings)
        switch named {
        case .meter(let address): self.address = address
        case .row(let row):
            guard let record = try store.record(in: row) else {
                throw Refusal.noRecord(row: row, in: store)
            }
            address = record.usableAddress
        }
        var rows = address.map(store.addresses.rows) ?? []
        if address == nil, case .row(let row) = named { rows = [row] }
        if rows.isEmpty, let address { throw try Refusal.noRecord(of: address, in: session) }
        let found = try session.wholeRecords(of: rows)
        records = rows.compactMap { found[$0] }
        editor = RecordEditor(layout: settings.layout, now: store.now)
        self.size = try size ?? session.size()
    }

    /// - Parameter updates: records of the meter, each with at least one change.
    func plan(
        updating updates: [(record: DeviceSettings, fields: [FieldChange])], notes: [Sentence] = []
    ) -> Plan {
        Plan(meters: meterPlan(updating: updates).map { [$0] } ?? [], notes: notes, of: size)
    }

    /// Nil where nothing is updated.
    /// - Parameter updates: likewise.
    func meterPlan(updating updates: [(record: DeviceSettings, fields: [FieldChange])]) -> MeterPlan? {
        guard !updates.isEmpty else { return nil }
        return MeterPlan(address, updates.map { .update(RecordUpdate(of: $0.record, $0.fields)) })
    }
}
