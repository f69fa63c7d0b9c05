package import CoreDataStore
package import MeterModel
internal import MeterStore

/// The values that the log of a store still has from before and after its last changes.
package struct PastValues {
    private let store: InspectedStore
    /// Nil where the files may change meanwhile.
    private let past: StorePast?
    private let steps: [Int64: Int]
    private var attributes: [Int64: [Attribute]] = [:]

    /// An attribute of the objects in a table, and where in a row its value is.
    private typealias Attribute = (field: RecordLayout.Field, column: Int)

    /// Reads the log.
    /// - Throws: also `StoreError` if a file cannot be read.
    package init(of session: Session) throws {
        store = session.store
        past = try session.pastSteps()
        steps = Dictionary(
            (past?.steps ?? []).enumerated().compactMap { index, step in
                step.transaction.number.map { ($0, index) }
            }
        ) { first, _ in first }
    }

    /// Why nothing is said of the past although there is a log; nil where it is.
    package var problem: String? { past?.problem }

    /// What a change of an object changed: of an insert or a delete every value, of an update every attribute that
    /// differs. Nil where that is not certain.
    package mutating func deltas(of change: PersistentHistory.LoggedChange, in transaction: Int64?) -> [FieldDelta]? {
        guard let transaction, let step = steps[transaction].flatMap({ past?.steps[$0] }), let object = change.object,
            let entry = store.description.keys[number: object.entityNumber]
        else { return nil }
        let table = store.description.keys.table(of: entry)
        guard let row = step.changes[table]?.first(where: { $0.row == object.row }) else { return nil }
        let attributes = attributes(of: entry, in: table)
        let (before, after) = (row.before?.values, row.after?.values)
        return attributes.compactMap { attribute in
            func value(_ values: [FieldValue]?) -> FieldValue {
                guard let values, values.indices.contains(attribute.column) else { return .null }
                return values[attribute.column]
            }
            let delta = FieldDelta(attribute.field, before: value(before), after: value(after))
            return delta.before == delta.after ? nil : delta
        }
    }

    package var goneRecords: [Int64: DeviceSettings] {
        guard let past, let settings = store.settings else { return [:] }
        let images = RecordImages(settings)
        var records: [Int64: DeviceSettings] = [:]
        for step in past.steps {
            for change in step.changes[settings.table.name] ?? [] where change.after == nil {
                if let record = change.before.flatMap(images.record) { records[change.row] = record }
            }
        }
        return records
    }

    private mutating func attributes(of entry: PrimaryKeys.Entry, in table: SQLName) -> [Attribute] {
        attributes[entry.number].once { [description = store.description] in
            guard let columns = description.schema.tables[table] else { return [] }
            let model = description.model.flatMap { model in model[entity: entry.name].map { (model, $0) } }
            let attributes = columns.fields(of: model)
            // In the order in which every answer has them.
            return RecordLayout(fields: attributes.map(\.field)).fields.compactMap { field in
                guard let column = attributes.first(where: { $0.field == field })?.column,
                    let place = columns.position(of: column)
                else { return nil }
                return (field, place)
            }
        }
    }
}
