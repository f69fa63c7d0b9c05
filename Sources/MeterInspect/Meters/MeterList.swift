package import CoreDataStore
package import JSON
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// `meters`: every meter of a store, and the records that belong to none.
package struct MeterList: Sendable {
    /// The store's path as the user gave it.
    package let store: String
    package let letterCase: LetterCase
    /// The state that is listed, where it is not the present one.
    let past: PastState?
    package let alerts: [StoreAlert]
    /// By address; records without a usable address last, by row number.
    package private(set) var meters: [MeterSummary]
    /// What they all contain; nil where nothing was looked for.
    package private(set) var sought: String?
    /// Names with that in them that no record has any more, the last one first; nil where the past was not asked.
    /// With the command that gives it back; nil where there is none.
    package private(set) var former: [(lost: FormerValue, command: StoreCommand?)]?

    /// Reads the meters of a store.
    /// - Throws: `StoreError`; `unsuitable` if the store has no records of meters.
    package static func of(
        _ path: String, in moment: PastMoment? = nil, now: Timestamp
    ) throws(StoreError) -> MeterList {
        try MeterSession.look(at: path, in: moment, now: now) { try MeterList(of: $0) }
    }

    private static func meters(in session: MeterSession) throws -> [MeterSummary] {
        let store = session.store
        let waiting = try session.waitingRecords()
        func summary(_ records: [DeviceSettings], of address: MACAddress?) -> MeterSummary {
            MeterSummary(
                of: records, at: address, in: store.letterCase,
                waiting: records.compactMap { waiting[$0.row] }.sorted { $0.object < $1.object }, now: store.now)
        }
        // Which of several records a rebuild would keep depends on their names in CloudKit.
        let groups = try session.withCloudRecords(store.addresses.metersWithSeveralRecords)
        let singles = store.addresses.meters.filter { $0.records.count == 1 }
        let meters =
            try (groups + singles).map { summary($0.records, of: $0.address) }
            + store.records.filter { $0.usableAddress == nil }.map { summary([$0], of: nil) }
        return meters.sorted { ($0.address?.bits ?? .max, $0.rows[0]) < ($1.address?.bits ?? .max, $1.rows[0]) }
    }

    package enum Order: String, CaseIterable, Sendable {
        case address, name
        /// The latest first; never seen last.
        case seen
        case updated
    }

    /// In this order, those without a usable address still last.
    package func sorted(by order: Order) -> MeterList {
        func isBefore(_ one: MeterSummary, _ other: MeterSummary) -> Bool? {
            switch order {
            case .address: return nil
            case .name: return Self.isBefore(one.name?.lowercased(), other.name?.lowercased(), <)
            case .seen: return Self.isBefore(one.seenAt, other.seenAt, >)
            case .updated: return Self.isBefore(one.updatedAt, other.updatedAt, >)
            }
        }
        var list = self
        let indexed = meters.enumerated().sorted { one, other in
            let (isOneLast, isOtherLast) = (one.element.address == nil, other.element.address == nil)
            guard isOneLast == isOtherLast else { return isOtherLast }
            return isBefore(one.element, other.element) ?? (one.offset < other.offset)
        }
        list.meters = indexed.map(\.element)
        return list
    }

    /// What is missing comes last; nil if it makes no difference.
    private static func isBefore<Value: Comparable>(
        _ one: Value?, _ other: Value?, _ isBefore: (Value, Value) -> Bool
    ) -> Bool? {
        guard one != other else { return nil }
        guard let one else { return false }
        guard let other else { return true }
        return isBefore(one, other)
    }

    /// The meters whose address, type, devices or a name of whose records contain the text, in whatever case, and those that
    /// had such a name.
    /// - Parameter lost: what the files and the backups say of the past; nil where they are not asked.
    package func finding(_ text: String, in lost: FormerValues? = nil) -> MeterList {
        var list = self
        list.sought = text
        let wanted = text.lowercased()
        list.former = lost.map { lost in
            lost.values.filter {
                $0.field.known == .meterName && $0.value.text?.lowercased().contains(wanted) == true
            }.map { ($0, lost.command(for: $0)) }
        }
        let had = Set((list.former ?? []).map(\.lost.address))
        list.meters = meters.filter { meter in
            if let address = meter.address, had.contains(address) { return true }
            let texts =
                [
                    meter.address?.text(in: .lower), meter.storedAddress.text, meter.name, meter.modelType,
                    meter.seenBy, meter.lock?.deviceName,
                ] + meter.recordNames
            return texts.contains { $0?.lowercased().contains(wanted) ?? false }
        }
        return list
    }
}

