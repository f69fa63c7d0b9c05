internal import Answer
internal import MeterInspect
internal import MeterModel

/// An import: meter by meter what is filled, created and kept, and what cannot be used.
struct ImportText {
    let made: ChangeResult
    /// What was read. The dump itself is gone: a million entries would be held until the end.
    let headline: String
    let values: LegacyValues
    /// The file for what cannot be used; nil where none was asked for.
    let rejectsFile: String?
    let isDryRun: Bool
    /// The command that writes such a file, without the store, as words for a shell; nil where the dump was read from
    /// standard input, which nothing can read twice.
    let rejecting: [String]?
    let times: ShownTimes

    /// Lines of each kind that are shown without `--verbose`.
    private static let most = 40

    private var report: ChangeReport { made.report }

    var blocks: [Block] {
        let plan = report.plan
        return [
            .heading("\(headline)"), .group(table { addChanges(plan, to: &$0) }), .group(rejects(plan)),
            .group(respellings), .group(revived(plan)), .group(notes(plan)), .group(outcome(plan) + next),
        ]
    }

    /// What to run after it.
    private var next: [Block] {
        let errors = report.findings.count(of: .error)
        var blocks: [Block] = []
        if report.outcome != .planned, report.findings.ids.contains(Check.duplicateMAC.id) {
            blocks.append("some meters have several records; next: \(.command("rebuild --dry-run", on: report.store))")
        }
        if errors > 0 {
            let command = Inline.command("verify", on: report.store)
            blocks.append("\(Phrase.count(errors, "error")) in the store itself, see \(command)")
        }
        return blocks
    }

    static func headline(_ dump: KeyValueDump, _ name: String, _ values: LegacyValues) -> String {
        let names = dump.entries.count { $0.dictionary == .meterNames }
        let units = Phrase.count(dump.entries.count - names, "unit")
        let empty = values.empty > 0 ? ", \(values.empty) of them empty" : ""
        let ignored = dump.ignoredKeys > 0 ? "; \(Phrase.count(dump.ignoredKeys, "other key")) ignored" : ""
        return "\(name): \(dump.format.description); \(Phrase.count(names, "name")), \(units)\(empty)\(ignored)"
    }

    private func addChanges(_ plan: Plan, to rows: inout ShownRows) {
        for planned in plan.meters {
            for change in planned.records {
                switch change {
                case .insert(let insertion):
                    let assignments = insertion.fields.filter { $0.rule != .newRecord }.map(assignment)
                    rows.add([
                        meter(planned.address), "new record, row \(insertion.row)",
                        .text(assignments.joined(separator: ", ")),
                    ])
                case .update(let update):
                    for field in update.fields where field.rule != .now {
                        rows.add([
                            meter(planned.address, update.row, field.field), "\(verb(field)), row \(update.row)",
                            .text(assignment(field)),
                        ])
                    }
                case .delete: break
                }
            }
        }
        for conflict in plan.conflicts {
            guard let row = conflict.keptFrom, let dropped = conflict.dropped.first else { continue }
            rows.add([
                meter(conflict.address, row, conflict.field), "kept, row \(row)",
                .text(
                    "\(conflict.field.name) \(conflict.kept.quoted(as: .text)); the dump has "
                        + dropped.value.quoted(as: .text)),
            ])
        }
    }

    private func verb(_ change: FieldChange) -> String {
        switch change.rule {
        case .legacyReplace: "replaced"
        case .byHand: "chosen by hand"
        case .newestNonEmpty: "taken from \(change.donor.map { "row \($0)" } ?? "another record")"
        default: "filled"
        }
    }

    private func assignment(_ change: FieldChange) -> String {
        let values = FieldText.quoted(change.delta, times)
        let before = change.rule != .newestNonEmpty && !change.before.isEmpty ? " instead of \(values[0])" : ""
        return "\(change.field.name) \(values[1])\(before)"
    }

    /// Nothing where there are no rows.
    private func table(_ fill: (inout ShownRows) -> Void) -> [Block] {
        var rows = ShownRows(most: times.showsAll ? .max : Self.most)
        fill(&rows)
        return rows.blocks
    }

