internal import CoreDataStore
internal import MeterModel
internal import MeterStore

/// Rewrites the rows of one table.
struct RowRedaction {
    private let columns: [(place: String, content: ColumnContent)]
    /// The column of the key that an archive is stored under.
    private let key: Int?
    /// The column of the number of the entity that a change is of.
    private let entity: Int?
    private let values: ValueRedaction

    init(
        _ table: StoreSchema.Table, in store: StoreDescription, _ settings: SettingsTable?, _ values: ValueRedaction
    ) {
        self.values = values
        let contents = ColumnContent.ofColumns(of: table, in: store, settings)
        columns = zip(table.columns, contents).map { ("\(table.name).\($0.name)", $1) }
        key = table.position(of: "ZKEY")
        entity = table.position(of: "ZENTITY")
    }

    /// The values of a row of the copy.
    func callAsFunction(_ row: SQLiteRow) -> [SQLiteBinding] {
        columns.indices.map { value(row, $0) }
    }

    private func value(_ row: SQLiteRow, _ index: Int) -> SQLiteBinding {
        let (place, content) = columns[index]
        switch (content, row[index]) {
        case (_, .null): return .null
        case (.bookkeeping, .integer(let number)), (.date, .integer(let number)): return .integer(number)
        case (.bookkeeping, .real(let number)), (.date, .real(let number)): return .real(number)
        case (.mask, .blob(let bytes)):
            if let entity, case .integer(let number) = row[entity], values.isMask(number, Array(bytes)) {
                return .blob(Array(bytes))
            }
            // What nobody understands, nobody understands in the copy: no model has so many properties.
            values.replacements.noteUnknown(place)
            return .blob(bytes.map { _ in 0xFF })
        case (.metadata, .blob(let bytes)): return .blob(values.metadata(Array(bytes), in: place))
        case (.model, .blob(let bytes)): return .blob(values.model(Array(bytes), in: place))
        case (.archive, .blob(let bytes)):
            return .blob(values.archive(Array(bytes), of: key.flatMap(row.text), in: place))
        case (.json, .text(let text)):
            return .text(values.json(text, in: place) ?? values.replacements.text(text, .device, in: place))
        case (.json, .blob(let bytes)):
            return .blob(values.json(bytes, in: place) ?? values.replacements.blob(Array(bytes), in: place))
        case (.unit, .text(let text)):
            return .text(values.replacements.text(text, .text, in: place) { TemperatureUnit(understanding: $0) != nil })
        case (.words, .text(let text)):
            return .text(values.replacements.text(text, .text, in: place, isHarmless: values.words.contains))
        case (.value(let kind), .text(let text)): return .text(values.replacements.text(text, kind, in: place))
        case (_, .text(let text)): return .text(values.replacements.text(text, .text, in: place))
        case (_, .integer(let number)): return .integer(values.replacements.integer(number))
        case (_, .real(let number)): return .real(values.replacements.real(number))
        case (_, .blob(let bytes)): return .blob(values.replacements.blob(Array(bytes), in: place))
        }
    }
}
