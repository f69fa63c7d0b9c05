internal import MeterModel
internal import MeterRepair

/// The backups of a store as text, the last one first.
struct BackupListText {
    private let list: BackupList
    private let style: Style

    init(_ list: BackupList, _ style: Style) {
        self.list = list
        self.style = style
    }

    var lines: [String] {
        guard !list.items.isEmpty else { return ["no backups in \(Escaped.text(list.folder))"] }
        var table = TextTable()
        for item in list.items {
            table.add([
                item.isNext ? "→" : "", Escaped.text(item.entry), item.bytes.map { "\($0) bytes" } ?? "–",
                sentence(item),
            ])
        }
        return [style.bold(Escaped.text(list.folder))] + table.lines(indent: "  ", style)
    }

    private func sentence(_ item: BackupList.Item) -> String {
        let remark = item.state == .damaged ? nil : item.problem
        return state(of: item) + (remark.map { "; \(Escaped.text($0))" } ?? "")
    }

    private func state(of item: BackupList.Item) -> String {
        switch item.state {
        case .done: item.isNext ? "meterfix undo takes this back" : "can be undone after those above"
        case .redoable: "an undo, meterfix undo --redo takes it back"
        case .spent: "undone, or no longer to be brought back"
        case .halfMade: "half-made: the change did not happen"
        case .damaged: "damaged: \(Escaped.text(item.problem ?? "it cannot be read"))"
        }
    }
}
