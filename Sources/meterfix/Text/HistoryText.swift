internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What meterfix did to a store, the last change first.
struct HistoryText {
    private let history: ChangeHistory

    init(_ history: ChangeHistory) { self.history = history }

    var blocks: [Block] {
        guard !history.items.isEmpty else { return [.paragraph("meterfix never changed \(history.store)")] }
        var table = Block.Table()
        for item in history.items {
            table.add([
                .moment("\(item.madeAt)"), .text(command(item)), .text(counts(item)), .text(item.state?.rawValue ?? ""),
                backup(of: item),
            ])
        }
        return [
            .heading("\(history.store): \(Phrase.count(history.items.count, "change")) by meterfix"), .table(table),
        ] + remark
    }

    private func backup(of item: ChangeHistory.Item) -> Block.Cell {
        if let backup = item.backup { return .code(backup) }
        // Without a journal there is nothing that says whether there ever was one.
        return .remark(item.command == nil ? "no backup here" : "its backup is gone")
    }

    private var remark: [Block] {
        guard history.items.contains(where: { $0.command == nil }) else { return [] }
        return [
            .paragraph(
                "no backup here: made with --no-backup, kept in another folder (--backup-dir), taken away, or of a journal that cannot be read; the store does not say which"
            )
        ]
    }

    private func command(_ item: ChangeHistory.Item) -> String {
        guard let command = item.command else { return "a change" }
        return "\(command) \(item.version ?? "")"
    }

    private func counts(_ item: ChangeHistory.Item) -> String {
        if let restored = item.restored { return "put back \(restored)" }
        return "\(item.updated) updated, \(item.deleted) deleted, \(item.inserted) inserted"
    }
}
