package import MeterModel

/// What first aid fills in. meterfix has one rule; the trials in `Benchmarks` compare it with others.
package struct FirstAidRule: Sendable {
    package typealias Fills = [(record: DeviceSettings, fields: [(field: SettingsField, value: FieldValue)])]

    /// A meter with several records on a device.
    package struct Group {
        package let records: [DeviceSettings]
        package let aid: FirstAid
        /// Whether nothing on the device waits to be uploaded.
        package let nothingWaits: Bool
        package let isUnchangedForADay: Bool

        /// Name and unit of the record that the app finds first.
        package var found: Fills {
            aid.found.map { [($0, aid.changes.map { ($0.field.known!, $0.after) })] } ?? []
        }
    }

    let fills: @Sendable (Group) -> Fills
    /// Whether `updatedAt` becomes now.
    let stamps: Bool

    package init(stamps: Bool = false, _ fills: @escaping @Sendable (Group) -> Fills) {
        self.fills = fills
        self.stamps = stamps
    }

    /// That of `meterfix rebuild --in-use`.
    package static let built = FirstAidRule { $0.found }
}

extension Replica {
    /// First aid, decided by the rule of `meterfix rebuild --in-use` itself unless another one is asked for; one
    /// transaction.
    func giveFirstAid(_ rule: FirstAidRule, now: Timestamp, _ journal: inout Journal) -> Repair {
        let (index, numbers) = addressIndex()
        beginTransaction()
        var repair = Repair()
        for meter in index.metersWithSeveralRecords {
            let records = meter.records
            let group = FirstAidRule.Group(
                records: records, aid: FirstAid(for: records, at: meter.address, in: index.letterCase),
                nothingWaits: pending.isEmpty, isUnchangedForADay: isUnchangedForADay(records, now))
            for (record, fields) in rule.fills(group) where !fields.isEmpty {
                let number = numbers[record.row]!
                var writes = fields.map { (layout.position(of: $0.field)!, $0.value) }
                if rule.stamps, let position = updatedAtPosition {
                    writes.append((position, .real(now.secondsSince2001)))
                }
                update(number, at: writes, isRepair: true)
                journal.note(register.meter(of: number), "runs rebuild --in-use: fills record \(shortName(number))")
                repair.updated += 1
            }
        }
        return repair
    }

    func isUnchangedForADay(_ records: [DeviceSettings], _ now: Timestamp) -> Bool {
        records.allSatisfy { $0.updatedAt.map { now.seconds(since: $0) > 86_400 } ?? true }
    }
}
