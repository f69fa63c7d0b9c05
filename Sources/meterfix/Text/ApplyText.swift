internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What is said of a plan from a file beside what the command says that planned it.
enum ApplyText {
    /// Tables, statements and rows that are shown without `--verbose`.
    private static let most = 20

    /// Where the plan comes from.
    static func origin(_ document: PlanDocument, _ times: ShownTimes) -> [Block] {
        [
            .heading(
                "a plan of meterfix \(document.commandWords) \(Version.current), made for \(document.storeName): \(times.text(document.made))"
            )
        ]
    }

    /// What has changed since it was made.
    static func moved(_ staleness: Staleness, _ times: ShownTimes, showsAll: Bool) -> [Block] {
        if staleness.isApplied { return [.paragraph("this plan was applied already")] }
        var lines: [Inline] = []
        if let identity = staleness.identity {
            lines.append("store: \(identity.then ?? "no UUID") then, \(identity.now ?? "no UUID") now")
        }
        lines += staleness.statementsGone.map { "schema, then only: \(.code($0))" }
        lines += staleness.statementsNew.map { "schema, now only: \(.code($0))" }
        lines += staleness.tables.map { table in
            "\(table.name): \(rows(table.then)) then, \(rows(table.now)) now\(table.then == table.now ? ", with other contents" : "")"
        }
        lines += staleness.rows.map { line($0, times) }
        let shown = ShownPart(of: lines, most: most, showsAll: showsAll)
        return [.paragraph("what has changed since:"), .list(Array(shown.elements))] + shown.remark
    }

    private static func line(_ row: Staleness.Row, _ times: ShownTimes) -> Inline {
        switch row.change {
        case .gone: return "row \(row.row) is gone"
        case .new: return "row \(row.row) is there, where the plan puts a new record"
        case .field(let field, let then, let now):
            let values = FieldText.quoted([then, now], field.kind, times)
            return "row \(row.row), \(field.name): \(values[0]) then, \(values[1]) now"
        }
    }

    private static func rows(_ count: Int?) -> String { count.map { Phrase.count($0, "row") } ?? "no table" }
}
