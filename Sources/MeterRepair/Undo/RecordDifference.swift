internal import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel
internal import MeterStore

/// A record that is not as a change left it, as the user knows it: what an undo by force would lose.
package struct RecordDifference: Hashable, Sendable {
    package let row: Int64
    package let kind: RowDifference.Kind
    /// Nil if it has no usable address.
    package let address: MACAddress?
    /// As it is now; of a deleted record, as it was.
    package let name: String?
    /// What the user typed, and attributes that meterfix does not know; empty where only a lock, a discovery or a date
    /// differs, and for a record that was added or removed.
    package let values: [FieldDelta]
    /// When it was changed last, by the history or by its `updatedAt`; nil where neither says it.
    package let time: Timestamp?
    /// Nil where the history does not know the change.
    package let author: Author?
}

extension RecordDifference {
    /// The records among the rows that changed, those with values of the user's first.
    /// - Parameters:
    ///   - most: how many are looked at.
    ///   - transaction: the change's own in the history; nil for one without.
    /// - Throws: SQLite's errors.
    static func among(
        _ moved: [RowDifference], most: Int, since transaction: Int64?, then: Database, now: Database
    ) throws -> [RecordDifference] {
        let description = try StoreDescription(now)
        guard most > 0, let settings = SettingsTable(description), let old = SettingsTable(try StoreDescription(then))
        else { return [] }
        let rows = moved.filter { SQLName($0.table) == settings.table.name }.prefix(most)
        let numbers = rows.map(\.row)
        let before = try old.records(of: numbers, then)
        let after = try settings.records(of: numbers, now)
        var changed = try rows.compactMap { moved -> RecordDifference? in
            guard let record = after[moved.row] ?? before[moved.row] else { return nil }
            let last = try transaction.flatMap { transaction in
                try description.history?.lastChange(
                    ofEntities: settings.numbers, row: moved.row, after: transaction,
                    now)
            }
            let isDated = moved.kind != .removed && before[moved.row]?.updatedAt != record.updatedAt
            return RecordDifference(
                row: moved.row, kind: moved.kind, address: record.usableAddress, name: record[.meterName].text,
                values: values(of: before[moved.row], after[moved.row]),
                time: last.map { Timestamp(secondsSince2001: $0.time) } ?? (isDated ? record.updatedAt : nil),
                author: last?.author.map(Author.init(named:)))
        }
        // Stable: of one kind they stay in the order of rows.
        changed = changed.filter(\.isOfUser) + changed.filter { !$0.isOfUser }
        return changed
    }

    /// Whether a value that the change wrote is not there any more: to take it back would lose what came after.
    func changes(_ part: UndoReport.Part) -> Bool {
        func isChanged(_ field: SettingsField, of meter: MACAddress) -> Bool {
            address == meter && values.contains { $0.field.known == field }
        }
        return switch part {
        case .record: false
        case .name(_, let meter): isChanged(.meterName, of: meter)
        case .unit(_, let meter): isChanged(.tc66TemperatureUnit, of: meter)
        }
    }

    /// Whether it has more to lose than a lock, a discovery or a date.
    package var isOfUser: Bool { kind != .changed || !values.isEmpty }

    private static func values(of then: DeviceSettings?, _ now: DeviceSettings?) -> [FieldDelta] {
        guard let then, let now else { return [] }
        return now.layout.fields.enumerated().compactMap { position, field in
            guard field.known.map(ofUser.contains) ?? true else { return nil }
            let before = then.layout.position(named: field.name).map { then.values[$0] } ?? .null
            let after = now.values[position]
            return before == after ? nil : FieldDelta(field, before: before, after: after)
        }
    }

    private static let ofUser = SettingsField.userData + [.macAddress]
}
