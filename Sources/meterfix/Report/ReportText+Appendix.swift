internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What a developer wants to know of a store, each part behind a line.
extension ReportText {
    /// Changes by meterfix, and backups, that are shown without `--verbose`.
    private static let most = 10

    var appendix: Section {
        let parts = [status, lastChanges, past, changes, command].compactMap(\.self)
        return Section(
            .technical, "For developers", heading: "For developers",
            [.card(Block.Card(.plain, "", parts.map(Block.part)))])
    }

    private var status: Block.Part { Block.Part("The store", report.status.body(times)) }

    private var lastChanges: Block.Part {
        Block.Part(
            "The last changes",
            Self.part(report.log) { log in
                guard log.hasHistory else { return ["the store keeps no history of its changes"] }
                let text = LogText(log: log, request: ChangeLog.Request(), times: times)
                return log.entries.isEmpty
                    ? ["the history has no change"] : ["\(text.headline)"] + text.sections
            })
    }

    /// Names and units that no record has any more; nothing where they were not asked for.
    private var past: Block.Part? {
        report.lost.map { lost in Block.Part("Lost names and units", Self.part(lost) { $0.body(times) }) }
    }

    private var changes: Block.Part {
        let title: Inline = "Changes by meterfix, and their backups"
        guard redaction == nil else {
            return Block.Part(title, ["They are not on a page without personal data, for it is in the backups."])
        }
        return Block.Part(
            title,
            Self.part(report.changes) { history -> [Block] in
                guard !history.items.isEmpty else { return ["meterfix has never changed this store"] }
                let shown = ShownPart(of: history.items, most: Self.most, showsAll: showsAll)
                return ["\(history.headline)"] + history.body(of: shown.elements, times) + shown.remark
            })
    }

    /// How to make the page again.
    private var command: Block.Part? {
        guard redaction == nil else { return nil }
        let words = ["meterfix report", storeWord] + backupWords + ["--output report.html --now \(now.description)"]
        return Block.Part("How to make this page again", [.code([words.joined(separator: " ")])])
    }
}
