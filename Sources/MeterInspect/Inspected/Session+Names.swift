internal import CoreDataStore
package import MeterModel
internal import MeterStore

/// What records are called, to be shown beside their addresses and row numbers.
extension Session {
    /// The name of each record, or, where it has none, of another record of its meter; nothing where no record of the meter
    /// has one. The addresses are known.
    package func names(of wanted: Set<Int64>) throws -> [Int64: String] {
        guard !wanted.isEmpty, let settings, settings.layout.has(.meterName) else { return [:] }
        var names: [Int64: String] = [:]
        var nameless: [Int64: [Int64]] = [:]
        try settings.forEachRow(of: wanted.sorted(), database) { record in
            if let name = Self.name(of: record) {
                names[record.row] = name
            } else if case .usable(let address, _) = record.address {
                nameless[record.row] = Array(store.addresses.rows(of: address).prefix(Self.mostRecords))
            }
        }
        let others = Set(nameless.values.joined()).subtracting(wanted)
        var known = names
        try settings.forEachRow(of: others.sorted(), database) { known[$0.row] = Self.name(of: $0) }
        for (row, rows) in nameless { names[row] = rows.lazy.compactMap { known[$0] }.first }
        return names
    }

    /// What the app calls the meter of each of these records; of a record without a usable address, what it is called
    /// itself. Nothing where there is no name.
    package func shownNames(of rows: some Sequence<Int64>) throws -> [Int64: String] {
        guard let settings, settings.layout.has(.meterName) else { return [:] }
        var names: [Int64: String] = [:]
        var meters: [Int64: MACAddress] = [:]
        try settings.forEachRow(of: rows.sorted(), database) { record in
            if case .usable(let address, _) = record.address {
                meters[record.row] = address
            } else {
                names[record.row] = Self.name(of: record)
            }
        }
        let shown = try shownRecords(of: Set(meters.values))
        for (row, address) in meters { names[row] = shown[address]?.shownName }
        return names
    }

    /// Of the first findings of each check.
    /// - Parameter most: how many of each check; none with 0.
    package func names(of findings: Findings, most: Int) throws -> [Int64: String] {
        guard most > 0 else { return [:] }
        var rows: Set<Int64> = []
        for check in findings.checks {
            for finding in check.first(most) { rows.formUnion(finding.rows.prefix(Self.mostRecords)) }
        }
        return try names(of: rows)
    }

    /// Records of one meter that are asked for its name.
    private static let mostRecords = 20

    private static func name(of record: RecordRow) -> String? {
        guard !record.isEmpty(.meterName), let text = record.text(.meterName) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}

extension DeviceSettings {
    /// The name of the meter where the app shows this record; nil where it has none.
    package var shownName: String? { isEmpty(.meterName) ? nil : self[.meterName].text }
}

extension RecordRow {
    /// As `DeviceSettings.shownName`.
    var shownName: String? { isEmpty(.meterName) ? nil : self[.meterName].text }
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