    private func rejects(_ plan: Plan) -> [Block] {
        guard !plan.rejects.isEmpty else { return [] }
        let rows = table { rows in
            for reject in plan.rejects {
                // What its key is, and which meter of the store it nearly is.
                let hint = plan.hint(of: reject, in: report.letterCase)
                rows.add([
                    .text(reject.dictionary.rawValue), .text("\"\(reject.key)\""), .text(reject.reason.rawValue),
                    .text(reject.reason.explanation + value(of: reject) + (hint.map { "; \($0)" } ?? "")),
                ])
            }
        }
        let count = Phrase.count(plan.rejects.count, "entry", "entries")
        return [.note(.warning, "cannot be used: \(count)")] + rows + [.paragraph(placeOfRejects)]
    }

    /// Where they are, or how to get them into a file.
    private var placeOfRejects: Inline {
        if let file = rejectsFile {
            return isDryRun
                ? "a run without --dry-run writes them to \(.code(ShellWord.quoted(file)))"
                : "they are in \(.code(ShellWord.quoted(file))): correct them there and import that file"
        }
        guard let words = rejecting else { return "import-kv --rejects FILE writes them to a file to correct" }
        return
            "to write them to a file and correct them there: \(.command(words.joined(separator: " "), on: report.store))"
    }

    /// Meters that come back although somebody had deleted them.
    private func revived(_ plan: Plan) -> [Block] {
        let revived = plan.revived ?? []
        guard !revived.isEmpty else { return [] }
        let shown = ShownPart(of: revived, most: Self.most, showsAll: times.showsAll)
        let meters = shown.elements.map { meter -> Inline in
            let time = meter.time.map { " \(times.text($0))" } ?? ""
            let author = meter.isImport ? " on another device" : meter.author.map { " by \($0)" } ?? ""
            return "\(.code(meter.address.text(in: report.letterCase))), deleted\(time)\(author)"
        }
        let (these, come, them) =
            revived.count == 1
            ? ("a meter that was deleted", "comes", "it") : ("meters that were deleted", "come", "them")
        return [
            .note(.warning, "\(these) \(come) back, on every device; \(.code("--except MAC")) leaves \(them) out:"),
            .list(meters, marker: .dash),
        ] + shown.remark
    }

    /// What only a person can decide, and why there was nothing to do.
    private func notes(_ plan: Plan) -> [Block] {
        plan.notes.map(times.sentence).map { note in
            report.outcome == .unchanged ? "\(note)" : .note(.warning, "\(note)")
        }
    }

    private func value(of reject: Reject) -> String {
        switch reject.value {
        case .text(let text): ": \"\(text)\""
        case .malformedText: ": \(reject.value.kind)"
        case .null, .bool, .integer, .unsigned, .real, .date, .data, .reference, .list, .dictionary: ""
        }
    }

    /// What was understood though it was written otherwise.
    private var respellings: [Block] {
        let units = values.meters.count { $0.unit?.isRespelled == true }
        let names = values.meters.count { $0.name?.isRespelled == true }
        var blocks: [Block] = []
        if units > 0 { blocks.append("\(Phrase.count(units, "unit")) written differently, such as °C, understood") }
        if names > 0 { blocks.append("white space around \(Phrase.count(names, "name")) removed") }
        return blocks
    }

    private func outcome(_ plan: Plan) -> [Block] {
        let summary = plan.summary
        let numbers =
            "\(Phrase.count(summary.updated, "record")) updated, \(summary.inserted) created, "
            + "\(Phrase.count(plan.conflicts.count, "conflict")), \(summary.rejects) rejected"
        let isDone = report.outcome == .applied
        return made.ending(
            report.createdStore && !isDone ? "\(numbers), in a new store" : numbers,
            report.createdStore && isDone ? ["created \(report.store)"] : [],
            nothing: .tone(.good, "nothing to do: \(numbers)"))
    }

    /// - Parameter field: what the line is about; one about the name says it itself.
    private func meter(_ address: MACAddress?, _ row: Int64? = nil, _ field: RecordLayout.Field? = nil) -> Block.Cell {
        guard let address else { return "–" }
        let name = field?.known == .meterName ? nil : row.flatMap { report.names[$0] }
        return Block.Cell.meter(address.text(in: report.letterCase), name)
    }
}
