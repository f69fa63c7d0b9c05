package import CoreDataStore
package import GRDB
package import MeterModel

/// Where a store keeps its `DeviceSettings`: table, columns and attributes, found by name. Shared by all who look there.
package final class SettingsTable: Sendable {
    /// The entity's name in the app's model.
    package static let entityName = "DeviceSettings"

    /// Its entry in `Z_PRIMARYKEY`.
    package let entity: PrimaryKeys.Entry
    package let table: StoreSchema.Table
    package var layout: RecordLayout { form.layout }
    /// The column of each field of `layout`.
    package var columns: [SQLName] { form.columns }
    /// Whether the store's model lets no two records have the same address, as that of schema v1, which CloudKit does not
    /// take. Where the version hashes confirm no model, the index of the constraint says so.
    package let isAddressUnique: Bool
    /// Unique indexes that `macAddress` is part of, whoever made them.
    package let uniqueIndexes: [StoreSchema.Attachment]
    /// Those of them that Core Data made for a constraint.
    package let constraintIndexes: [StoreSchema.Attachment]
    /// Entity numbers of the records if the entity has a parent or children and shares its table with them; nil if
    /// every row of the table is a record, as in the app's own models.
    package let entityNumbers: [Int64]?

    /// The entity numbers that a record may have.
    package var numbers: [Int64] { entityNumbers ?? [entity.number] }
    let model: (model: ManagedObjectModel, entity: Entity)?
    private let form: Form

    /// What the columns and the model say of the records' fields: made once for all stores in which they are the same.
    private struct Form: Sendable {
        struct Source: Equatable, Sendable {
            let columns: [StoreSchema.Table.Column]
            let model: ManagedObjectModel?
        }

        let layout: RecordLayout
        let columns: [SQLName]
        /// The model that gives the bits of `ZCOLUMNS` their order.
        let historyModel: (model: ManagedObjectModel, entity: Entity)
        let isHistoryKnown: Bool

        static let prepared = Prepared<Source, Form>()

        init(of table: StoreSchema.Table, _ model: (model: ManagedObjectModel, entity: Entity)?) {
            let fields = table.fields(of: model)
            let layout = RecordLayout(fields: fields.map(\.field))
            let columnNames = Dictionary(uniqueKeysWithValues: fields.map { ($0.field.name, $0.column) })
            self.layout = layout
            columns = layout.fields.map { columnNames[$0.name]! }
            if let model {
                historyModel = model
            } else {
                let entity = Entity(
                    SettingsTable.entityName, attributes: layout.fields.map { Attribute($0.name, .string) })
                historyModel = (ManagedObjectModel(entities: [entity]), entity)
            }
            isHistoryKnown = historyModel.model.historyColumns(of: historyModel.entity) != nil
        }
    }

    private static let neededColumns: [SQLName] = ["Z_PK", "Z_ENT", "Z_OPT", column("macAddress")]

    /// What there is in the place of the table, in a store that knows the entity: lower case, no full stop. Nil for a store
    /// with the table, and for one without the entity.
    /// - Throws: SQLite's errors.
    package static func problem(in store: StoreDescription, _ database: Database) throws -> String? {
        guard let entity = store.keys[entityName] else { return nil }
        let name = store.keys.table(of: entity)
        guard let table = store.schema.tables[name] else {
            let kind = try database.first("SELECT type FROM sqlite_master WHERE name = ?", [.string(name.text)]) {
                String(decoding: $0.bytes(0), as: UTF8.self)
            }
            return kind.map { "\(name) is a \($0 == "table" ? "virtual table" : $0) and no table" }
                ?? "the table \(name) is gone, with the records of all meters"
        }
        let missing = neededColumns.filter { !table.has($0) }
        guard !missing.isEmpty else { return nil }
        let columns = missing.map(\.text).joined(separator: ", ")
        return "the table \(name) has no column \(columns): whose its records are cannot be told"
    }

    /// Nil if the store has no such entity, or no table with `macAddress` for it.
    package init?(_ store: StoreDescription) {
        guard let entity = store.keys[Self.entityName],
            let table = store.schema.tables[store.keys.table(of: entity)],
            Self.neededColumns.allSatisfy(table.has)
        else { return nil }
        let model = store.model.flatMap { model in model[entity: Self.entityName].map { (model: model, entity: $0) } }
        self.entity = entity
        self.table = table
        self.model = model
        form = Form.prepared.value(of: Form.Source(columns: table.columns, model: model?.model)) {
            Form(of: table, model)
        }
        let address = SettingsField.macAddress.rawValue
        uniqueIndexes = store.schema.indexes.filter {
            $0.table == table.name && $0.isUnique && $0.uses(Self.column(address))
        }
        constraintIndexes = store.constraintIndexes(of: Self.entityName, in: table.name, over: [address])
        isAddressUnique = store.isUnique([address], of: Self.entityName, in: table.name)
        let family = store.keys.family(of: entity)
        let isShared = store.keys.root(of: entity) != entity || family.count > 1
        entityNumbers = isShared ? family.map(\.number) : nil
    }

    private static let fieldsByColumn = Dictionary(
        uniqueKeysWithValues: SettingsField.allCases.map { (column($0.rawValue), $0) })

    /// The attribute of the app that a column is of; nil for a column that no version of the app knows.
    fileprivate static func field(of column: SQLName) -> SettingsField? { fieldsByColumn[column] }

    /// The column of an attribute.
    package static func column(_ attribute: String) -> SQLName { "Z\(attribute.uppercased())" }

    /// `ACHANGE.ZCOLUMNS` of an update of these attributes. Without a model the order comes from the attributes' names
    /// alone, which is right for an entity without relationships. Nil if the order cannot be known.
    package func changedColumns(_ names: Set<String>) -> [UInt8]? {
        let (model, entity) = historyModel
        // A column left over from another version of the model is not an attribute and has no bit in the history.
        let attributes = Set(model.allAttributes(of: entity).map(\.name))
        return model.changedColumns(names.intersection(attributes), of: entity)
    }

    /// Whether the order of the bits of `ACHANGE.ZCOLUMNS` can be known.
    var isHistoryKnown: Bool { form.isHistoryKnown }

    /// The attributes that an update changed, by its `ACHANGE.ZCOLUMNS`, in byte order. Nil if the order of the bits
    /// cannot be known.
    package func fields(changedIn columns: [UInt8]) -> [String]? {
        HistoryColumn.properties(changedIn: columns, by: historyLayouts)
    }

    /// What the bits of `ZCOLUMNS` may mean. Without a model nobody knows the names of attributes that are not the app's,
    /// nor what else is a column: then there are none if the table has such columns.
    package var historyLayouts: [[HistoryColumn]] {
        guard model != nil || layout.fields.allSatisfy({ $0.known != nil }) else { return [] }
        let (model, entity) = historyModel
        return model.historyLayouts(of: entity, added: model.properties(in: table.addedColumns, of: entity))
    }

    /// Whether Core Data keeps the value of a deleted record in the history; false without a model.
    package func preservesAfterDeletion(_ field: SettingsField) -> Bool {
        guard let (model, entity) = model else { return false }
        return model.allAttributes(of: entity).contains { $0.name == field.rawValue && $0.preservesValueAfterDeletion }
    }

    private var historyModel: (model: ManagedObjectModel, entity: Entity) { form.historyModel }
}

