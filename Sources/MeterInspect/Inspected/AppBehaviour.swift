internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What the app did with single records on this device, as far as the history tells. Every update has to be seen for it, in
/// one pass that serves three checks.
struct AppBehaviour: Sendable {
    /// Sightings of one meter that were all saved.
    struct Flood: Sendable {
        let row: Int64
        fileprivate(set) var count: Int
        /// Seconds since 2001.
        let first: Double
        /// Seconds since 2001.
        fileprivate(set) var last: Double
    }

    /// A field of a record that never changes and was changed.
    struct IdentityChange: Sendable {
        let row: Int64
        let field: SettingsField
        /// Seconds since 2001; nil where the history does not say.
        let time: Double?
    }

    /// In the order in which they began.
    private(set) var floods: [Flood] = []
    /// In the order of the history.
    private(set) var identityChanges: [IdentityChange] = []
    /// When the user's values of a record were changed last without its `updatedAt`, in seconds since 2001, by row.
    private(set) var unstamped: [Int64: Double] = [:]

    /// The last sightings of a meter that were saved, with no disconnect between them.
    private struct Sightings {
        /// Seconds since 2001.
        var last: Double
        /// The one before it.
        var before: Double?
        /// The place of the flood that they belong to.
        var flood: Int?
    }
    private var sightings: [Int64: Sightings] = [:]

    /// As many sightings as this flood's first three within `span` are a flood; the app saves one in this time.
    private static let many = 3
    private static let span: Double = 120
}

extension Session {
    /// Empty where the store has no records of meters.
    func behaviourOfApp() throws -> AppBehaviour {
        guard let meterSession else { return AppBehaviour() }
        return try store.appBehaviour.withLock { try $0.once { try AppBehaviour(in: meterSession) } }
    }
}

extension AppBehaviour {
    fileprivate init(in session: MeterSession) throws {
        guard let history = session.history else { return }
        var names = ChangedFields(session.store)
        // Most updates are like one of the last two: a lock that is renewed, a sighting.
        var known: [(entity: Int64, columns: [UInt8], fields: TouchedFields)] = []
        func fields(of change: PersistentHistory.ReadChange) -> TouchedFields {
            let entity = change.entityNumber
            return change.withColumns { columns in
                if let place = known.firstIndex(where: {
                    $0.entity == entity && $0.columns.elementsEqual(columns)
                }) {
                    return known[place].fields
                }
                let columns = Array(columns)
                let fields = TouchedFields(names.names(in: columns, ofEntity: entity) ?? [])
                if known.count == Self.mostKnown { known.removeFirst() }
                known.append((entity, columns, fields))
                return fields
            }
        }
        var (lastNames, isOfTheApp): (PersistentHistory.ReadChange.Names?, Bool) = (nil, false)
        var identities = IdentitySearch(records: session.settings.likelyCount(inBytes: session.store.files.size))
        try history.forEachChange([.update, .delete], ofEntities: session.settings.numbers, session.database) {
            change in
            let row = change.object
            guard change.kind == .update else {
                sightings[row] = nil
                unstamped[row] = nil
                return
            }
            let touched = fields(of: change)
            guard !touched.isEmpty else { return }
            let names = change.names
            if names == nil || names != lastNames {
                isOfTheApp = try change.save().isOfTheApp
                lastNames = names
            }
            if touched.contains(.updatedAt) {
                unstamped[row] = nil
            } else if isOfTheApp, touched.contains(.userData), let time = change.time {
                unstamped[row] = time
            }
            guard isOfTheApp else { return }
            if touched.contains(.holder) {
                sightings[row] = nil
            } else if touched.contains(.discovery), let time = change.time {
                see(row, at: time)
            }
            identities.add(touched, of: change)
        }
        identityChanges = identities.all()
    }

    /// The app has a few kinds of saves.
    private static let mostKnown = 8

    private mutating func see(_ row: Int64, at time: Double) {
        guard var known = sightings[row] else {
            sightings[row] = Sightings(last: time)
            return
        }
        if let first = known.before {
            if !(0...Self.span).contains(time - first) {
                known.flood = nil
            } else if let flood = known.flood {
                floods[flood].count += 1
                floods[flood].last = time
            } else {
                known.flood = floods.count
                floods.append(Flood(row: row, count: Self.many, first: first, last: time))
            }
        }
        (known.before, known.last) = (known.last, time)
        sightings[row] = known
    }
}

/// Looks for changes of what never changes, transaction by transaction.
private struct IdentitySearch {
    /// How many the store has.
    let records: Int
    private var found: [AppBehaviour.IdentityChange] = []
    private var transaction: Int64?
    /// What the transaction changed.
    private var changes: [AppBehaviour.IdentityChange] = []

    init(records: Int) { self.records = records }

    mutating func add(_ touched: TouchedFields, of change: PersistentHistory.ReadChange) {
        guard !touched.isDisjoint(with: [.id, .createdAt]) else { return }
        if change.transaction != transaction {
            finish()
            transaction = change.transaction
        }
        for (part, field) in [(TouchedFields.id, SettingsField.id), (.createdAt, .createdAt)]
        where touched.contains(part) {
            changes.append(AppBehaviour.IdentityChange(row: change.object, field: field, time: change.time))
        }
    }

    private mutating func finish() {
        for field in [SettingsField.id, .createdAt] {
            let ofField = changes.filter { $0.field == field }
            // A version of the app that fills in what was missing does it with most records at once.
            if ofField.count == 1 || ofField.count * 2 <= records { found += ofField }
        }
        changes = []
    }

    mutating func all() -> [AppBehaviour.IdentityChange] {
        finish()
        return found
    }
}

/// What an update of a record changed, as far as the checks of the history ask.
struct TouchedFields: OptionSet, Sendable {
    let rawValue: UInt8

    /// When the meter was last seen.
    static let discovery = TouchedFields(rawValue: 1)
    /// Who has the lock.
    static let holder = TouchedFields(rawValue: 2)
    static let id = TouchedFields(rawValue: 4)
    static let createdAt = TouchedFields(rawValue: 8)
    static let updatedAt = TouchedFields(rawValue: 16)
    static let userData = TouchedFields(rawValue: 32)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    fileprivate init(_ names: [String]) {
        self = []
        for field in names.lazy.compactMap(SettingsField.init(rawValue:)) {
            switch field {
            case .lastSeenAt, .discoveryMetadata: insert(.discovery)
            case .connectedByDeviceID, .connectedByDeviceName, .connectionMetadata: insert(.holder)
            case .id: insert(.id)
            case .createdAt: insert(.createdAt)
            case .updatedAt: insert(.updatedAt)
            case .meterName, .tc66TemperatureUnit, .modelType: insert(.userData)
            case .macAddress, .connectedAt, .connectedExpiryAt, .lastSeenByDeviceID, .lastSeenByDeviceName,
                .cloudKitRecordID:
                break
            }
        }
    }
}
