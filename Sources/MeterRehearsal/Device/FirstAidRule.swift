internal import MeterModel

/// What first aid does. meterfix has the first rule; the others show why it is the first.
package enum FirstAidRule: Hashable, Sendable, CaseIterable {
    /// That of `meterfix rebuild --in-use`: name and unit of the record that the app finds first.
    case built
    /// `updatedAt` becomes now.
    case stamped
    /// The model type too.
    case withModelType
    /// Every record of the meter.
    case everyRecord
    /// The record that a rebuild would keep.
    case winner
    /// Only if nothing on the device waits to be uploaded.
    case nothingWaits
    /// Only if no record of the meter has changed for a day.
    case unchangedForADay
    /// Only a record that CloudKit does not have yet.
    case notUploaded
}

extension Replica {
    /// First aid, decided by the rule of `meterfix rebuild --in-use` itself unless another one is asked for; one
    /// transaction.
    func giveFirstAid(_ rule: FirstAidRule, now: Timestamp, _ journal: inout Journal) -> Repair {
        let (index, numbers) = addressIndex()
        beginTransaction()
        var repair = Repair()
        for meter in index.metersWithSeveralRecords {
            let records = meter.rows.map { settings(numbers[$0]!) }
            let group = MeterRecords(
                records: records, aid: FirstAid(for: records, at: meter.address, in: index.letterCase))
            for (row, fields) in fills(group, rule, numbers, now) where !fields.isEmpty {
                let number = numbers[row]!
                var writes = fields.map { (layout.position(of: $0.field)!, $0.value) }
                if rule == .stamped, let position = updatedAtPosition {
                    writes.append((position, .real(now.secondsSince2001)))
                }
                update(number, at: writes, isRepair: true)
                journal.note(register.meter(of: number), "runs rebuild --in-use: fills record \(shortName(number))")
                repair.updated += 1
            }
        }
        return repair
    }

    private struct MeterRecords {
        let records: [DeviceSettings]
        let aid: FirstAid

        /// The newest values of others for the empty fields of a record.
        func fills(_ fields: [SettingsField], of record: DeviceSettings) -> [(field: SettingsField, value: FieldValue)]
        {
            fields.filter(record.isEmpty).compactMap { field in
                FirstAid.donor(of: field, among: records).map { (field, $0[field]) }
            }
        }

        var built: [(field: SettingsField, value: FieldValue)] {
            aid.changes.map { ($0.field.known!, $0.after) }
        }
    }

    /// What is filled in which rows.
    private func fills(
        _ group: MeterRecords, _ rule: FirstAidRule, _ numbers: [Int64: RecordNumber], _ now: Timestamp
    ) -> [(row: Int64, fields: [(field: SettingsField, value: FieldValue)])] {
        let found = group.aid.found.map { [$0] } ?? []
        switch rule {
        case .built, .stamped: return found.map { ($0.row, group.built) }
        case .withModelType: return found.map { ($0.row, group.fills(FirstAid.fields + [.modelType], of: $0)) }
        case .everyRecord: return group.records.map { ($0.row, group.fills(FirstAid.fields, of: $0)) }
        case .winner:
            let winner = group.records.map { WinnerKey($0, policy: .mostComplete) }.min()!.record
            return [(winner.row, group.fills(FirstAid.fields, of: winner))]
        case .nothingWaits: return pending.isEmpty ? found.map { ($0.row, group.built) } : []
        case .unchangedForADay:
            return isUnchangedForADay(group.records, now) ? found.map { ($0.row, group.built) } : []
        case .notUploaded:
            return found.filter { self[numbers[$0.row]!]!.tag == Record.new }.map { ($0.row, group.built) }
        }
    }

    func isUnchangedForADay(_ records: [DeviceSettings], _ now: Timestamp) -> Bool {
        records.allSatisfy { $0.updatedAt.map { now.seconds(since: $0) > DayInUse.length } ?? true }
    }
}
