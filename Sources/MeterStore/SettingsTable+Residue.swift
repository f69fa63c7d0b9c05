package import CoreDataStore
internal import MeterModel

extension SettingsTable {
    /// Records that the store's files still have besides those that are there. Each has an address of its own, so that it
    /// is known which meter a name belongs to.
    /// - Throws: `StoreError` if a file cannot be read.
    package func residue(in pages: StorePages) throws(StoreError) -> DeletedRowScan {
        let uuids = zip(layout.fields, columns).filter { $0.0.kind == .uuid }.map(\.1)
        let address = table.position(of: Self.column(SettingsField.macAddress.rawValue))
        return try DeletedRowScan(of: table, entities: Set(numbers), uuids: Set(uuids), in: pages) { row in
            var isUsable = false
            row.forEachValue { column, value in
                guard column == address, case .text(let text) = value else { return }
                if case .usable = DeviceSettings.Address(text: text) { isUsable = true }
            }
            return isUsable
        }
    }
}
