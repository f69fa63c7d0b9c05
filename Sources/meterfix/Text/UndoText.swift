internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// An undo: what is taken back, which files are put back, or which rows have changed since.
struct UndoText {
    private let report: UndoReport
    private let showsAll: Bool
    private let times: ShownTimes
    /// The options with which the next run finds the same backups.
    private let options: [String]
    /// Whether `--force` was given, which the run needs that a dry run announces.
    private let isForced: Bool
    /// Rows that are shown without `--verbose`.
    private static let most = 20

    init(_ report: UndoReport, _ times: ShownTimes, showsAll: Bool, options: [String], isForced: Bool) {
        self.report = report
        self.times = times
        self.showsAll = showsAll
        self.options = options
        self.isForced = isForced
    }

    var blocks: [Block] {
        guard let change = report.change else {
            let hint = options.isEmpty ? "; --backup-dir names another folder" : ""
            return [
                .paragraph(
                    .tone(
                        .good,
                        "nothing to \(report.redoes ? "redo" : "undo"): there is no backup of \(report.store) to restore\(hint)"
                    ))
            ]
        }
        var blocks: [Block] = [
            .heading("\(report.store): the state before the \(change.command) of \(times.text(change.madeAt))")
        ]
        if report.outcome != .stale {
            blocks.append(.list(report.files.map { "\($0.name), \($0.size) bytes" }))
        }
        switch report.outcome {
        case .stale:
            blocks += moved
            blocks.append(.paragraph("nothing was changed; to go back all the same: \(command("--force"))"))
        case .planned:
            if report.moved?.isEmpty != true { blocks += moved }
            blocks.append(.paragraph("to do it: \(command(isForced ? "--force" : nil))"))
        case .applied:
            if report.moved?.isEmpty != true { blocks += moved }
            let result = report.isByteForByte ? "byte for byte" : "the same contents in other bytes"
            blocks.append(.paragraph(.tone(.good, "restored, \(result)")))
            if let backup = report.backup {
                blocks.append(.paragraph("the state before this: \(.code(backup))"))
                blocks.append(.paragraph("to take this back: \(command(report.redoes ? nil : "--redo"))"))
            }
            if report.remaining > 0 && !report.redoes {
                blocks.append(.paragraph("\(Phrase.count(report.remaining, "more change")) can be undone"))
            }
        case .unchanged: break
        }
        return blocks
    }

    /// - Parameter option: instead of `--redo`, where it is none; `--force` goes with it.
    private func command(_ option: String? = nil) -> Inline {
        var words = ["meterfix", "undo"]
        if report.redoes && report.outcome != .applied { words.append("--redo") }
        if let option { words.append(option) }
        return .code((words + options + [ShellWord.quoted(report.store)]).joined(separator: " "))
    }

    private var moved: [Block] {
        guard let moved = report.moved else {
            return [.note(.warning, "the store has changed since; its rows cannot be compared any more")]
        }
        let tables = Set(moved.map(\.table)).count
        let shown = ShownPart(of: moved, most: Self.most, showsAll: showsAll)
        return [
            .note(
                .warning,
                "the store has changed since: \(Phrase.count(moved.count, "row")) of \(Phrase.count(tables, "table"))"),
            .list(shown.elements.flatMap(lines)),
        ] + shown.remark
    }

    private func lines(_ row: MovedRow) -> [Inline] {
        let place = "\(row.table) row \(row.row)"
        switch row.kind {
        case .added, .removed: return ["\(place): \(row.kind.rawValue)"]
        case .changed:
            return row.fields.map { field in
                "\(place): \(field.name) was \(FieldText.quoted(field.then)), is \(FieldText.quoted(field.now))"
            }
        }
    }
}
