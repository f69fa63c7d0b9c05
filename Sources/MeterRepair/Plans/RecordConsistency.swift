internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Whether the changes of single records are such as a planner makes of the records that are there. A record may stay as
/// odd as it is; no plan makes it odd.
struct RecordConsistency {
    /// When the plan was made.
    let made: Timestamp
    /// Whether it is first aid while devices are in use.
    let isFirstAid: Bool
    let store: InspectedStore
    /// The store's records that the plan is about, that it takes values of, and that are of a meter in conflict; by row
    /// number.
    let records: [Int64: DeviceSettings]

    /// The rows whose records must be known.
    static func rows(
        of plan: Plan, made: Timestamp, isFirstAid: Bool, in store: InspectedStore
    ) -> Set<Int64> {
        var rows: Set<Int64> = []
        for case .update(let update) in plan.changes {
            rows.insert(update.row)
            rows.formUnion(update.fields.compactMap(\.donor))
            if isFirstAid || update.fields.contains(where: { $0.rule == .now && $0.after.timestamp != made }) {
                rows.formUnion(update.address.map(store.addresses.rows) ?? [])
            }
        }
        for conflict in plan.conflicts { rows.formUnion(store.addresses.rows(of: conflict.address)) }
        return rows
    }

    // MARK: - An updated record

    /// What is wrong with an update; nil where nothing is.
    func flaw(_ update: RecordUpdate) -> String? {
        guard let record = records[update.row] else { return "row \(update.row) is not there" }
        for change in update.fields {
            guard let donor = change.donor else { continue }
            guard let giver = records[donor] else { return "row \(donor), whose value is taken, is not there" }
            guard giver.usableAddress == update.address else {
                return "row \(donor), whose value is taken, is not a record of this meter"
            }
        }
        return flaw(update, .latestLock, SettingsField.lock, record)
            ?? flaw(update, .latestDiscovery, SettingsField.discovery, record) ?? flawOfUnlocking(update, record)
            ?? flawOfIdentity(update) ?? flawOfAddress(update) ?? update.fields.lazy.compactMap(flaw).first
            ?? (isFirstAid ? flawOfFirstAid(update) : flawOfClock(update, record))
    }

    /// First aid fills what is empty in the record that the app finds first, and leaves its `updatedAt`.
    private func flawOfFirstAid(_ update: RecordUpdate) -> String? {
        guard let address = update.address else { return nil }
        let aid = FirstAid(
            for: store.addresses.rows(of: address).compactMap { records[$0] }, at: address, in: store.letterCase)
        guard aid.found?.row == update.row else {
            return "row \(update.row) is not the record of this meter that the app finds first"
        }
        let other = update.fields.first { change in !aid.changes.contains { $0.field == change.field } }
        return other.map {
            "first aid fills a name or a unit that the record lacks and another one has, and `\($0.field.name)` of row "
                + "\(update.row) is none"
        }
    }

    /// A unit comes whole from one record.
    private func flaw(
        _ update: RecordUpdate, _ rule: SurvivorshipRule, _ unit: [SettingsField], _ record: DeviceSettings
    ) -> String? {
        let changes = update.fields.filter { $0.rule == rule }
        guard let first = changes.first, let donor = first.donor, let giver = records[donor] else { return nil }
        for field in unit where record.layout.has(field) {
            let change = changes.first { $0.field.known == field }
            guard change == nil || change?.donor == donor, change?.after ?? record[field] == giver[field] else {
                return "`\(rule.rawValue)` takes all of \(Phrase.list(unit.map(\.rawValue))) from one record, and "
                    + "`\(field.rawValue)` is not the one of row \(donor)"
            }
        }
        return nil
    }

    /// A lock is cleared as a whole.
    private func flawOfUnlocking(_ update: RecordUpdate, _ record: DeviceSettings) -> String? {
        guard update.fields.contains(where: { $0.rule == .unlocked }) else { return nil }
        let left = SettingsField.lock.first { field in
            !record[field].isNull && !update.fields.contains { $0.field.known == field }
        }
        return left.map { "a lock is cleared as a whole, and `\($0.rawValue)` of row \(update.row) would stay" }
    }

