internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// The values that meters once had: whose, until when, where they were found, and how they come back.
struct LostText {
    let lost: FormerValues
    let times: ShownTimes
    let showsAll: Bool
    /// Values that are shown without `--verbose`.
    private static let most = 40

    var blocks: [Block] {
        let headline: Inline =
            lost.values.isEmpty
            ? "\(lost.store): no lost name or unit was found"
            : "\(lost.store): \(Phrase.count(lost.values.count, "value")) that no record has now, newest first"
        return AlertText.blocks(lost.alerts, times) + [.heading(headline)] + body
    }

    /// What follows the headline.
    var body: [Block] {
        guard !lost.values.isEmpty else { return reach }
        var table = Block.Table(["meter", "field", "value", "until", "found in", ""], widest: 40)
        let shown = ShownPart(of: lost.values, most: Self.most, showsAll: showsAll)
        for value in shown.elements { table.add(cells(value)) }
        return [.table(table)] + shown.remark + reach + commands(shown.elements)
    }

    private func cells(_ value: FormerValue) -> [Block.Cell] {
        return [
            .code(value.address.text(in: lost.letterCase)), .text(value.field.name),
            .text(FieldText.quoted(value.value, value.field.kind)),
            times.cell(value.past.to), .text(Self.words(for: value.past)), .remark(value.past.certainty.rawValue),
        ]
    }

    private static func words(for past: PastRecord) -> String {
        switch past.source {
        case .log: "-wal" + (past.transaction.map { ", before transaction \($0)" } ?? "")
        case .residue: "the rest of a record"
        case .backup: "a backup"
        }
    }

    /// How far back the log goes, or why it says nothing.
    private var reach: [Block] {
        if let problem = lost.reach.problem { return [.note(.note, "nothing from the -wal: \(problem)")] }
        guard let transactions = lost.reach.transactions else { return [] }
        let (first, last) = (transactions.lowerBound, transactions.upperBound)
        return [
            .paragraph(
                "the -wal has the values before and after "
                    + (first == last ? "transaction \(first)" : "the transactions \(first) to \(last)"))
        ]
    }

    private func commands(_ values: ArraySlice<FormerValue>) -> [Block] {
        var commands: [StoreCommand] = []
        for command in values.compactMap(lost.command) where !commands.contains(command) { commands.append(command) }
        guard !commands.isEmpty else { return [] }
        return [
            .paragraph("to restore a value, after a try with --dry-run:"),
            .list(commands.map { NextStep.text(.command($0)) }, marker: .arrow),
        ]
    }
}
