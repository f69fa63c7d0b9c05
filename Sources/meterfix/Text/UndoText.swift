internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// An undo as text: what is taken back, which files are put back, or which rows moved on since.
struct UndoText {
    private let report: UndoReport
    private let style: Style
    private let showsAll: Bool
    /// The options with which the next run finds the same backups.
    private let options: [String]
    /// Whether `--force` was given, which the run needs that a dry run announces.
    private let isForced: Bool
    /// Rows that are shown without `--verbose`.
    private static let most = 20

    init(_ report: UndoReport, _ style: Style, showsAll: Bool, options: [String], isForced: Bool) {
        self.report = report
        self.style = style
        self.showsAll = showsAll
        self.options = options
        self.isForced = isForced
    }

    var lines: [String] {
        let store = Escaped.text(report.store)
        guard let change = report.change else {
            let hint = options.isEmpty ? "; --backup-dir names another folder" : ""
            return [
                style.good(
                    "nothing to \(report.redoes ? "redo" : "undo"): there is no backup of \(store) to restore\(hint)")
            ]
        }
        let name = "\(change.command) of \(change.madeAt)"
        var lines = [style.bold("\(store): the state before the \(Escaped.text(name))")]
        if report.outcome != .stale {
            for file in report.files { lines.append("  \(Escaped.text(file.name)), \(file.size) bytes") }
        }
        switch report.outcome {
        case .stale:
            lines += movedLines
            lines.append("nothing was changed; to go back all the same: \(command("--force"))")
        case .planned:
            if report.moved?.isEmpty != true { lines += movedLines }
            lines.append("to do it: \(command(isForced ? "--force" : nil))")
        case .applied:
            if report.moved?.isEmpty != true { lines += movedLines }
            lines.append(
                style.good(
                    report.isByteForByte ? "restored, byte for byte" : "restored, the same contents in other bytes"))
            if let backup = report.backup {
                lines.append("the state before this: \(Escaped.text(backup))")
                lines.append("to take this back: \(command(report.redoes ? nil : "--redo"))")
            }
            if report.remaining > 0 && !report.redoes {
                lines.append("\(Phrase.count(report.remaining, "more change")) can be undone")
            }
        case .unchanged: break
        }
        return lines
    }

    /// - Parameter option: instead of `--redo`, where it is none; `--force` goes with it.
    private func command(_ option: String? = nil) -> String {
        var words = ["meterfix", "undo"]
        if report.redoes && report.outcome != .applied { words.append("--redo") }
        if let option { words.append(option) }
        return (words + options + [ShellWord.quoted(report.store)]).joined(separator: " ")
    }

    private var movedLines: [String] {
        guard let moved = report.moved else {
            return [style.severity(.warning, "the store moved on since; its rows cannot be compared any more")]
        }
        let tables = Set(moved.map(\.table)).count
        var lines = [
            style.severity(
                .warning,
                "the store moved on since: \(Phrase.count(moved.count, "row")) of \(Phrase.count(tables, "table"))")
        ]
        for row in showsAll ? moved[...] : moved.prefix(Self.most) {
            let place = "  \(Escaped.text(row.table)) row \(row.row)"
            switch row.kind {
            case .added, .removed: lines.append("\(place): \(row.kind.rawValue)")
            case .changed:
                for field in row.fields {
                    lines.append(
                        "\(place): \(Escaped.text(field.name)) was \(Escaped.quoted(field.then, .text)), is "
                            + Escaped.quoted(field.now, .text))
                }
            }
        }
        if !showsAll && moved.count > Self.most {
            lines.append("  … and \(moved.count - Self.most) more, see --verbose or --json")
        }
        return lines
    }
}
