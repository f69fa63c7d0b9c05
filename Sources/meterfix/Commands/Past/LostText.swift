internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// The values that meters once had: whose, until when, where they were found, and how they come back.
extension FormerValues {
    func blocks(_ times: ShownTimes) -> [Block] {
        let headline: Inline =
            values.isEmpty
            ? "\(store): no lost name or unit was found"
            : "\(store): \(Phrase.count(values.count, "value")) that no record has now, newest first"
        return alerts.blocks(times) + [.heading(headline)] + body(times)
    }

    /// What follows the headline.
    func body(_ times: ShownTimes) -> [Block] {
        guard !values.isEmpty else { return logReach }
        let shown = ShownPart(of: values, most: 40, showsAll: times.showsAll)
        let table = Block.Table(
            ["meter", "field", "value", "until", "found in", ""], widest: 40,
            rows: shown.elements.map { cells($0, times) })
        return [.table(table)] + shown.remark + logReach + commands(shown.elements)
    }

    private func cells(_ value: FormerValue, _ times: ShownTimes) -> [Block.Cell] {
        [
            .code(value.address.text(in: letterCase)), .text(value.field.name),
            .text(value.value.quoted(as: value.field.kind)),
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
    private var logReach: [Block] {
        if let problem = reach.problem { return [.note(.note, "nothing from the -wal: \(problem)")] }
        guard let transactions = reach.transactions else { return [] }
        let (first, last) = (transactions.lowerBound, transactions.upperBound)
        let part = first == last ? "transaction \(first)" : "the transactions \(first) to \(last)"
        return ["the -wal has the values before and after \(part)"]
    }

    private func commands(_ values: ArraySlice<FormerValue>) -> [Block] {
        var commands: [StoreCommand] = []
        for command in values.compactMap(command(for:)) where !commands.contains(command) { commands.append(command) }
        guard !commands.isEmpty else { return [] }
        return [
            "to restore a value, after a try with --dry-run:",
            .list(commands.map { NextStep.text(.command($0)) }, marker: .arrow),
        ]
    }
}
