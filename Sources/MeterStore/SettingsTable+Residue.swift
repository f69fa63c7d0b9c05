package import CoreDataStore
internal import MeterModel

extension SettingsTable {
    /// Records that the store's files still have besides those that are there. Each has an address of its own, so that it
    /// is known which meter a name belongs to.
    /// Of records that have the address and everything that the user typed in common, the one that was updated last stands
    /// for all: an app that makes one record after the other for a meter leaves thousands.
    /// - Throws: `StoreError` if a file cannot be read.
    package func residue(of schema: StoreSchema, in pages: StorePages) throws(StoreError) -> DeletedRowScan {
        let uuids = zip(layout.fields, columns).filter { $0.0.kind == .uuid }.map(\.1)
        func position(_ field: SettingsField) -> Int? { table.position(of: Self.column(field.rawValue)) }
        guard let address = position(.macAddress) else { return .none }
        let typed = SettingsField.userData.compactMap(position)
        let updated = position(.updatedAt)
        return try DeletedRowScan(
            of: table, entities: Set(numbers), uuids: Set(uuids), among: Array(schema.tables.values), in: pages
        ) { row in
            let values = row.values
            func value(_ column: Int) -> FieldValue { values.indices.contains(column) ? values[column] : .null }
            guard var text = value(address).text,
                case .usable = text.withUTF8({ DeviceSettings.Address(text: $0) })
            else { return nil }
            return DeletedRowScan.Judgement(
                key: [value(address)] + typed.map(value),
                rank: updated.flatMap { value($0).timestamp?.secondsSince2001 } ?? -.infinity)
        }
    }
}
