internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "undo", abstract: "Undo the last change meterfix made.",
        discussion: """
            Restores the files that were saved before the last change, byte for byte. Run it again to go further back, \
            one change at a time. The state before each undo is saved too: --redo undoes an undo. In a store with a \
            rollback journal, SQLite's counters in the header keep their values; everything else is restored.

            If the store has changed since, nothing is done. The answer names the meters and values that would be \
            lost, then the rows, and the commands that undo only a part; --force undoes the change anyway, together \
            with everything done since. Undo changes only this copy, not CloudKit. Other bytes with the same contents \
            do not count as a change, for example after the app has checkpointed its WAL.

            --list shows what meterfix did to the store, the last change first: when, by whom, with which command and \
            version, to how many records, whether it was undone, what undo takes back next, where its backup is, and \
            whether that is intact. A change without a backup here is known from the store's persistent history. What \
            the app and other devices changed: meterfix log.

            Exits with 3 if the store has changed since, with 1 if a dry run finds something to undo.

            EXAMPLES
              meterfix undo --list CKModel.sqlite
              meterfix undo --dry-run CKModel.sqlite
              meterfix undo CKModel.sqlite
              meterfix undo --redo CKModel.sqlite
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?

    @Flag(name: .long, help: "List what meterfix did, and what of it can be undone; the store is not touched.")
    var list = false

    @Flag(name: .long, help: "Undo the last undo instead of the last change.")
    var redo = false

    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if list && redo { throw ValidationError("--list shows both; leave out --redo") }
        if list && writing.dryRun { throw ValidationError("--list changes nothing; leave out --dry-run") }
    }

    func run() throws {
        let path = try StoreArgument.path(of: store)
        try common.run("undo", "\(list ? "reading" : "restoring") \(path)") { console throws(StoreError) in
            list ? try show(path, console) : try takeBack(path, console)
        }
    }

    private func show(_ path: String, _ console: Console) throws(StoreError) -> ExitStatus {
        let history = try ChangeHistory.of(path, folder: writing.backupDir, now: common.clock)
        try console.answer(history.json, warnings: history.warnings, history.blocks(console.times))
        return .success
    }

    private func takeBack(_ path: String, _ console: Console) throws(StoreError) -> ExitStatus {
        let options = try writing.changeOptions(for: console, now: common.clock)
        let report = try Undo.run(path, redoes: redo, options: options)
        do throws(StoreError) {
            try console.answer(
                report, warnings: report.warnings,
                UndoText(
                    report: report, times: console.times, options: writing.backupWords,
                    commandWithoutDryRun: ["undo"] + (redo ? ["--redo"] : []) + writing.words
                ).blocks)
        } catch {
            guard report.outcome == .applied else { throw error }
            throw CommonOptions.untold(error, path, undo: "undo --redo")
        }
        switch report.outcome {
        case .planned: return .found
        case .stale: return .stale
        case .applied, .unchanged: return .success
        }
    }
}
