internal import MeterModel

/// The records of several stores, each known by what is the same on every device.
struct TimelineRecords {
    typealias Identity = TimelineStore.Identity

    let stores: [TimelineStore]
    private let identities: [[Int64: Identity]]
    /// Where each record is or was: one row of a store; of several the last one.
    private let rows: [Identity: [Int: [Int64]]]

    init(_ stores: [TimelineStore]) {
        self.stores = stores
        var names: [[UInt8]: Set<String>] = [:]
        // Meters whose records have neither a name nor an id, with as many as a store has at most.
        var bare: [MACAddress: Int] = [:]
        for store in stores {
            var own: [MACAddress: Int] = [:]
            for record in store.records.values {
                if let id = record.id, let name = record.cloudName { names[id, default: []].insert(name) }
                if let address = record.address { own[address, default: 0] += 1 }
            }
            bare.merge(own) { max($0, $1) }
        }
        func identity(_ record: TimelineStore.Record, _ row: Int64, in store: TimelineStore) -> Identity {
            if let name = record.cloudName { return .name(name) }
            if let id = record.id {
                let known = names[id] ?? []
                return known.count == 1 ? .name(known.first!) : .id(id)
            }
            if let address = record.address, bare[address] == 1 { return .address(address) }
            return .own(store: store.path, row: row)
        }
        identities = stores.map { store in
            var all: [Int64: Identity] = store.goneNames.mapValues { .name($0) }
            for (row, record) in store.records { all[row] = identity(record, row, in: store) }
            return all
        }
        var rows: [Identity: [Int: [Int64]]] = [:]
        for (place, known) in identities.enumerated() {
            for (row, identity) in known.sorted(by: { $0.key < $1.key }) {
                rows[identity, default: [:]][place, default: []].append(row)
            }
        }
        self.rows = rows
    }

    /// Nil where nothing tells which record it was.
    func identity(ofRow row: Int64, in store: Int) -> Identity? { identities[store][row] }

    /// A record's insert in a store, from wherever; the first one where it was there before.
    func birth(of record: Identity, in store: Int) -> TimelineStore.Event? {
        rows[record]?[store]?.compactMap { stores[store].births[$0] }.min { $0.transaction < $1.transaction }
    }

    /// Where a record was made; nil where no history says it, or more than one.
    func maker(of record: Identity) -> (store: Int, birth: TimelineStore.Event)? {
        let found = stores.indices.compactMap { store in
            (rows[record]?[store] ?? []).compactMap { stores[store].births[$0] }.first { !$0.author.isCloudKit }
                .map { (store: store, birth: $0) }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// When it first came from CloudKit to a store; nil where the history does not say it, or where it may have been there
    /// before under another row number.
    func arrival(of record: Identity, in place: Int) -> TimelineStore.Event? {
        guard let birth = birth(of: record, in: place), birth.author.isCloudKit,
            stores[place].firstUnknownBirth.map({ $0 > birth.transaction }) ?? true
        else { return nil }
        return birth
    }

    /// Whether a store had a record when it made another one; nil where its history does not say it.
    func had(_ record: Identity, in place: Int, at transaction: Int64) -> Bool? {
        let store = stores[place]
        let own = rows[record]?[place] ?? []
        for row in own {
            guard let birth = store.births[row], birth.transaction < transaction else { continue }
            guard let death = store.deaths[row], death < transaction else { return true }
        }
        // It may have been there under another row number.
        guard store.isWhole, store.firstUnknownBirth.map({ $0 > transaction }) ?? true else { return nil }
        return own.allSatisfy { store.births[$0] != nil } ? false : nil
    }

    /// Whether a record has ever come to a store; nil where its history does not say it.
    func hasEverHad(_ record: Identity, in place: Int) -> Bool? {
        if rows[record]?[place] != nil { return true }
        return stores[place].isWhole && stores[place].firstUnknownBirth == nil ? false : nil
    }

    /// The transaction in which another store made a record that an import brought; nil where nothing proves it.
    func source(ofInsert record: Identity, in place: Int) -> Timeline.Origin? {
        guard let maker = maker(of: record), maker.store != place else { return nil }
        return Timeline.Origin(source: maker.store, transaction: maker.birth.transaction)
    }

    /// The transaction in which another store saved the update that an import brought; nil where nothing proves it.
    /// - Parameter updatedAt: the record's after the import; nil where it is not known.
    func source(ofUpdate record: Identity, in place: Int, updatedAt: Timestamp?) -> Timeline.Origin? {
        // `updatedAt` is set by every save of the app: what has the same one to the last bit is the same version.
        guard let updatedAt else { return nil }
        let found = stores.indices.filter { $0 != place }.compactMap { store -> Timeline.Origin? in
            for row in rows[record]?[store] ?? [] {
                guard let last = stores[store].lastChanges[row], !last.author.isCloudKit,
                    stores[store].records[row]?.updatedAt == updatedAt
                else { continue }
                return Timeline.Origin(source: store, transaction: last.transaction)
            }
            return nil
        }
        return found.count == 1 ? found[0] : nil
    }

    /// The meters that have several records, over all stores, in the order of addresses.
    var duplicates: [(address: MACAddress, records: [Identity])] {
        var meters: [MACAddress: Set<Identity>] = [:]
        for (place, store) in stores.enumerated() {
            for (row, record) in store.records {
                guard let address = record.address, let identity = identities[place][row] else { continue }
                meters[address, default: []].insert(identity)
            }
        }
        return meters.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { address, records in
            (address, records.sorted { before($0, $1) })
        }
    }

    /// In the order of their makers' clocks; those whose maker is not known come last.
    private func before(_ one: Identity, _ other: Identity) -> Bool {
        func key(_ record: Identity) -> (Int, Double, String) {
            let maker = maker(of: record)
            return (maker == nil ? 1 : 0, maker?.birth.time?.secondsSince2001 ?? .infinity, "\(record)")
        }
        return key(one) < key(other)
    }

    func texts(of record: Identity) -> Set<String> {
        var texts: Set<String> = []
        for (place, rows) in rows[record] ?? [:] {
            for row in rows { if let text = stores[place].records[row]?.text { texts.insert(text) } }
        }
        return texts
    }

    /// Whether two stores are copies of one, so that their histories have the same beginning.
    func areCopies(_ one: Int, _ other: Int) -> Bool {
        stores[one].uuid != nil && stores[one].uuid == stores[other].uuid
    }
}
