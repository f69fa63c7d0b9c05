internal import CoreDataStore
package import MeterModel
internal import MeterStore

/// What records are called, to be shown beside their addresses and row numbers.
extension Session {
    /// The name of each record, or, where it has none, of another record of its meter; nothing where no record of the meter
    /// has one.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func names(of wanted: some Sequence<Int64>) throws -> [Int64: String] {
        var names: [Int64: String] = [:]
        for record in try store.records(in: wanted) {
            names[record.row] =
                record.name
                ?? record.usableAddress.flatMap { store.addresses.records(of: $0).lazy.compactMap(\.name).first }
        }
        return names
    }

    /// What the app calls the meter of each of these records; of a record without a usable address, what it is called
    /// itself. Nothing where there is no name.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func shownNames(of rows: some Sequence<Int64>) throws -> [Int64: String] {
        var names: [Int64: String] = [:]
        for record in try store.records(in: rows) {
            names[record.row] = (record.usableAddress.flatMap(store.shownRecord) ?? record).shownName
        }
        return names
    }
}

extension InspectedStore {
    /// The record of the meter that the app shows: of several the one that it finds first. One that is not written as the app
    /// looks for it counts where there is no other.
    package func shownRecord(of meter: MACAddress) -> DeviceSettings? {
        let records = addresses.records(of: meter)
        return records.foundByApp(in: letterCase) ?? records.first
    }
}

extension DeviceSettings {
    /// The name of the meter where the app shows this record; nil where it has none.
    package var shownName: String? { isEmpty(.meterName) ? nil : self[.meterName].text }

    /// The same, also where it is not UTF-8.
    fileprivate var name: String? {
        switch self[.meterName] {
        case .text: shownName
        case .malformedText(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null, .integer, .real, .blob: nil
        }
    }
}

/// Names the attributes that updates in the history changed.
package struct ChangedFields {
    private let store: InspectedStore
    /// What the bits mean, by entity number.
    private var layouts: [Int64: [[HistoryColumn]]] = [:]
    /// By entity number and columns; nil where they are not known.
    private var known: [Int64: [[UInt8]: [String]?]] = [:]
    private var knownCount = 0
    /// A history has few different updates, unless it is damaged.
    private static let most = 4_096

    package init(_ store: InspectedStore) { self.store = store }

    /// In byte order; nil if they are not known.
    /// - Parameter columns: `ZCOLUMNS` of an update of an object of this entity.
    package mutating func names(in columns: [UInt8], ofEntity number: Int64) -> [String]? {
        if let names = known[number]?[columns] { return names }
        let layouts = layouts(ofEntity: number)
        let names = HistoryColumn.properties(changedIn: columns, by: layouts)
        if knownCount < Self.most {
            known[number, default: [:]][columns] = .some(names)
            knownCount += 1
        }
        return names
    }

    /// Those that the updates of an object changed; nil for an insert or a delete, and if they are not known.
    mutating func names(of waiting: CloudKitMirror.Waiting) -> [String]? {
        waiting.columns.flatMap { names(in: $0, ofEntity: waiting.object.entityNumber) }
    }

    private mutating func layouts(ofEntity number: Int64) -> [[HistoryColumn]] {
        layouts[number].once { [store] in
            let description = store.description
            guard let entry = description.keys[number: number] else { return [] }
            if let settings = store.settings, entry == settings.entity { return settings.historyLayouts }
            guard let model = description.model, let entity = model[entity: entry.name] else { return [] }
            let added = description.schema.tables[description.keys.table(of: entry)]?.addedColumns ?? []
            return model.historyLayouts(of: entity, added: model.properties(in: added, of: entity))
        }
    }
}