extension StoreDescription {
    /// The unique indexes over these attributes that belong to a constraint: Core Data names them for it, and one of any name
    /// does what the model asks for.
    package func constraintIndexes(
        of entity: String, in table: SQLName, over attributes: [String]
    ) -> [StoreSchema.Attachment] {
        let columns = attributes.map(SettingsTable.column)
        let isAsked = model?[entity: entity]?.hasConstraint(over: attributes) ?? false
        return schema.uniqueIndexes(of: table, over: columns).filter { index in
            index.isNamedForConstraint || isAsked && index.columns == columns && index.sql != nil
        }
    }

    /// Whether the model has a uniqueness constraint over these attributes. Where the version hashes confirm no model, the
    /// index of one says so.
    package func isUnique(_ attributes: [String], of entity: String, in table: SQLName) -> Bool {
        if model?[entity: entity]?.hasConstraint(over: attributes) ?? false { return true }
        return hashComparison?.matching.contains(entity) != true
            && !constraintIndexes(of: entity, in: table, over: attributes).isEmpty
    }
}

extension StoreSchema.Table {
    /// The attributes of the table. Their names and types come from the model; without one they come from the columns:
    /// a known attribute has its own name, an unknown one that of its column, in lower case.
    /// - Parameter model: with the entity whose attributes are wanted; nil without a model.
    package func fields(
        of model: (model: ManagedObjectModel, entity: Entity)?
    ) -> [(field: RecordLayout.Field, column: SQLName)] {
        var attributes: [SQLName: Attribute] = [:]
        var relationships: Set<SQLName> = []
        if let model {
            for attribute in model.model.allAttributes(of: model.entity) where !attribute.traits.isTransient {
                attributes[attribute.column] = attribute
            }
            relationships = Set(model.model.allRelationships(of: model.entity).map { SettingsTable.column($0.name) })
        }
        let isSettings = model.map { $0.entity.name == SettingsTable.entityName } ?? true
        // Two unknown names can become the same in lower case; the second is then left alone.
        var names: Set<String> = []
        return columns.compactMap { column in
            // Z_PK, Z_ENT, Z_OPT, and the keys beside relationships (Z_FOK_…, Z1_…).
            guard column.name.hasPrefix("Z"), !column.name.hasPrefix("Z_"),
                column.name.text.dropFirst().first?.isNumber == false, !relationships.contains(column.name)
            else { return nil }
            let attribute = attributes[column.name]
            let known = SettingsTable.field(of: column.name)
            let ownName = isSettings ? known?.rawValue : nil
            let name = ownName ?? attribute?.name ?? column.name.text.dropFirst().lowercased()
            let kind =
                attribute.flatMap { FieldKind($0.type) } ?? known?.kind ?? FieldKind(declared: column)
            guard names.insert(name).inserted else { return nil }
            return (RecordLayout.Field(name: name, kind: kind), column.name)
        }
    }
}

extension FieldKind {
    /// Nil for a type that does not say how the value is stored.
    fileprivate init?(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64: self = .integer
        case .boolean: self = .boolean
        case .decimal, .double, .float: self = .real
        case .string, .uri: self = .text
        case .date: self = .date
        case .uuid: self = .uuid
        case .binary, .transformable: self = .binary
        default: return nil
        }
    }

    fileprivate init(declared column: StoreSchema.Table.Column) {
        switch column.declaredType {
        case "INTEGER": self = .integer
        case "TIMESTAMP": self = .date
        case "FLOAT", "DECIMAL": self = .real
        case "BLOB": self = .binary
        default: self = .text
        }
    }
}

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