extension MeterList {
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(of session: MeterSession) throws {
        let store = session.store
        self.init(
            store: store.path, letterCase: store.letterCase, past: store.past, alerts: try session.base.alerts(),
            meters: try Self.meters(in: session))
    }
}

/// One meter in a line: what its record says, or what a rebuild would make of its several records.
package struct MeterSummary: Sendable {
    /// Nil for a record without a usable address.
    package let address: MACAddress?
    /// `macAddress` as it is stored, in the record that a rebuild keeps.
    package let storedAddress: FieldValue
    package let name: String?
    /// Of its records, each once, in the order of their rows.
    package let recordNames: [String]
    package let temperatureUnit: String?
    package let modelType: String?
    package let updatedAt: Timestamp?
    package let seenAt: Timestamp?
    /// The device that saw it then; its id if it has no name.
    package let seenBy: String?
    /// The one that was taken last.
    package let lock: ConnectionLock?
    /// Whether another device may take the meter.
    package let isLockExpired: Bool
    package let rows: [Int64]
    /// What of it waits for CloudKit, by row number.
    package let waiting: [SyncReport.Object]

    /// - Parameters:
    ///   - records: all of the meter, at least one; a single one if there is no address.
    ///   - address: nil where the record has no usable one.
    init(
        of records: [DeviceSettings], at address: MACAddress?, in letterCase: LetterCase, waiting: [SyncReport.Object],
        now: Timestamp
    ) {
        self.address = address
        self.waiting = waiting
        rows = records.map(\.row).sorted()
        let merge = address.map {
            Merge(of: records, at: $0, in: letterCase, policy: .mostComplete, now: now)
        }
        let kept = merge?.winner ?? records[0]
        func value(_ field: SettingsField) -> FieldValue {
            merge?.changes.first { $0.field.name == field.rawValue }?.after ?? kept[field]
        }
        storedAddress = kept[.macAddress]
        name = value(.meterName).shownText
        recordNames = records.sorted { $0.row < $1.row }.compactMap {
            $0[.meterName].shownText
        }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        temperatureUnit = value(.tc66TemperatureUnit).shownText
        modelType = value(.modelType).shownText
        updatedAt = records.compactMap(\.updatedAt).max()
        let sighting = records.flatMap(\.discoveries).filter { $0.seenAt != nil }.max { $0.seenAt! < $1.seenAt! }
        seenAt = sighting?.seenAt
        seenBy = sighting.flatMap { $0.deviceName ?? $0.deviceID }
        let locks = records.flatMap(\.locks)
        lock = locks.max { ($0.connectedAt ?? .distantPast) < ($1.connectedAt ?? .distantPast) }
        isLockExpired = lock?.isExpired(at: now) ?? false
    }
}

extension MeterList: JSONWritable {
    /// The document of `meters` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "meters", store: store))
            if let past { writer.member("at", past.json) }
            writer.member("meters", each: meters) { $0.json(in: letterCase).write(to: &$1) }
            guard let former else { return }
            writer.member(
                "former",
                former.map { lost, command -> JSONValue in
                    [
                        "mac": lost.address.text(in: letterCase), "name": lost.value.shownText,
                        "command": command?.description,
                    ]
                })
        }
    }
}

extension MeterSummary {
    /// `held`, `expired` or `torn`; nil without a lock.
    package var lockState: String? {
        lock.map { $0.isTorn ? "torn" : isLockExpired ? "expired" : "held" }
    }

    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        [
            "mac": address?.text(in: letterCase),
            "address": storedAddress.isNull ? nil : storedAddress.display(as: .text), "name": name,
            "unit": temperatureUnit, "modelType": modelType, "updatedAt": updatedAt, "lastSeenAt": seenAt,
            "lastSeenBy": seenBy,
            "lock": lock.map { lock -> JSONValue in
                ["by": lock.holder, "since": lock.connectedAt, "until": lock.expiresAt, "state": lockState]
            },
            "rows": rows, "waiting": !waiting.isEmpty,
            "waitingRows": waiting.map { object -> JSONValue in
                ["row": object.object.row, "kind": "\(object.waiting.kind)", "fields": object.fields]
            },
        ]
    }
}
