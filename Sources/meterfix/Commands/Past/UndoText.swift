internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// An undo: what is taken back, which files are put back, or which rows have changed since.
struct UndoText {
    let report: UndoReport
    let times: ShownTimes
    /// The options with which the next run finds the same backups.
    let options: [String]
    /// The command that does what a dry run said, without the store, as words for a shell.
    let commandWithoutDryRun: [String]
    /// Rows that are shown without `--verbose`.
    private static let most = 20

    var blocks: [Block] {
        guard let change = report.change else {
            let hint = options.isEmpty ? "; --backup-dir names another folder" : ""
            let nothing = "nothing to \(report.redoes ? "redo" : "undo")"
            return [
                "\(nothing): no backup of \(report.store) is one to restore now; \(.command("undo --list", on: report.store)) lists what is there\(hint)"
            ]
        }
        var blocks: [Block] = [
            .heading("\(report.store): the state before the \(change.command) of \(times.text(change.madeAt))")
        ]
        if report.outcome != .stale { blocks.append(.list(report.files.map { "\($0.name), \($0.size) bytes" })) }
        switch report.outcome {
        case .stale:
            blocks += lost("this would also lose:") + moved + parts + cloud
            blocks.append("nothing was changed; to undo it anyway, and lose that: \(command("--force"))")
        case .planned:
            if report.moved?.isEmpty != true { blocks += lost("this would also lose:") + moved }
            blocks += cloud
            let again = NextStep.command(commandWithoutDryRun, expecting: report.fingerprint, on: report.store)
            blocks.append(NextStep.line(again))
        case .applied:
            if report.moved?.isEmpty != true { blocks += lost("this also undid:") + moved }
            let result = report.isByteForByte ? "byte for byte" : "the same contents in other bytes"
            blocks.append(.paragraph(.tone(.good, "restored, \(result)")))
            if let backup = report.backup {
                blocks.append("the state before this: \(.code(backup))")
                blocks.append(
                    "\(report.redoes ? "to undo it again" : "to redo the change"): \(command(report.redoes ? nil : "--redo"))"
                )
            }
            if report.remaining > 0 && !report.redoes {
                blocks.append("\(Phrase.count(report.remaining, "more change")) can be undone")
            }
            blocks += cloud + report.steps.blocks()
        case .unchanged: break
        }
        return blocks
    }

    /// - Parameter option: instead of `--redo`, where it is none; `--force` goes with it.
    private func command(_ option: String? = nil) -> Inline {
        var words = ["undo"]
        if report.redoes && report.outcome != .applied { words.append("--redo") }
        if let option { words.append(option) }
        if report.outcome == .applied, report.alerts.missingLog != nil {
            words.append(ChangeResult.acceptanceOfMissingLog)
        }
        return .command((words + options).joined(separator: " "), on: report.store)
    }

    /// What was done since the change, as the user knows it.
    private func lost(_ title: Inline) -> [Block] {
        let meters = report.changedMeters.filter(\.isOfUser)
        let shown = ShownPart(of: meters, most: Self.most, showsAll: times.showsAll)
        var lines = shown.elements.flatMap(lines)
        let others = report.changedMeters.count - meters.count
        if others > 0 { lines.append("only a lock, a \"last seen\" or a date in \(Phrase.count(others, "record"))") }
        return lines.isEmpty ? [] : [.paragraph(title), .list(lines, marker: .dash)] + shown.remark
    }

    private func lines(_ meter: RecordDifference) -> [Inline] {
        let place = meter.address?.text(in: report.letterCase) ?? "row \(meter.row)"
        let known = [meter.time.map { " \(times.text($0))" }, meter.author?.phrase].compactMap(\.self)
        func when(_ verb: String) -> String { known.isEmpty ? "" : ", \(verb)\(known.joined(separator: ","))" }
        switch meter.kind {
        case .added: return ["\(Inline.meter(place, meter.name)): the new record, row \(meter.row)\(when("made"))"]
        case .removed:
            return ["\(Inline.meter(place, meter.name)): the deletion of row \(meter.row)\(when("made"))"]
        case .changed:
            return meter.values.map { value in
                let values = FieldText.quoted(value, times)
                let change = "\(values[0]) → \(values[1])\(when("changed"))"
                guard value.field.known != .meterName else { return "\(.code(place)) \(change)" }
                return "\(Inline.meter(place, meter.name)): \(value.field.name) \(change)"
            }
        }
    }

