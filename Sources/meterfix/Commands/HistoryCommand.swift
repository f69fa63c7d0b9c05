internal import ArgumentParser
internal import CoreDataStore
internal import MeterRepair

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show what meterfix did to a store, change by change.",
        discussion: """
            Newest first: when, with which command and version, how many records, whether the change was undone, and \
            where its backup is. This comes from the journals of the backups; a change without a backup here is known \
            from the store's own persistent history. The store is not touched.

            EXAMPLE
              meterfix history CKModel.sqlite
            """)

    @OptionGroup var store: StoreArgument

    @OptionGroup var backups: BackupFolderOption

    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try store.path
        try common.run("history", "reading \(path)") { console throws(StoreError) in
            let history = try ChangeHistory.of(path, folder: backups.backupDir, now: common.clock)
            try console.answer(history.json, HistoryText(history, console.times).blocks)
            return .success
        }
    }
}
