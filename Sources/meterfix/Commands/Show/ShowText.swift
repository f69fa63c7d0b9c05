internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterJournal
internal import MeterModel

/// Everything about one meter.
struct ShowText {
    let shown: ShownMeter
    let times: ShownTimes

    private var details: MeterDetails { shown.details }
    private var records: [MeterDetails.Record] { details.records }

    var blocks: [Block] {
        let table = RecordTable(
            records.map(\.record), details.merge?.changes ?? [],
            heads: records.count == 1
                ? ["row \(records[0].row)"]
                : records.enumerated().map { "row \($1.row), \($0 == 0 ? "kept" : "deleted")" },
            widest: records.count == 1 ? 200 : 24, times)
        let conflicts = (details.merge?.conflicts ?? []).map { MeterText.conflictLine($0, times) }
        let records: [Block] =
            [.table(table.block.table)]
            + (table.emptyFields.isEmpty ? [] : [.remark("empty: \(table.emptyFields.joined(separator: ", "))")])
        return AlertText.blocks(details.alerts, times) + [.heading(headline), .paragraph(outcome)]
            + (conflicts.isEmpty ? [] : [.list(conflicts)]) + [.pairs(pairs), .section("records", records)] + changes
            + backups
            + next
    }

    private var headline: Inline {
        let count = Phrase.count(records.count, "record")
        guard let address = details.address else {
            return "\(shown.store): row \(records[0].row), a record without a usable address"
        }
        let meter = MeterLabel.inline(address.text(in: details.letterCase), details.name)
        return "\(shown.store): \(meter), \(count)"
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

    private var pairs: [Block.Pair] {
        var lock = Block.Pair("lock")
        lock.values = records.flatMap { record in record.locks.map { sentence($0) } }
        if lock.values.isEmpty { lock.values = ["not held: any device may connect to the meter"] }
        var cloud = Block.Pair("CloudKit")
        cloud.values = details.isMirrored ? records.map(cloudSentence) : ["this store is not mirrored"]
        let level = details.level.map { Block.Pair("duplicates", sentence($0)) }
        var earlier = Block.Pair("earlier")
        earlier.values = details.earlier.map { lost in
            let until = lost.past.to.map { ", until \(times.text($0))" } ?? ""
            return "\(lost.field.name) \(FieldText.quoted(lost.value))\(until) (\(lost.past.certainty.rawValue))"
        }
        return [earlier.values.isEmpty ? nil : earlier, level, lock, Block.Pair("last seen", lastSeen), cloud]
            .compactMap(\.self)
    }

    /// Which record a sentence is about, where there are several.
    private func place(_ row: Int64) -> String { records.count > 1 ? "row \(row): " : "" }

    private func sentence(_ level: DisplayStatus) -> Inline {
        let phrase = times.sentence(level.phrase)
        return details.firstAid.map { "\(phrase); while devices are in use: \(.code($0.description))" }
            ?? "\(phrase)"
    }

    // MARK: - Lock and last seen

    private func sentence(_ recorded: RecordedLock) -> Inline {
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

    private var lastSeen: Inline {
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
        return "\(place(record.row))\(parts.joined(separator: ", ")); \(waiting(record.waiting))"
    }

    private func waiting(_ object: SyncReport.Object?) -> Inline {
        guard let object else { return "nothing pending" }
        let why = SyncText.why(object.waiting)
        return "\(.strong("pending: \(SyncText.change(object))")) (\(why))"
    }

    // MARK: - Changes

    private var changes: [Block] {
        let log = shown.log
        guard log.hasHistory else {
            return [.section("last changes", [.paragraph("not known: this store keeps no history")])]
        }
        guard !log.entries.isEmpty else { return [] }
        var table = Block.Table(["when", "row", "change", "by"], widest: 60)
        for entry in log.entries {
            let words = [LogPhrases.change(entry), LogPhrases.fields(entry)].filter { !$0.isEmpty }
            table.add([
                times.cell(entry.transaction.time), .text(entry.row.map { "row \($0)" } ?? "–"),
                .text(words.joined(separator: "  ")), .text(LogPhrases.who(entry.transaction)),
            ])
        }
        let rest = log.total - log.entries.count
        var more: [Block] = []
        if rest > 0, let address = details.address {
            let words = ["meterfix log", address.text(in: details.letterCase), ShellWord.quoted(shown.store)]
            more = [.remark("… and \(rest) before them: \(.code(words.joined(separator: " ")))")]
        }
        return [.section("last changes", [.table(table)] + more)]
    }

    // MARK: - Backups

    private var backups: [Block] {
        guard !shown.backups.isEmpty else { return [] }
        var table = Block.Table(["when", "command", "what it did", "backup"], widest: 60)
        for backup in shown.backups {
            table.add([
                times.cell(backup.journal.madeAt),
                .text(backup.isInStore ? backup.journal.command : "\(backup.journal.command), undone"),
                .text(backup.effects.map(\.words).joined(separator: "; ")), .code(backup.entry.path),
            ])
        }
        return [.section("changes by meterfix that are backed up", [.table(table)])]
    }

    private var next: [Block] {
        guard let next = details.next else { return [] }
        return [.list([NextStep.text(next)], marker: .arrow)]
    }
}