    /// What of the change can be taken back without losing what was done since.
    private var parts: [Block] {
        guard !report.parts.isEmpty else { return [] }
        let shown = ShownPart(of: report.parts, most: 5, showsAll: times.showsAll)
        return [
            "to undo only a part of the change, and lose nothing:",
            .list(shown.elements.map(command), marker: .arrow),
        ] + (shown.rest > 0 ? [.remark("… and \(shown.rest) more, see --verbose")] : [])
    }

    private func command(_ part: UndoReport.Part) -> Inline {
        // A record comes from the folder of backups.
        let folder = options.first == "--backup-dir" ? options : []
        let words =
            switch part {
            case .record(let row, let address):
                ["restore-record", "--row \(row)", address.text(in: report.letterCase)] + folder
            case .name(let name, let address):
                ["set", address.text(in: report.letterCase), ShellWord.option("--name", name ?? "")]
            case .unit(let unit, let address): ["set", address.text(in: report.letterCase), "--unit \(unit.rawValue)"]
            }
        return .command(words.joined(separator: " "), on: report.store)
    }

    /// What an undo does not do.
    private var cloud: [Block] {
        guard let cloud = report.cloud else { return [] }
        var sentence = "an \(report.redoes ? "undo or redo" : "undo") changes only this copy, not CloudKit"
        switch cloud.hasGoneUp {
        case true?:
            sentence +=
                ". The change may be uploaded already; then CloudKit and the user's other devices keep it, and it comes back when the app opens this copy"
        case false?: sentence += ". In this copy the change was not uploaded yet"
        case nil: break
        }
        let start = report.outcome == .applied ? "now" : "afterwards"
        return ["\(sentence)", "\(start) pending for CloudKit: \(cloud.after.amount)"]
            + MirrorText.obstacles(cloud.after).map { .paragraph($0) }
    }

    private var moved: [Block] {
        guard let moved = report.moved else {
            return [.note(.warning, "the store has changed since; its rows cannot be compared any more")]
        }
        guard !moved.isEmpty else {
            return [
                .note(
                    .warning,
                    "the store has changed since, in no row that a change by meterfix can touch: in its schema or in the app's other tables"
                )
            ]
        }
        let tables = Set(moved.map(\.table)).count
        let shown = ShownPart(of: moved, most: Self.most, showsAll: times.showsAll)
        return [
            .note(
                .warning,
                "the store has changed since: \(Phrase.count(moved.count, "row")) of \(Phrase.count(tables, "table"))"),
            .list(shown.elements.flatMap(lines)),
        ] + shown.remark
    }

    private func lines(_ row: RowDifference) -> [Inline] {
        let place = "\(row.table) row \(row.row)"
        switch row.kind {
        case .added, .removed: return ["\(place): \(row.kind.rawValue)"]
        case .changed:
            return row.fields.map { field in
                "\(place): \(field.field.name) was \(field.before.quoted(as: .text)), is \(field.after.quoted(as: .text))"
            }
        }
    }
}

/// The deleted records of a meter, those deleted last first.
extension MergedRecords {
    func blocks(_ times: ShownTimes) -> [Block] {
        guard !records.isEmpty else { return absence.map { .paragraph("\($0)") } }
        let meter: [Block.Cell] = isOfAll ? ["meter"] : []
        let rows = records.map { record in
            let mac = record.record.usableAddress?.text(in: letterCase)
            let meter: [Block.Cell] = isOfAll ? [mac.map { .code($0) } ?? "–"] : []
            return meter + [
                .code(record.entry), "row \(record.row)", record.mergedInto.map { "row \($0)" } ?? "–",
                FieldText.cell(record.record[.meterName]), times.cell(record.record.updatedAt),
                record.isInStore ? "in the store" : "",
            ]
        }
        let table = Block.Table(
            meter + ["entry", "row", "merged into", "meterName", "updatedAt", ""], widest: 36, rows: rows)
        let subject =
            isOfAll
            ? Inline.code(store)
            : address.map { Inline.code($0.text(in: letterCase)) } ?? "without a usable address"
        return [.heading("\(subject)  \(Phrase.count(records.count, "deleted record"))"), .table(table)]
    }
}
