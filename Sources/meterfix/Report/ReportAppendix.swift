internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What a developer wants to know of a store, each part behind a line.
struct ReportAppendix {
    private let page: ReportText
    private var report: TicketReport { page.report }
    /// Changes by meterfix, and backups, that are shown without `--verbose`.
    private static let most = 10

    init(_ page: ReportText) { self.page = page }

    var section: ReportText.Section {
        let parts = [status, log, past, changes, command].compactMap(\.self)
        return ReportText.Section(
            .technical, "For developers", heading: "For developers",
            [.card(Block.Card(.plain, "", parts.map(Block.part)))])
    }

    private var status: Block.Part {
        Block.Part("The store", StatusText(report: report.status, times: page.times, showsAll: page.showsAll).blocks)
    }

    private var log: Block.Part {
        Block.Part(
            "The last changes",
            ReportText.part(report.log) { log in
                guard log.hasHistory else { return [.paragraph("the store keeps no history of its changes")] }
                let text = LogText(log: log, request: ChangeLog.Request(), times: page.times)
                return log.entries.isEmpty
                    ? [.paragraph("the history has no change")] : [.paragraph("\(text.headline)")] + text.sections
            })
    }

    /// Names and units that no record has any more; nothing where they were not asked for.
    private var past: Block.Part? {
        report.lost.map { lost in
            Block.Part(
                "Lost names and units",
                ReportText.part(lost) { LostText(lost: $0, times: page.times, showsAll: page.showsAll).body })
        }
    }

    private var changes: Block.Part {
        let title: Inline = "Changes by meterfix, and their backups"
        guard page.redaction == nil else {
            return Block.Part(
                title, [.paragraph("They are not on a page without personal data, for it is in the backups.")])
        }
        let changes = ReportText.part(report.changes) { history -> [Block] in
            guard !history.items.isEmpty else { return [.paragraph("meterfix has never changed this store")] }
            let text = HistoryText(history: history, times: page.times)
            let shown = ShownPart(of: history.items, most: Self.most, showsAll: page.showsAll)
            return [.paragraph("\(text.headline)")] + text.body(of: shown.elements) + shown.remark
        }
        return Block.Part(
            title,
            changes
                + ReportText.part(report.backups) { list in
                    let shown = ShownPart(of: list.items, most: Self.most, showsAll: page.showsAll)
                    return BackupListText(list: list, times: page.times).body(of: shown.elements) + shown.remark
                })
    }

    /// How to make the page again.
    private var command: Block.Part? {
        guard page.redaction == nil else { return nil }
        let words =
            ["meterfix report", page.storeWord] + page.backupWords + [
                "--output report.html --now \(page.now.description)"
            ]
        return Block.Part("How to make this page again", [.code([words.joined(separator: " ")])])
    }
}
