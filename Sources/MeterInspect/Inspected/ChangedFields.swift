internal import CoreDataStore
internal import MeterStore

/// Names the attributes that updates in the history changed.
package struct ChangedFields {
    private let store: InspectedStore
    /// What the bits mean, by entity number.
    private var layouts: [Int64: [[HistoryColumn]]] = [:]
    private var known: [Update: [String]?] = [:]
    /// A history has few different updates, unless it is damaged.
    private static let most = 4_096

    private struct Update: Hashable {
        let entityNumber: Int64
        let columns: [UInt8]
    }

    package init(_ store: InspectedStore) { self.store = store }

    /// In byte order; nil if they are not known.
    /// - Parameter columns: `ZCOLUMNS` of an update of an object of this entity.
    package mutating func names(in columns: [UInt8], ofEntity number: Int64) -> [String]? {
        let update = Update(entityNumber: number, columns: columns)
        if let names = known[update] { return names }
        let layouts = layouts(ofEntity: number)
        let names = HistoryColumn.properties(changedIn: columns, by: layouts)
        if known.count < Self.most { known[update] = .some(names) }
        return names
    }

    /// Those that the updates of an object changed; nil for an insert or a delete, and if they are not known.
    mutating func names(of waiting: CloudKitMirror.Waiting) -> [String]? {
        waiting.columns.flatMap { names(in: $0, ofEntity: waiting.object.entityNumber) }
    }

    private mutating func layouts(ofEntity number: Int64) -> [[HistoryColumn]] {
        if let layouts = layouts[number] { return layouts }
        let found = findLayouts(ofEntity: number)
        layouts[number] = found
        return found
    }

    private func findLayouts(ofEntity number: Int64) -> [[HistoryColumn]] {
        let description = store.description
        guard let entry = description.keys[number: number] else { return [] }
        if let settings = store.settings, entry == settings.entity { return settings.historyLayouts }
        guard let model = description.model, let entity = model[entity: entry.name] else { return [] }
        let added = description.schema.tables[description.keys.table(of: entry)]?.addedColumns ?? []
        return model.historyLayouts(of: entity, added: model.properties(in: added, of: entity))
    }
}
