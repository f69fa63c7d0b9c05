package import CoreDataStore
package import MeterModel

/// How the columns convert values that are written. In Core Data's own tables each value stays as it is.
extension SettingsTable {
    /// Positions in the layout where a value of the field's own kind could be converted.
    package var convertingPositions: [Int] {
        layout.fields.indices.filter { position in
            guard let column = column(at: position) else { return false }
            switch (layout.fields[position].kind, column.affinity) {
            case (.date, .text), (.integer, .text), (.boolean, .text), (.real, .text), (.text, .numeric): return true
            case (_, .none), (.uuid, _), (.binary, _), (.text, .text), (_, .numeric): return false
            }
        }
    }

    /// Whether SQLite would store a different value at a position of the layout.
    package func converts(_ value: FieldValue, at position: Int) -> Bool {
        switch (value, column(at: position)?.affinity) {
        case (.integer, .text), (.real, .text): true
        case (.text(let text), .numeric): Double(WhiteSpace.trimmed(text)) != nil
        case (_, .text), (_, .numeric), (_, StoreSchema.Table.Column.Affinity.none?), (_, nil): false
        }
    }

    /// A column that would need a value, or would get a default, in a new record with these fields.
    package func unfilledColumn(of fields: [RecordLayout.Field]) -> SQLName? {
        let filled = ["Z_PK", "Z_ENT", "Z_OPT"] + fields.compactMap { layout.position(of: $0).map { columns[$0] } }
        return table.columns.first { $0.fillsNewRows && !filled.contains($0.name) }?.name
    }

    private func column(at position: Int) -> StoreSchema.Table.Column? {
        table.columns.first { $0.name == columns[position] }
    }
}
