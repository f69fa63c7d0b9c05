internal import CoreDataStore
package import JSON
internal import MeterJournal
package import MeterModel
internal import MeterStore
internal import Texts

/// The user's devices, as far as stores know of them. Whoever names devices reads this one list.
package struct KnownDevices: Sendable {
    package enum Reason: String, CaseIterable, Sendable { case lock, sighting, history, preferences }

    package struct Device: Sendable {
        /// As the app signs locks and discoveries; nil where only a name is known, or only that a store is of it.
        package let id: String?
        /// What it was called, the latest name first.
        package fileprivate(set) var names: [String] = []
        /// The last sign of it in a record or, of a store's own device, in the history. By that device's clock.
        package fileprivate(set) var lastSeen: Timestamp?
        /// The meters whose records have a lock of it, expired ones too: their addresses, in order.
        package fileprivate(set) var locks: [String] = []
        package fileprivate(set) var reasons: Set<Reason> = []
        package fileprivate(set) var copies: [Copy] = []
        /// Whether its names alternate in time: a renamed device changes its name once, and two devices that were set up from
        /// one backup have one id.
        package private(set) var isShared = false
        private var named: [String: Timestamp?] = [:]
        private var signs: [(time: Timestamp, name: String)] = []

        fileprivate init(id: String?) { self.id = id }

        package var label: String? { names.first ?? id }

        package var transactions: Int { copies.reduce(0) { $0 + $1.transactions } }

        fileprivate mutating func add(_ name: String?, at time: Timestamp?, _ reason: Reason, holding meter: String?) {
            reasons.insert(reason)
            see(at: time)
            if let meter, !locks.contains(meter) { locks.append(meter) }
            guard let name else { return }
            if let time { signs.append((time, name)) }
            named[name] = .some(Self.later(named[name] ?? nil, time))
        }

        fileprivate mutating func see(at time: Timestamp?) { lastSeen = Self.later(lastSeen, time) }

        fileprivate mutating func finish() {
            locks.sort()
            names = named.sorted {
                ($1.value ?? .distantPast, $0.key) < ($0.value ?? .distantPast, $1.key)
            }.map(\.key)
            isShared = Self.alternate(signs)
        }

        private static func alternate(_ signs: [(time: Timestamp, name: String)]) -> Bool {
            guard signs.contains(where: { $0.name != signs[0].name }) else { return false }
            var last: [String] = []
            for sign in signs.sorted(by: { ($0.time, $0.name) < ($1.time, $1.name) }) {
                // A Mac that finds its name in use in one network has another one there, and its own again at home.
                let name = MachineMadeName.withoutEnding(sign.name)
                if name == last.last { continue }
                if last.contains(name) { return true }
                last.append(name)
            }
            return false
        }

        private static func later(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
            guard let one else { return other }
            return other.map { max(one, $0) } ?? one
        }
    }

    /// What a store says of the device that it is of.
    package struct Copy: Hashable, Sendable {
        package let path: String
        /// Those that the app saved there, without the imports.
        package internal(set) var transactions = 0
        package internal(set) var lastTransaction: Timestamp?
        /// The processes and apps that saved them, each once.
        package internal(set) var programs: [String] = []
        package internal(set) var lastUpload: Timestamp?
        /// The last import that succeeded, or the last transaction that came from CloudKit.
        package internal(set) var lastImport: Timestamp?
    }

    private enum Key: Hashable { case id(String), name(String), store(String) }
    private var byKey: [Key: Device] = [:]
    package private(set) var alerts: [StoreAlert] = []
    package private(set) var stores: [String] = []
    package private(set) var accounts = KnownAccounts()

    package init() {}

    /// Records that are looked at where devices are only to be named. A customer has a few dozen.
    package static let mostRecords = 1_000

    /// Reads the locks and the times when meters were last seen. `Session.devicesInRecords` does it once.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(inRecordsOf session: Session, most: Int? = mostRecords) throws {
        try read(session, most: most)
    }

    mutating func read(_ session: Session, most: Int?) throws {
        let store = session.store
        stores.append(store.path)
        accounts.add(try session.account())
        for record in try store.records.prefix(most ?? .max) {
            for lock in record.locks {
                let meter = record.usableAddress?.text(in: store.letterCase) ?? "row \(record.row)"
                add(lock.deviceID, lock.deviceName, at: lock.connectedAt?.ifPlausible, .lock, holding: meter)
            }
            for discovery in record.discoveries {
                add(discovery.deviceID, discovery.deviceName, at: discovery.seenAt?.ifPlausible, .sighting)
            }
        }
        for place in byKey.values.indices { byKey.values[place].finish() }
    }

    private mutating func add(
        _ id: String?, _ name: String?, at time: Timestamp?, _ reason: Reason, holding meter: String? = nil
    ) {
        func filled(_ text: String?) -> String? { text.flatMap { FieldValue.text($0).isEmpty ? nil : $0 } }
        let name = filled(name)
        let id = filled(id)
        guard let key = id.map(Key.id) ?? name.map(Key.name) else { return }
        byKey[key, default: Device(id: id)].add(name, at: time, reason, holding: meter)
    }

    /// Adds what a store says of its own device.
    /// - Parameter id: nil where no record says which device that is.
    mutating func add(_ copy: Copy, ofDevice id: String?, alerts: [StoreAlert]) {
        self.alerts += alerts
        guard copy.transactions > 0 || id != nil else { return }
        let key = id.map(Key.id) ?? .store(copy.path)
        var device = byKey[key] ?? Device(id: id)
        device.copies.append(copy)
        device.reasons.insert(.history)
        device.see(at: copy.lastTransaction)
        byKey[key] = device
    }

    mutating func confirm(_ id: String) { byKey[.id(id)]?.reasons.insert(.preferences) }

    /// The last one that was seen comes first.
    package var devices: [Device] { Self.inOrder(byKey.values) }

    /// Those that two devices are, in the same order.
    package var sharedDevices: [Device] { Self.inOrder(byKey.values.filter(\.isShared)) }

    private static func inOrder(_ devices: some Sequence<Device>) -> [Device] {
        devices.sorted { one, other in
            let (first, second) = (one.lastSeen ?? .distantPast, other.lastSeen ?? .distantPast)
            guard first == second else { return first > second }
            return (one.id ?? "~", one.names.first ?? "", one.copies.first?.path ?? "")
                < (other.id ?? "~", other.names.first ?? "", other.copies.first?.path ?? "")
        }
    }

    /// What each device is called now, in byte order; nothing of one without a name.
    package var names: [String] {
        Set(byKey.values.compactMap { $0.names.first }).sorted(byBytesOf: { $0 })
    }

    /// The device that a store is of; nil where no record says so.
    package func owner(of path: String) -> Device? {
        byKey.values.first { $0.id != nil && $0.copies.contains { $0.path == path } }
    }

    /// The devices that a user may mean: by the id, or else by a name, or else by a name in another letter case. One that
    /// has an id comes before those of which only the name is known.
    package func matches(_ word: String) -> [Device] {
        let (wanted, folded) = (WhiteSpace.trimmed(word), WhiteSpace.trimmed(word).lowercased())
        let tests: [(Device) -> Bool] = [
            { $0.id == word }, { $0.id?.lowercased() == folded },
            { $0.id != nil && $0.names.contains { WhiteSpace.trimmed($0) == wanted } },
            { $0.id != nil && $0.names.contains { WhiteSpace.trimmed($0).lowercased() == folded } },
            { $0.names.contains { WhiteSpace.trimmed($0).lowercased() == folded } },
        ]
        let all = devices
        return tests.lazy.map { all.filter($0) }.first { !$0.isEmpty } ?? []
    }
}

