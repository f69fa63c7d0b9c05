internal import CoreDataStore
internal import MeterModel
internal import MeterStore

/// What the values of a column are, as far as the copy depends on it. NULL always stays.
enum ColumnContent {
    /// Numbers that Core Data counts, marks and finds rows by.
    case bookkeeping
    /// Which columns an update changed.
    case mask
    /// Seconds since 2001.
    case date
    /// The metadata dictionary of the store.
    case metadata
    /// The cached model.
    case model
    /// Keyed archives of the mirror.
    case archive
    /// A temperature unit.
    case unit
    /// A lock or a discovery as JSON.
    case json
    /// Texts of Core Data and its mirror, among them names of entities and words that are the same for every user.
    case words
    /// Anything else: every value is replaced.
    /// - Parameter kind: of its texts.
    case value(RedactedKind)

    /// The contents of each column of a table, in its order.
    static func ofColumns(of table: StoreSchema.Table, in store: StoreDescription, _ settings: SettingsTable?) -> [Self]
    {
        let kind = TableKind(table, store)
        return table.columns.map { column in
            if let settings, settings.table.name == table.name,
                let position = settings.columns.firstIndex(of: column.name),
                let field = settings.layout.fields[position].known
            {
                return Self(field)
            }
            return Self(column, kind)
        }
    }

    private init(_ field: SettingsField) {
        switch field {
        case .tc66TemperatureUnit: self = .unit
        case .createdAt, .updatedAt, .connectedAt, .connectedExpiryAt, .lastSeenAt: self = .date
        case .connectionMetadata, .discoveryMetadata: self = .json
        case .meterName: self = .value(.meter)
        case .connectedByDeviceID, .connectedByDeviceName, .lastSeenByDeviceID, .lastSeenByDeviceName:
            self = .value(.device)
        case .id, .cloudKitRecordID: self = .value(.id)
        case .macAddress, .modelType: self = .value(.text)
        }
    }

    private init(_ column: StoreSchema.Table.Column, _ kind: TableKind) {
        switch kind {
        case .primaryKeys: self = column.name == "Z_NAME" ? .words : .bookkeeping
        case .metadata:
            self =
                switch column.name {
                case "Z_PLIST": .metadata
                case "Z_UUID": .value(.id)
                default: .bookkeeping
                }
        case .model: self = column.name == "Z_CONTENT" ? .model : .bookkeeping
        case .history:
            self =
                switch column.name {
                case "ZTIMESTAMP": .date
                case "ZCOLUMNS": .mask
                default: column.declaredType == "INTEGER" ? .bookkeeping : .words
                }
        case .mirror:
            switch column.declaredType {
            case "INTEGER": self = .bookkeeping
            case "TIMESTAMP": self = .date
            default:
                self =
                    column.name == "ZTRANSFORMEDVALUE"
                    ? .archive : column.name == "ZCKRECORDNAME" ? .value(.id) : .words
            }
        case .join: self = .bookkeeping
        case .entities(let kept, let dates):
            self =
                kept.contains(column.name) || column.name.isBookkeeping
                ? .bookkeeping : dates.contains(column.name) ? .date : .value(.text)
        case .foreign(let key):
            self = column.name == key ? .bookkeeping : column.declaredType == "TIMESTAMP" ? .date : .value(.text)
        }
    }
}

/// What kind of rows a table has.
enum TableKind {
    case primaryKeys, metadata, model, history, mirror
    /// A many-to-many relationship.
    case join
    /// Objects of the app.
    /// - Parameters:
    ///   - kept: the columns of relationships and flags.
    ///   - dates: the columns of dates.
    case entities(kept: Set<SQLName>, dates: Set<SQLName>)
    /// Not Core Data's.
    case foreign(key: SQLName?)

    init(_ table: StoreSchema.Table, _ store: StoreDescription) {
        if let own = Self.ofCoreData(table.name) {
            self = own
        } else if table.name.hasPrefix("Z_") {
            self = .join
        } else if store.entityTables.contains(where: { $0.table.name == table.name }) {
            self = .objects(table, store)
        } else {
            self = .foreign(key: table.rowNumberColumn)
        }
    }

    /// The kind of a table that has the same name in every store; nil for any other.
    static func ofCoreData(_ table: SQLName) -> TableKind? {
        switch table {
        case "Z_PRIMARYKEY": .primaryKeys
        case "Z_METADATA": .metadata
        case "Z_MODELCACHE": .model
        case "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING": .history
        default: table.hasPrefix("ANSCK") || table.hasPrefix("ZNSCK") ? .mirror : nil
        }
    }

    /// Without a model nobody can tell a relationship from another number, so integers stay: `rebuild` looks at them too.
    private static func objects(_ table: StoreSchema.Table, _ store: StoreDescription) -> TableKind {
        let declaredDates = Set(table.columns.filter { $0.declaredType == "TIMESTAMP" }.map(\.name))
        guard let model = store.model else {
            let integers = table.columns.filter { $0.declaredType == "INTEGER" }.map(\.name)
            return .entities(kept: Set(integers), dates: declaredDates)
        }
        let entities = model.entities.filter { entity in
            store.keys[entity.name].map { store.keys.table(of: $0) == table.name } ?? false
        }
        let attributes = entities.flatMap(\.attributes)
        let flags = attributes.filter { $0.type == .boolean }.map(\.column)
        let relationships = entities.flatMap(\.relationships).map(\.column)
        let dates = attributes.filter { $0.type == .date }.map(\.column)
        return .entities(kept: Set(flags + relationships), dates: declaredDates.union(dates))
    }
}

extension SQLName {
    /// `Z_PK`, `Z_FOK_…` and the numbers of entities beside relationships, such as `Z2_OWNER`.
    fileprivate var isBookkeeping: Bool {
        hasPrefix("Z_") || hasPrefix("Z") && text.dropFirst().first?.isNumber == true
    }
}
