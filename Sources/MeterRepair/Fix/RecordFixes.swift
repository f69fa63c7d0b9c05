internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// What cures do to single records: one update of each, and what is left as it is.
struct RecordFixes {
    /// In the order of row numbers.
    private(set) var updates: [(address: MACAddress?, update: RecordUpdate)] = []
    /// What a person must know.
    private(set) var notes: [Sentence] = []

    private let faulty: RecordsToFix
    private let cures: [FixableCheck]
    private let force: Bool
    private let store: InspectedStore
    private let editor: RecordEditor
    /// By row number, without `updatedAt`.
    private var changes: [Int64: [FieldChange]] = [:]

    /// - Parameter force: whether the lock of a device that is connected now is cleared too.
    init(
        of faulty: RecordsToFix, by cures: [FixableCheck], force: Bool, in store: InspectedStore,
        _ editor: RecordEditor
    ) {
        self.faulty = faulty
        self.cures = cures
        self.force = force
        self.store = store
        self.editor = editor
        unlock()
        // A new id comes before the right type of the old one.
        giveIdentities()
        giveTypes()
        understandUnits()
        clearUnreadable()
        leaveToRebuild()
        leaveStrangeUpdates()
        for (row, changes) in changes.sorted(by: { $0.key < $1.key }) {
            guard let record = faulty.records[row] else { continue }
            updates.append((record.usableAddress, RecordUpdate(of: record, editor.stamped(changes, of: record))))
        }
    }

    private func records(of cures: FixableCheck...) -> [DeviceSettings] {
        Set(cures.flatMap { faulty.rows[$0] ?? [] }).sorted().compactMap { faulty.records[$0] }
    }

    private mutating func unlock() {
        for record in records(of: .lockTorn, .lockExpired) {
            if let obstacle = obstacleToUnlocking(record) {
                notes.append("row \(record.row): the lock is kept, \(obstacle)")
                continue
            }
            notes += record.locks.filter { !$0.isExpired(at: store.now) }.map { $0.warning(row: record.row) }
            changes[record.row, default: []] += editor.unlocking(record)
        }
    }

    /// A lock is cleared as a whole: why it is not, for a person; nil where it is.
    private func obstacleToUnlocking(_ record: DeviceSettings) -> String? {
        if case .malformed = record.lockBlob, !cures.contains(.metadataBlobMalformed) {
            return
                "because connectionMetadata would be cleared with it, and nobody can read that: fix "
                + "\(FixableCheck.metadataBlobMalformed.rawValue) too"
        }
        // What is torn goes as a whole, as by `unlock`.
        let clearsAll = cures.contains(.lockTorn) && record.locks.contains(where: \.isTorn)
        for lock in record.locks where !lock.isExpired(at: store.now) {
            guard clearsAll else {
                return lock.isTorn
                    ? "because a part of it is torn: fix \(FixableCheck.lockTorn.rawValue) too"
                    : "because the record has another one, which has not expired"
            }
            if lock.isLive(at: store.now) && !force {
                return
                    "because \(lock.shownHolder) renewed it less than two minutes ago; "
                    + "disconnect there or wait; --force clears it"
            }
        }
        return nil
    }

    private mutating func giveTypes() {
        for record in records(of: .valueType) {
            for strange in record.strangeValues {
                guard let meant = strange.meant else {
                    if strange.field != .updatedAt { leave(strange, of: record) }
                    continue
                }
                // Every change of a record writes updatedAt.
                guard strange.field != .updatedAt else {
                    changes[record.row, default: []] += []
                    continue
                }
                add(strange.field, of: record, to: meant, by: .understood)
            }
        }
    }

    private mutating func leave(_ strange: StrangeValue, of record: DeviceSettings) {
        notes.append(
            "row \(record.row): \(strange.field.rawValue) is left, \(strange.value.shown): a person has to decide what it was, or "
                + "a copy from before has it")
    }

    /// Where nothing else of the record is changed, and with it updatedAt.
    private mutating func leaveStrangeUpdates() {
        for record in records(of: .valueType) where changes[record.row] == nil {
            for strange in record.strangeValues where strange.field == .updatedAt { leave(strange, of: record) }
        }
    }

    private mutating func understandUnits() {
        for record in records(of: .unitUnknown) {
            let value = record[.tc66TemperatureUnit]
            guard let unit = value.text.flatMap(TemperatureUnit.init(understanding:)) else {
                let meter = record.usableAddress?.text(in: store.letterCase) ?? "--row \(record.row)"
                let command = store.command("set \(meter) --unit celsius")
                notes.append(
                    "row \(record.row): the unit \(value.shown) is not understood; ask the user for it, celsius or "
                        + "fahrenheit, then: \(command.description)")
                continue
            }
            add(.tc66TemperatureUnit, of: record, to: .text(unit.rawValue), by: .understood)
        }
    }

    private mutating func clearUnreadable() {
        for record in records(of: .metadataBlobMalformed) {
            if case .malformed = record.lockBlob { add(.connectionMetadata, of: record, to: .null, by: .unreadable) }
            if case .malformed = record.discoveryBlob {
                add(.discoveryMetadata, of: record, to: .null, by: .unreadable)
            }
        }
    }

    private mutating func giveIdentities() {
        for (row, id) in faulty.identities {
            if let record = faulty.records[row] { add(.id, of: record, to: id, by: .newIdentity) }
        }
    }

    /// Unless the field is cleared already, with the lock.
    private mutating func add(
        _ field: SettingsField, of record: DeviceSettings, to value: FieldValue, by rule: SurvivorshipRule
    ) {
        guard changes[record.row]?.contains(where: { $0.field.known == field }) != true,
            let change = editor.change(field, of: record, to: value, by: rule)
        else { return }
        changes[record.row, default: []].append(change)
    }

    /// A meter's records are merged by `updatedAt`, and every change moves that. Where a meter has several, and a rebuild
    /// would keep another record or another value of the user's after the cure, it is left for a rebuild.
    private mutating func leaveToRebuild() {
        let meters = Set(changes.keys.compactMap { faulty.records[$0]?.usableAddress })
        for address in meters.sorted() {
            let rows = store.addresses.rows(of: address)
            let records = rows.compactMap { faulty.records[$0] }
            guard records.count > 1 else { continue }
            let after = records.map { record in
                changes[record.row].map { record.with(editor.stamped($0, of: record)) } ?? record
            }
            let (old, new) = (
                Merge(rebuilding: records, of: address, in: store), Merge(rebuilding: after, of: address, in: store)
            )
            guard old.winner.row != new.winner.row || old.keptByUser != new.keptByUser else { continue }
            for row in rows { changes[row] = nil }
            notes.append(
                "\(address.text(in: store.letterCase)) has \(records.count) records and is not changed: the latest write "
                    + "wins, and a rebuild would now keep another record; rebuild first: \(store.command("rebuild").description)"
            )
        }
    }
}

extension Merge {
    /// What the user typed, as the rebuild leaves it; a unit by what it means.
    fileprivate var keptByUser: [SettingsField: FieldValue] {
        var values = userData
        if let unit = values[.tc66TemperatureUnit]?.text.flatMap(TemperatureUnit.init(understanding:)) {
            values[.tc66TemperatureUnit] = .text(unit.rawValue)
        }
        return values
    }
}