extension Session {
    /// The devices that the records name, read when they are first asked for.
    func devicesInRecords() throws -> KnownDevices {
        try store.devicesInRecords.withLock { try $0.once { try KnownDevices(inRecordsOf: self) } }
    }
}

extension KnownDevices.Device {
    /// Whether a lock is its own: by the id, or by the name where neither has an id.
    package func holds(_ lock: ConnectionLock) -> Bool {
        if let id { return lock.deviceID == id }
        return (lock.deviceID ?? "").isEmpty && lock.deviceName.map(names.contains) ?? false
    }
}

extension KnownDevices: JSONWritable {
    /// The document of `devices` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "devices", store: stores.first))
            writer.member("stores", stores)
            if stores.count > 1 { writer.members(accounts.json) }
            writer.member("devices", devices.map(\.json))
        }
    }
}

extension KnownDevices.Device {
    fileprivate var json: JSONValue {
        [
            "id": id, "names": names, "shared": isShared, "lastSeen": lastSeen, "locks": locks,
            "transactions": transactions, "why": KnownDevices.Reason.allCases.filter(reasons.contains).map(\.rawValue),
            "copies": copies.map { copy -> JSONValue in
                [
                    "store": copy.path, "transactions": copy.transactions, "lastTransaction": copy.lastTransaction,
                    "programs": copy.programs, "lastUpload": copy.lastUpload, "lastImport": copy.lastImport,
                ]
            },
        ]
    }
}
