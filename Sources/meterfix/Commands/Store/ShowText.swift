internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterJournal
internal import MeterModel

/// Everything about one meter.
extension ShownMeter {
    private var records: [MeterDetails.Record] { details.records }

    func blocks(_ times: ShownTimes) -> [Block] {
        let table = RecordTable(
            records: records.map(\.record), changes: details.merge?.changes ?? [],
            heads: records.count == 1
                ? ["row \(records[0].row)"]
                : records.enumerated().map { "row \($1.row), \($0 == 0 ? "kept" : "deleted")" },
            widest: records.count == 1 ? 200 : 24, times: times)
        let conflicts = (details.merge?.conflicts ?? []).map { MeterText.conflictLine($0, times) }
        let records: [Block] =
            [.table(table.block.table)]
            + (table.emptyFields.isEmpty ? [] : [.remark("empty: \(table.emptyFields.joined(separator: ", "))")])
        return details.alerts.blocks(times) + [.heading(headline), .paragraph(outcome)]
            + [.list(conflicts), .pairs(pairs(times)), .section("records", records)]
            + changes(times) + backedUp(times) + next
    }

    private var headline: Inline {
        let count = Phrase.count(records.count, "record")
        guard let address = details.address else {
            return "\(store): row \(records[0].row), a record without a usable address"
        }
        let meter = Inline.meter(address.text(in: details.letterCase), details.name)
        return "\(store): \(meter), \(count)"
    }

    /// What a rebuild does.
    private var outcome: Inline {
        guard let merge = details.merge else { return "a rebuild would not change this record" }
        guard !merge.losers.isEmpty else {
            return merge.changes.isEmpty
                ? "a rebuild would not change this record" : "a rebuild would change this record"
        }
        let reasons = MeterText.reasons(MeterPlan(merge).deletions)
        return "needs a rebuild, which would keep row \(merge.winner.row): \(reasons)"
    }

    private func pairs(_ times: ShownTimes) -> [Block.Pair] {
        let locks = records.flatMap { record in record.locks.map { sentence($0, times) } }
        let lock = Block.Pair("lock", locks.isEmpty ? ["not held: any device may connect to the meter"] : locks)
        let cloud = Block.Pair(
            "CloudKit", details.isMirrored ? records.map(cloudSentence) : ["this store is not mirrored"])
        let level = details.level.map { Block.Pair("duplicates", sentence($0, times)) }
        let earlier = details.earlier.map { lost -> Inline in
            let until = lost.past.to.map { ", until \(times.text($0))" } ?? ""
            return "\(lost.field.name) \(lost.value.quoted(as: .text))\(until) (\(lost.past.certainty.rawValue))"
        }
        return Block.Pair.some("earlier", earlier)
            + [level, lock, Block.Pair("last seen", lastSeen(times)), cloud].compactMap(\.self)
    }

    /// Which record a sentence is about, where there are several.
    private func place(_ row: Int64) -> String { records.count > 1 ? "row \(row): " : "" }

    private func sentence(_ level: DisplayStatus, _ times: ShownTimes) -> Inline {
        let phrase = times.sentence(level.phrase)
        return details.firstAid.map { "\(phrase); while devices are in use: \(.code($0.description))" } ?? "\(phrase)"
    }

    // MARK: - Lock and last seen

    private func sentence(_ recorded: RecordedLock, _ times: ShownTimes) -> Inline {
        let row = place(recorded.row)
        guard let lock = recorded.lock else {
            return "\(row)\(.tone(.error, "connectionMetadata cannot be read")): to the app this is no lock"
        }
        let since = lock.connectedAt.map { " since \(times.text($0))" } ?? ""
        let device = Self.device(lock.deviceName, lock.deviceID) ?? "an unknown device"
        let attribute = lock.encoding == .blob ? ", in connectionMetadata" : ""
        if recorded.isTorn {
            return "\(row)\(.tone(.error, "torn")): a part of the lock of \(device) is missing\(attribute)"
        }
        let until = lock.expiresAt.map(times.text) ?? "no end"
        if recorded.isExpired {
            return
                "\(row)expired \(until): any device may connect to the meter; last held by \(device)\(since)\(attribute)"
        }
        let held: Inline = "\(row)held by \(device)\(since), until \(until)\(attribute)"
        if recorded.isClockAhead {
            return held
                + "; \(.tone(.warning, "the clock of the device was wrong")), so the lock does not end by itself"
        }
        return held
            + (recorded.isLive
                ? "; this device is connected now"
                : "; it was not renewed in time, so the device is no longer connected")
    }

