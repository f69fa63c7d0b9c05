internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect

struct ChangesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "changes", abstract: "Show what meterfix did to a store, change by change.",
        discussion: """
            Lists the changes newest first: when, with which command and version, how many records, whether the change \
            was undone, and where its backup is. This comes from the journals of the backups; a change without a backup \
            here is known from the store's persistent history. What the app and other devices changed: meterfix log. The \
            store is not touched.

            EXAMPLE
              meterfix changes CKModel.sqlite
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?
    @OptionGroup var backups: BackupFolderOption
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.look(Self.self, at: StoreArgument.path(of: store)) { path, console throws(StoreError) in
            let history = try ChangeHistory.of(path, folder: backups.backupDir, now: common.clock)
            try console.answer(
                history.json, warnings: [history.warning].compactMap(\.self), history.blocks(console.times))
        }
    }
}
