internal import MeterModel

/// What meterfix changes besides a repair of duplicates, each as its command does it; one transaction.
extension Replica {
    /// `set`: the name of each meter that has one record, which the command requires.
    /// - Returns: the meters that were named.
    func set(_ name: String, now: Timestamp) -> [Int] {
        beginTransaction()
        let meters = recordsOfMeter.indices.filter { recordsOfMeter[$0].count == 1 }
        for meter in meters { write([.meterName: .text(name)], to: recordsOfMeter[meter][0], now) }
        return meters
    }

    /// `unlock`: the lock of each meter, unless its device is connected now.
    func unlock(now: Timestamp) -> Repair {
        beginTransaction()
        var repair = Repair()
        for numbers in recordsOfMeter {
            let locked = numbers.filter { settings($0).hasLock }
            guard !locked.contains(where: { settings($0).locks.contains { $0.isLive(at: now) } }) else { continue }
            for number in locked { clearLock(of: number, now) }
            repair.updated += locked.count
        }
        return repair
    }

    /// `fix`: locks that have expired, and units that are understood.
    func fix(now: Timestamp) -> Repair {
        beginTransaction()
        var repair = Repair()
        for number in numbers {
            let record = settings(number)
            if record.hasLock, record.locks.allSatisfy({ $0.isExpired(at: now) }) {
                clearLock(of: number, now)
                repair.updated += 1
            }
            if let unit = record[.tc66TemperatureUnit].text, TemperatureUnit(rawValue: unit) == nil,
                let understood = TemperatureUnit(understanding: unit)
            {
                write([.tc66TemperatureUnit: .text(understood.rawValue)], to: number, now)
                repair.updated += 1
            }
        }
        return repair
    }

    /// `import-kv` of a dump that has a name and a unit for each meter that the device knows: the record that a rebuild
    /// would keep gets them where all are empty, and what the rebuild would give it.
    func importLegacy(_ values: [SettingsField: FieldValue], now: Timestamp) -> Repair {
        let (index, _) = addressIndex()
        beginTransaction()
        var repair = Repair()
        for numbers in recordsOfMeter where !numbers.isEmpty {
            let records = numbers.map(settings)
            guard let address = records[0].usableAddress else { continue }
            let merge = Merge(of: records, at: address, in: index.letterCase, policy: .mostComplete, now: now)
            var merged: [SettingsField: FieldValue] = [:]
            for change in merge.changes where change.rule == .newestNonEmpty {
                if let field = change.field.known { merged[field] = change.after }
            }
            let filled = values.filter { (merged[$0.key] ?? merge.winner[$0.key]).isEmpty }
            guard !filled.isEmpty, let place = records.firstIndex(where: { $0.row == merge.winner.row }) else {
                continue
            }
            // The answer shows what takes the place of what, as a rebuild's conflict does.
            if let meter = register.meter(of: numbers[place]) {
                repair.givenUp += merged.keys.filter { !merge.winner.isEmpty($0) && merge.winner[$0] != merged[$0] }
                    .map { (meter, $0, merge.winner[$0]) }
            }
            write(
                merged.merging(filled) { $1 }, to: numbers[place],
                max(now, records.compactMap(\.updatedAt).max() ?? now))
            repair.updated += 1
        }
        return repair
    }

    /// `delete` of each record that belongs to no meter; with `--force`, of each record of a meter in which nothing is
    /// typed.
    func deleteUnneeded(force: Bool) -> Repair {
        beginTransaction()
        var repair = Repair()
        for number in numbers {
            let isOfMeter = register.meter(of: number) != nil
            guard isOfMeter == force, !force || settings(number).completeness == 0 else { continue }
            delete(number, isRepair: true)
            repair.deleted += 1
        }
        return repair
    }

    private func clearLock(of number: RecordNumber, _ now: Timestamp) {
        let fields = SettingsField.lock.filter { !settings(number)[$0].isNull }
        write(Dictionary(uniqueKeysWithValues: fields.map { ($0, .null) }), to: number, now)
    }

    private func write(_ values: [SettingsField: FieldValue], to number: RecordNumber, _ now: Timestamp) {
        let stamped = values.merging([.updatedAt: .real(now.secondsSince2001)]) { $1 }
        let writes = stamped.sorted { $0.key.rawValue < $1.key.rawValue }
            .compactMap { field, value in layout.position(of: field).map { ($0, value) } }
            .filter { !unknownFields.contains(position: $0.0) }
        update(number, at: writes, isRepair: true)
    }
}