    /// A new identity follows from the record.
    private func flawOfIdentity(_ update: RecordUpdate) -> String? {
        guard let change = update.fields.first(where: { $0.rule == .newIdentity }), let record = records[update.row]
        else { return nil }
        let isOne = (1...NewIdentity.most).contains { NewIdentity.value(for: record, attempt: $0) == change.after }
        return isOne ? nil : "`\(change.field.name)` is not one that follows from the record"
    }

    /// What `set` gives a record is the address of no other one.
    private func flawOfAddress(_ update: RecordUpdate) -> String? {
        guard let change = update.fields.first(where: { $0.rule == .byHand && $0.field.known == .macAddress }),
            let address = change.after.text.flatMap(MACAddress.parse)?.0
        else { return nil }
        return store.addresses.rows(of: address).isEmpty ? nil : "the store has a record of this meter"
    }

    private func flaw(_ change: FieldChange) -> String? {
        let given = change.donor.flatMap { records[$0] }.map { giver in
            change.field.known.map { giver[$0] } == change.after
        }
        if change.rule == .earliest, given == false {
            return "`\(change.field.name)` is not the one of row \(change.donor ?? 0)"
        }
        return given == true ? nil : flawOfUnit(change)
    }

    /// One that somebody stored may be moved; none is made.
    private func flawOfUnit(_ change: FieldChange) -> String? {
        guard change.field.known == .tc66TemperatureUnit, UnitUnknown.isUnknown(change.after) else { return nil }
        return "`\(change.field.name)` would be \(UnitUnknown.description.title)"
    }

    /// `updatedAt` is bumped by every write, to the moment of the plan. A clock that is ahead is kept up with.
    private func flawOfClock(_ update: RecordUpdate, _ record: DeviceSettings) -> String? {
        guard record.layout.has(.updatedAt) else { return nil }
        guard let change = update.fields.first(where: { $0.field.known == .updatedAt }) else {
            let isAhead = record.updatedAt.map { $0 >= made } ?? false
            return isAhead ? nil : "every change of a record moves its `updatedAt`, and row \(update.row)'s would stay"
        }
        let latest = (update.address.map(store.addresses.rows) ?? [update.row]).compactMap { records[$0]?.updatedAt }
            .max()
        guard let moment = change.after.timestamp, moment == made || (moment > made && moment == latest) else {
            return "`updatedAt` is neither the moment at which the plan was made nor a later one of this meter's "
                + "records"
        }
        return nil
    }

    // MARK: - A new record

    /// What is wrong with a new record of an import; nil where nothing is.
    func flaw(_ insertion: RecordInsertion, in layout: RecordLayout) -> String? {
        let changes = insertion.fields
        var identities = NewIdentities(inStore: store.description.metadata.uuid ?? "", at: made)
        let identity = insertion.address.map { FieldValue.blob(identities.identity(of: $0)) }
        for (field, expected) in [
            (SettingsField.id, identity ?? .null),
            (.createdAt, .real(made.secondsSince2001)), (.updatedAt, .real(made.secondsSince2001)),
        ] where layout.has(field) {
            let change = changes.first { $0.field.known == field }
            guard let change else { return "a new record without `\(field.rawValue)`" }
            guard change.after == expected else { return "`\(field.rawValue)` is not what a new record begins with" }
        }
        return changes.lazy.compactMap(flawOfUnit).first
    }

    // MARK: - A conflict

    /// What is wrong with a conflict of a meter whose records are not merged; nil where nothing is.
    /// - Parameter updates: of the meter's records.
    func flaw(_ conflict: Conflict, _ updates: [RecordUpdate]) -> (key: String, message: String)? {
        let changes = updates.flatMap(\.fields).filter { $0.field == conflict.field }
        let rows = store.addresses.rows(of: conflict.address)
        func has(_ value: FieldValue, _ row: Int64?) -> Bool {
            rows.contains { number in
                guard let record = records[number], row == nil || row == number else { return false }
                return record.layout.position(of: conflict.field).map { record.values[$0] } == value
            }
        }
        guard changes.contains(where: { $0.after == conflict.kept }) || has(conflict.kept, conflict.keptFrom) else {
            return ("kept", "no record of this meter has this value after the plan")
        }
        guard conflict.dropped.allSatisfy({ $0.row == nil || has($0.value, $0.row) }) else {
            return ("dropped", "the row has another value")
        }
        return nil
    }
}
