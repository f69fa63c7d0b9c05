public import Foundation

/// An object, as its row has it.
public struct StoredObject: Hashable, Sendable {
    /// The name of its entity.
    public let entity: String
    /// `Z_PK`, unique among the objects of an entity and those below it, and never given to another one.
    public let number: Int64
    /// By the name of the attribute or to-one relationship; the elements of a composite attribute by their key paths,
    /// such as `magnitude.richter`. What is NULL is missing. To-many relationships are not in the row: look for the
    /// objects whose to-one relationship leads here.
    public let values: [String: StoredValue]
}

/// A value, by the type that the model says it has. A value that is stored in another way than this type is, which Core
/// Data never does, comes as what SQLite has: `integer`, `number`, `text` or `data`.
public enum StoredValue: Hashable, Sendable {
    /// Integer 16, 32 or 64.
    case integer(Int64)
    /// Boolean.
    case boolean(Bool)
    /// Double or Float.
    case number(Double)
    /// Decimal, with the digits that SQLite keeps of it: 15 at least.
    case decimal(Decimal)
    /// String or URI. Bytes that are not UTF-8 become U+FFFD.
    case text(String)
    /// Date; the store has seconds since 2001.
    case date(Date)
    /// UUID.
    case uuid(UUID)
    /// Binary or Transformable: a transformed value as the app's transformer wrote it, often a keyed archive. For an
    /// attribute with external storage too, these are the bytes in the row, which may only name a file.
    case data(Data)
    /// Where a to-one relationship leads.
    case object(entity: String, number: Int64)
}

/// What the columns of a table mean in rows of one entity.
struct ObjectReader {
    private enum Meaning {
        case attribute(String, AttributeType)
        case relationship(String, destination: String)
        /// Of which of several entities the object is that a relationship leads to: `Z1_BOOK` beside `ZBOOK`.
        case destinationEntity(of: String)
    }

    let entity: PrimaryKeys.Entry
    let table: StoreSchema.Table
    private let store: StoreDescription
    /// By the position of the column.
    private var meanings: [Int: Meaning] = [:]

    /// Nil if the model does not have the entity, or the store does not have its table.
    init?(of entry: PrimaryKeys.Entry, in store: StoreDescription, _ names: ColumnNames) {
        guard let model = store.model, let entity = model[entity: entry.name],
            let table = store.schema.tables[store.keys.table(of: entry)], table.has("Z_PK"), table.has("Z_ENT")
        else { return nil }
        (self.entity, self.table, self.store) = (entry, table, store)
        for attribute in model.allAttributes(of: entity) {
            add(attribute.name, attribute.type, names[entity, attribute.name])
        }
        for composite in model.allComposites(of: entity) {
            for leaf in composite.leaves { add(leaf.keyPath, leaf.attribute.type, names[entity, leaf.keyPath]) }
        }
        for relationship in model.allRelationships(of: entity) {
            guard let column = names[entity, relationship.name], let position = table.position(of: column) else {
                continue
            }
            meanings[position] = .relationship(relationship.name, destination: relationship.destination)
            if let number = store.keys[relationship.destination]?.number,
                let column = names.destinationColumn(of: entity, relationship.name, number: number),
                let position = table.position(of: column)
            {
                meanings[position] = .destinationEntity(of: relationship.name)
            }
        }
    }

    private mutating func add(_ key: String, _ type: AttributeType, _ column: SQLName?) {
        if let position = column.flatMap(table.position) { meanings[position] = .attribute(key, type) }
    }

    /// The object in a row.
    /// - Parameter values: calls its argument with each value of the row and the position of its column.
    func object(number: Int64, _ values: (_ take: (Int, SQLiteRow.Value) -> Void) -> Void) -> StoredObject {
        var found: [String: StoredValue] = [:]
        var destinations: [String: String] = [:]
        values { position, value in
            switch meanings[position] {
            case .attribute(let key, let type): found[key] = StoredValue(value, type)
            case .relationship(let key, let destination):
                if case .integer(let number) = value { found[key] = .object(entity: destination, number: number) }
            case .destinationEntity(let key):
                if case .integer(let number) = value { destinations[key] = store.keys[number: number]?.name }
            case nil: break
            }
        }
        for (key, destination) in destinations {
            if case .object(_, let number) = found[key] { found[key] = .object(entity: destination, number: number) }
        }
        return StoredObject(entity: entity.name, number: number, values: found)
    }
}

extension StoredValue {
    /// Nil for NULL. Core Data's types in SQLite were seen in real stores: dates are seconds since 2001, UUIDs 16 bytes.
    fileprivate init?(_ value: SQLiteRow.Value, _ type: AttributeType) {
        switch value {
        case .null: return nil
        case .integer(let number): self = Self.value(number, type)
        case .real(let number): self = Self.value(number, type)
        case .text(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            self = type == .decimal ? Decimal(string: text).map(Self.decimal) ?? .text(text) : .text(text)
        case .blob(let bytes):
            guard type == .uuid, bytes.count == 16 else {
                self = .data(Data(bytes))
                return
            }
            self = .uuid(UUID(uuid: UnsafeRawBufferPointer(bytes).loadUnaligned(as: uuid_t.self)))
        }
    }

    private static func value(_ number: Int64, _ type: AttributeType) -> StoredValue {
        switch type {
        case .boolean: .boolean(number != 0)
        case .decimal: .decimal(Decimal(number))
        // SQLite keeps a whole number in a column of dates or numbers as an integer.
        case .double, .float, .date: value(Double(number), type)
        default: .integer(number)
        }
    }

    private static func value(_ number: Double, _ type: AttributeType) -> StoredValue {
        switch type {
        case .date: .date(Date(timeIntervalSinceReferenceDate: number))
        // The shortest text that stands for this number: 10.11, where its binary digits are a little less.
        case .decimal: Decimal(string: "\(number)").map(Self.decimal) ?? .number(number)
        default: .number(number)
        }
    }
}
