internal import MeterModel
internal import MeterStore

extension Replica {
    /// The result of a repair.
    struct Repair {
        var updated = 0
        var deleted = 0
        var inserted = 0
        /// Values that the rebuild's report lists as given up.
        var givenUp: [(meter: Int, field: SettingsField, value: FieldValue)] = []
    }

    /// The canonical rebuild v3, merged by `meterfix rebuild`'s own code; one transaction.
    /// - Parameter onlyQuiet: whether meters are left out unless the store shows that they are quiet.
    func rebuild(
        winner: WinnerPolicy, now: Timestamp, onlyQuiet: Bool = false, _ journal: inout Journal
    ) -> Repair {
        let (index, numbers) = addressIndex()
        let merges = index.metersNeedingRebuild(of: index.letterCase).compactMap { meter -> Merge? in
            let records = meter.records
            if onlyQuiet, !isQuiet(records, at: meter.address, index.letterCase, now) { return nil }
            return Merge(of: records, at: meter.address, in: index.letterCase, policy: winner, now: now)
        }
        beginTransaction()
        var repair = Repair()
        for merge in merges {
            let survivor = numbers[merge.winner.row]!
            if !merge.changes.isEmpty {
                update(survivor, at: merge.changes.map { (layout.position(of: $0.field)!, $0.after) }, isRepair: true)
                journal.note(register.meter(of: survivor), "rebuilds: keeps record \(shortName(survivor))")
                repair.updated += 1
            }
            for loser in merge.losers {
                let number = numbers[loser.row]!
                delete(number, isRepair: true)
                journal.note(
                    register.meter(of: number),
                    "rebuilds: deletes record \(shortName(number)), merged into \(shortName(survivor))")
                repair.deleted += 1
            }
            for conflict in merge.conflicts {
                guard let field = conflict.field.known, let meter = register.meter(of: survivor) else { continue }
                repair.givenUp += conflict.dropped.map { (meter, field, $0.value) }
            }
        }
        return repair
    }

    /// Whether the store shows all that a store can show for the deletion of duplicates: nothing waits to be uploaded,
    /// first aid has nothing to do, and no record of the meter has changed for a day.
    private func isQuiet(
        _ records: [DeviceSettings], at address: MACAddress, _ letterCase: LetterCase, _ now: Timestamp
    ) -> Bool {
        pending.isEmpty && FirstAid(for: records, at: address, in: letterCase).showsEverything
            && isUnchangedForADay(records, now)
    }

    /// The deprecated rebuild v2: every record is deleted and created again with the merged values.
    /// - Parameters:
    ///   - naming: with names from the address, a record that has the right one already is updated in place.
    ///   - names: random ones for the records that are created; at least as many as there are now.
    func deleteAndRecreate(
        winner: WinnerPolicy, now: Timestamp, _ naming: RecordNaming, names: [String], _ journal: inout Journal
    ) -> Repair {
        let (index, numbers) = addressIndex()
        beginTransaction()
        var repair = Repair()
        var created: [(values: [FieldValue], meter: Int?, address: MACAddress?)] = []
        var kept: Set<RecordNumber> = []
        for meter in recordsOfMeter.indices where !recordsOfMeter[meter].isEmpty {
            let group = recordsOfMeter[meter].map(settings)
            guard let address = group[0].usableAddress else { continue }
            let merge = Merge(of: group, at: address, in: index.letterCase, policy: winner, now: now)
            var values = Array(merge.winner.values)
            for change in merge.changes { values[layout.position(of: change.field)!] = change.after }
            created.append((values, meter, address))
            if naming == .fromAddress, let number = register[RecordNaming.name(of: address)] { kept.insert(number) }
            for conflict in merge.conflicts {
                guard let field = conflict.field.known else { continue }
                repair.givenUp += conflict.dropped.map { (meter, field, $0.value) }
            }
        }
        for number in numbers.values.sorted(by: { $0.index < $1.index }) where !kept.contains(number) {
            if register.meter(of: number) == nil { created.append((self[number]!.values, nil, nil)) }
            delete(number, isRepair: true)
            repair.deleted += 1
            journal.note(register.meter(of: number), "rebuilds: deletes record \(shortName(number))")
        }
        for ((values, meter, address), random) in zip(created, names) {
            let name = naming == .fromAddress ? address.map(RecordNaming.name) ?? random : random
            let number = register.record(named: name, meter: meter)
            if let own = self[number] {
                let changed = values.indices.filter { values[$0] != own.values[$0] }
                if !changed.isEmpty { update(number, at: changed.map { ($0, values[$0]) }, isRepair: true) }
                continue
            }
            insert(values, as: number, naming, isRepair: true)
            repair.inserted += 1
            journal.note(meter, "rebuilds: creates record \(shortName(number))")
        }
        return repair
    }

    /// Which records are of one meter, and the record of each row.
    func addressIndex() -> (AddressIndex, [Int64: RecordNumber]) {
        var records: [DeviceSettings] = []
        var numbers: [Int64: RecordNumber] = [:]
        for number in self.numbers where self[number] != nil {
            let record = settings(number)
            records.append(record)
            numbers[record.row] = number
        }
        return (AddressIndex(of: records.sorted { $0.row < $1.row }), numbers)
    }

    /// The record as planners see it. It has a name in CloudKit once an upload of it was confirmed.
    func settings(_ number: RecordNumber) -> DeviceSettings {
        let record = self[number]!
        return DeviceSettings(
            row: record.row, layout: layout, readingBlobsOf: record.values,
            cloudRecord: record.tag == Record.new
                ? nil : DeviceSettings.CloudRecord(name: register.name(of: number)))
    }
}

/// How a device repairs its records.
package enum RepairStrategy: Sendable {
    /// The canonical rebuild: one record of each meter is kept and updated in place, and only the others are deleted.
    case v3
    /// The deprecated one: everything is deleted and created again.
    case v2
    /// First aid: what is empty in the record that the app finds first is filled, and nothing else changes.
    case firstAid
    /// The canonical rebuild of those meters alone that the store shows to be quiet. meterfix does not have it, because
    /// the tables show that it harms devices in use.
    case quietRebuild
    /// A name for each meter that has one record.
    case set
    /// The same, typed in the app itself.
    case type
    /// The locks of meters that are not in use.
    case unlock
    /// Expired locks, and units that the app does not know.
    case fix
    /// An old name and an old unit where there is none.
    case importLegacy
    /// Records that belong to no meter.
    case delete
    /// Records of meters in which nothing is typed.
    case forcedDelete
}
