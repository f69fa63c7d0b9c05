internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The backups of a store, the last one first.
struct BackupListText {
    private let list: BackupList
    private let times: ShownTimes

    init(_ list: BackupList, _ times: ShownTimes) {
        self.list = list
        self.times = times
    }

    var blocks: [Block] {
        let body = body(of: list.items[...])
        return list.items.isEmpty ? body : [.heading("\(list.folder)")] + body
    }

    /// What is below the heading.
    /// - Parameter items: those that are shown.
    func body(of items: ArraySlice<BackupList.Item>) -> [Block] {
        guard !list.items.isEmpty else { return [.paragraph("no backups in \(list.folder)")] }
        var table = Block.Table()
        for item in items {
            table.add([
                item.isNext ? "→" : "", .code(item.entry), times.cell(item.madeAt),
                .number(item.bytes.map { "\($0) bytes" } ?? "–"),
                .remark(sentence(item)),
            ])
        }
        return [.table(table)]
    }

    private func sentence(_ item: BackupList.Item) -> String {
        let remark = item.state == .damaged ? nil : item.problem
        return state(of: item) + (remark.map { "; \($0)" } ?? "")
    }

    private func state(of item: BackupList.Item) -> String {
        switch item.state {
        case .done: item.isNext ? "meterfix undo takes this back" : "can be undone after those above"
        case .redoable: "an undo, meterfix undo --redo takes it back"
        case .spent: "undone, or no longer to be brought back"
        case .halfMade: "half-made: the change did not happen"
        case .damaged: "damaged: \(item.problem ?? "it cannot be read")"
        }
    }
}
