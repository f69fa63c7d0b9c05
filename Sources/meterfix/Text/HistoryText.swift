internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What meterfix did to a store as text, the last change first.
struct HistoryText {
    private let history: ChangeHistory
    private let style: Style

    init(_ history: ChangeHistory, _ style: Style) {
        self.history = history
        self.style = style
    }

    var lines: [String] {
        let store = Escaped.text(history.store)
        guard !history.items.isEmpty else { return ["meterfix never changed \(store)"] }
        var table = TextTable()
        for item in history.items {
            table.add([
                "\(item.madeAt)", command(item), counts(item), item.state?.rawValue ?? "",
                backup(of: item),
            ])
        }
        return [style.bold("\(store): \(Phrase.count(history.items.count, "change")) by meterfix")]
            + table.lines(indent: "  ", style) + remark
    }

    private func backup(of item: ChangeHistory.Item) -> String {
        if let backup = item.backup { return Escaped.text(backup) }
        // Without a journal there is nothing that says whether there ever was one.
        return item.command == nil ? "no backup here" : "its backup is gone"
    }

    private var remark: [String] {
        guard history.items.contains(where: { $0.command == nil }) else { return [] }
        return [
            "no backup here: made with --no-backup, kept in another folder (--backup-dir), taken away, or of a journal that "
                + "cannot be read; the store does not say which"
        ]
    }

    private func command(_ item: ChangeHistory.Item) -> String {
        guard let command = item.command else { return "a change" }
        return Escaped.text("\(command) \(item.version ?? "")")
    }

    private func counts(_ item: ChangeHistory.Item) -> String {
        if let restored = item.restored { return "put back \(Escaped.text(restored))" }
        return "\(item.updated) updated, \(item.deleted) deleted, \(item.inserted) inserted"
    }
}
