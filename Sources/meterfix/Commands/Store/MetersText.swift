internal import Answer
internal import MeterInspect
internal import MeterModel

/// The meters of a store, a line each.
extension MeterList {
    /// - Parameter total: how many meters the store has, whether or not they are listed.
    func blocks(_ times: ShownTimes, of total: Int) -> [Block] {
        let known = meters.filter { $0.address != nil }
        let others = meters.filter { $0.address == nil }
        let named = known.count { $0.name != nil }
        let counts = "\(Phrase.count(known.count, "meter")), \(named) with a name"
        let found = meters.count < total ? "; listed are \(meters.count) of \(total)" : ""
        var blocks = alerts.blocks(times) + [.heading("\(store): \(counts)\(found)")]
        if !known.isEmpty { blocks.append(.table(table(of: known, first: "meter", times))) }
        if !others.isEmpty {
            let table = table(of: others, first: "address", times)
            blocks.append(.section("records without a usable address", [.table(table)]))
        }
        return blocks + formerNames
    }

    /// The names for which meters are listed that no record has any more.
    private var formerNames: [Block] {
        guard let former, !former.isEmpty else { return [] }
        let lines: [Inline] = former.prefix(Self.mostFormer).map { name in
            let mac = Inline.code(name.lost.address.text(in: letterCase))
            let command =
                name.command.map { Inline("; to have it again: \(.code($0.asDryRun.description))") } ?? ""
            return "\(mac) was named \(name.lost.value.quoted(as: .text))\(command)"
        }
        return .section(
            "names that no record has any more", [.list(lines)] + Block.remark(onRest: former.count - lines.count))
    }

    private static let mostFormer = 20

    /// For a spreadsheet: one table, with the values as they are.
    var sheet: [Block] {
        let rows = meters.map { meter in
            let address = meter.storedAddress.isNull ? nil : meter.storedAddress.display(as: .text)
            let values: [String?] = [
                meter.address?.text(in: letterCase), address, meter.name, meter.temperatureUnit, meter.modelType,
                meter.updatedAt?.description, meter.seenAt?.description, meter.seenBy, meter.lockState,
                meter.lock?.holder, meter.lock?.connectedAt?.description,
                meter.lock?.expiresAt?.description, meter.rows.map(String.init).joined(separator: " "),
                meter.waiting.isEmpty ? "no" : "yes", Self.waiting(meter),
            ]
            return values.map { Block.Cell($0 ?? "") }
        }
        return [.table(.init(DumpSyntax.sheetColumns.map { Block.Cell($0) }, rows: rows))]
    }

    private func table(of meters: [MeterSummary], first: String, _ times: ShownTimes) -> Block.Table {
        let head = [first, "name", "type", "unit", "last seen", "by", "lock", "records", "CloudKit"]
        let rows: [[Block.Cell]] = meters.map { meter in
            [
                meter.address.map { .code($0.text(in: letterCase)) } ?? FieldText.cell(meter.storedAddress),
                .text(name(of: meter)), .text(meter.modelType ?? "–"), .text(meter.temperatureUnit ?? "–"),
                times.cell(meter.seenAt), .text(meter.seenBy ?? "–"), .text(lock(meter)),
                .text(meter.rows.count == 1 ? "row \(meter.rows[0])" : "\(meter.rows.count): \(rowList(meter.rows))"),
                .text(meter.waiting.isEmpty ? "–" : "pending: \(Self.waiting(meter))"),
            ]
        }
        return Block.Table(head.map { Block.Cell($0) }, widest: 32, rows: rows)
    }

    /// The name, and beside it the one of another record for which the meter is listed.
    private func name(of meter: MeterSummary) -> String {
        let name = meter.name ?? "–"
        guard let sought = sought?.lowercased(), !name.lowercased().contains(sought),
            let other = meter.recordNames.first(where: { $0.lowercased().contains(sought) })
        else { return name }
        return "\(name) (a record: \(other))"
    }

    /// What waits for CloudKit, each thing once.
    private static func waiting(_ meter: MeterSummary) -> String {
        var changes: [String] = []
        for change in meter.waiting.map(\.change) where !changes.contains(change) { changes.append(change) }
        return changes.joined(separator: "; ")
    }

    private func lock(_ meter: MeterSummary) -> String {
        guard let lock = meter.lock, let state = meter.lockState else { return "–" }
        return [state, lock.holder].compactMap(\.self).joined(separator: ", ")
    }
}