    private func lastSeen(_ times: ShownTimes) -> Inline {
        guard let (sighting, row) = details.lastSeen, let seenAt = sighting.seenAt else { return "never" }
        let device = Self.device(sighting.deviceName, sighting.deviceID).map { " by \($0)" } ?? ""
        return "\(times.text(seenAt))\(device)\(records.count > 1 ? ", row \(row)" : "")"
    }

    /// The device by its name, or else by its id.
    private static func device(_ name: String?, _ id: String?) -> String? {
        [name, id].compactMap(\.self).first { !$0.isEmpty }.map { "\"\($0)\"" }
    }

    // MARK: - CloudKit

    private func cloudSentence(_ record: MeterDetails.Record) -> Inline {
        var parts: [String] = []
        switch record.known.count {
        case 0: parts.append("not in CloudKit")
        case 1:
            parts.append(record.known[0].recordName.map { "record \($0)" } ?? "without a record name yet")
            if let zone = record.known[0].zone {
                parts.append("zone \(zone)" + (record.known[0].zoneOwner.map { ", shared by \($0)" } ?? ""))
            }
        default: parts.append("\(record.known.count) rows of record metadata instead of one")
        }
        let isGoing = record.waiting == nil && record.record.cloudRecord?.isAboutToBeDeleted ?? false
        let waiting = isGoing ? .strong("about to be deleted here") : waiting(record.waiting)
        return "\(place(record.row))\(parts.joined(separator: ", ")); \(waiting)"
    }

    private func waiting(_ object: SyncReport.Object?) -> Inline {
        guard let object else { return "nothing pending" }
        return "\(.strong("pending: \(object.change)")) (\(object.waiting.why))"
    }

    // MARK: - Changes

    private func changes(_ times: ShownTimes) -> [Block] {
        guard log.hasHistory else { return [.section("last changes", ["not known: this store keeps no history"])] }
        guard !log.entries.isEmpty else { return [] }
        let rows: [[Block.Cell]] = log.entries.map { entry in
            let words = [entry.change, entry.fieldList].filter { !$0.isEmpty }
            return [
                times.cell(entry.transaction.time), .text(entry.row.map { "row \($0)" } ?? "–"),
                .text(words.joined(separator: "  ")), .text(entry.transaction.who),
            ]
        }
        let rest = log.total - log.entries.count
        var more: [Block] = []
        if rest > 0, let address = details.address {
            let command = Inline.command("log \(address.text(in: details.letterCase))", on: store)
            more = [.remark("… and \(rest) before them: \(command)")]
        }
        let table = Block.Table(["when", "row", "change", "by"], widest: 60, rows: rows)
        return [.section("last changes", [.table(table)] + more)]
    }

    // MARK: - Backups

    private func backedUp(_ times: ShownTimes) -> [Block] {
        guard !backups.isEmpty else { return [] }
        let rows: [[Block.Cell]] = backups.map { backup in
            [
                times.cell(backup.journal.madeAt),
                .text(
                    backup.journal.command
                        + (backup.isInStore ? "" : backup.isUndone ? ", undone" : ", not in this copy")),
                .text(backup.effects.map(\.words).joined(separator: "; ")), .code(backup.entry.path),
            ]
        }
        let table = Block.Table(["when", "command", "what it did", "backup"], widest: 60, rows: rows)
        return [.section("changes by meterfix that are backed up", [.table(table)])]
    }

    private var next: [Block] { [.list([details.next].compactMap(\.self).map { NextStep.text($0) }, marker: .arrow)] }
}
