internal import Answer
internal import MeterInspect
internal import MeterJournal
internal import MeterModel

/// What meterfix did to a store, and what of it can be undone, the last change first.
extension ChangeHistory {
    func blocks(_ times: ShownTimes) -> [Block] {
        guard !items.isEmpty else { return ["meterfix has never changed \(store)"] }
        return [.heading("\(store): \(headline)")] + body(of: items[...], times)
    }

    var headline: String { "\(Phrase.count(items.count { $0.state != .halfMade }, "change")) by meterfix" }

    /// What is below the headline.
    /// - Parameter items: those that are shown.
    func body(of items: ArraySlice<Item>, _ times: ShownTimes) -> [Block] { items.map { section($0, times) } + remark }

    private func section(_ item: Item, _ times: ShownTimes) -> Block {
        let unknown = item.madeAt == nil ? "a backup" : "a change"
        let command = item.isFirstAid ? "rebuild --in-use" : item.command ?? unknown
        let states = [item.journal?.restored.map { "restored \($0)" }, item.state.map(Self.words)].compactMap(\.self)
        let when = item.madeAt.map { times.short([$0])[0] } ?? item.entry?.name
        var lines: [Inline] = []
        if let account = item.account {
            lines.append("\(account)")
        } else if let counts = item.counts, item.journal?.restored == nil {
            lines.append("\(counts.updated) updated, \(counts.deleted) deleted, \(counts.inserted) inserted")
        }
        if let note = item.journal?.note { lines.append("note: \(note)") }
        if item.entry == nil {
            lines.append("from the store's history; the backup is not here, so the values are not known")
        } else {
            if let arguments = item.journal?.arguments, !arguments.isEmpty {
                lines.append(.code(commandLine(arguments)))
            }
            lines.append(item.backup.map { "backup: \(.code($0))" } ?? "its backup no longer exists")
        }
        if let problem = item.problem { lines.append("\(item.isDamaged ? "damaged: " : "")\(problem)") }
        if item.isNext {
            let isUndo = item.command == BackupManifest.undoCommand
            lines.append(isUndo ? "meterfix undo --redo redoes the change" : "meterfix undo takes this back")
        }
        return .section(
            "\(when ?? "")  \(([command] + states).joined(separator: ", "))\(maker(item))", [.list(lines)])
    }

    private static func words(_ state: State) -> String {
        switch state {
        case .done, .undone: state.rawValue
        case .elsewhere: "not in this copy"
        case .halfMade: "killed before it happened"
        }
    }

    /// Who made it, with which meterfix.
    private func maker(_ item: Item) -> String {
        let person = item.journal?.person.map { ", by \($0)" } ?? ""
        return person + (item.journal.map { ", meterfix \($0.version)" } ?? "")
    }

    private func commandLine(_ arguments: [String]) -> String {
        (["meterfix"] + arguments.map { $0.hasPrefix("-") ? Self.option($0) : ShellWord.quoted($0) })
            .joined(separator: " ")
    }

    /// An option, with the value that is in the same word.
    private static func option(_ word: String) -> String {
        guard let equals = word.firstIndex(of: "=") else {
            return word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
                ? word : ShellWord.quoted(word)
        }
        return word[...equals] + ShellWord.quoted(String(word[word.index(after: equals)...]))
    }

    private var remark: [Block] {
        guard items.contains(where: { $0.entry == nil }) else { return [] }
        return [
            "no backup here: it was made with --no-backup, is in another folder (--backup-dir), was removed, or its journal cannot be read; the store does not say which"
        ]
    }
}
