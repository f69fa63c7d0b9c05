internal import ArgumentParser
internal import CoreDataStore
internal import MeterRepair

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back the last change meterfix made.",
        discussion: """
            Puts the files back that were saved before the last change, byte for byte. Run it again to go further back, \
            one change at a time. The state before each undo is saved too: --redo takes an undo back. In a store with a \
            rollback journal SQLite's counters in the header go on; all else is as it was saved.

            If the store's contents have moved on since the change, nothing is done and the rows that moved are listed; \
            --force takes the change back all the same, and with it what was done since. Bytes that differ while the \
            contents are the same, as after the app has put its log into the main file, do not count.

            Exits with 3 when the store moved on, with 1 when a dry run finds something to take back.

            EXAMPLES
              meterfix undo --list CKModel.sqlite
              meterfix undo --dry-run CKModel.sqlite
              meterfix undo CKModel.sqlite
              meterfix undo --redo CKModel.sqlite
            """)

    @OptionGroup var store: StoreArgument

    @Flag(name: .long, help: "Show what can be taken back, and whether it is whole; the store is not touched.")
    var list = false

    @Flag(name: .long, help: "Take the last undo back instead of the last change.")
    var redo = false

    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if list && redo { throw ValidationError("--list shows both; leave out --redo") }
        if list && writing.dryRun { throw ValidationError("--list changes nothing; leave out --dry-run") }
    }

    func run() throws {
        let path = try store.path
        try common.run("undo", "\(list ? "reading" : "restoring") \(path)") { console throws(StoreError) in
            list ? try show(path, console) : try takeBack(path, console)
        }
    }

    private func show(_ path: String, _ console: Console) throws(StoreError) -> ExitStatus {
        let listing = try BackupList.of(path, folder: writing.backupDir)
        try console.answer(listing.json, BackupListText(listing).blocks)
        return .success
    }

    private func takeBack(_ path: String, _ console: Console) throws(StoreError) -> ExitStatus {
        let report = try Undo.run(path, redoes: redo, options: writing.changeOptions(now: common.clock))
        try console.answer(
            report, warnings: report.warnings,
            UndoText(
                report, showsAll: common.verbose, options: writing.backupWords, isForced: writing.force
            ).blocks)
        switch report.outcome {
        case .planned: return .found
        case .stale: return .stale
        case .applied, .unchanged: return .success
        }
    }
}
