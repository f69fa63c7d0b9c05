internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect

struct LostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "lost", abstract: "List the names and units that meters once had and no record has now.",
        discussion: """
            Looks in the store's -wal, which often still has the states after the last transactions; in the remains of \
            deleted and overwritten records in the files; and in the backups of meterfix. For each value it shows \
            which meter had it, until when (if that is known), where it was found, how certain it is, and the command \
            that restores it. The store is not touched.

            "certain" is a record from a past state whose pages are all known. "likely" is the rest of a record, \
            complete enough to be told from any other. Bytes that only look like a record are "possible": they are \
            listed with --all, which also lists other values that the user made.

            The answer contains personal data that the owner may have deleted.

            EXAMPLES
              meterfix lost CKModel.sqlite
              meterfix lost --find kitchen CKModel.sqlite
              meterfix lost --all --json CKModel.sqlite
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?
    @Option(
        name: .long,
        help: ArgumentHelp("List only values with this text in them or in their meter's address.", valueName: "TEXT"))
    var find: String?
    @Flag(name: .long, help: "List possible values too, and every value that the user made.")
    var all = false
    @OptionGroup var backups: BackupFolderOption
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.look(Self.self, at: StoreArgument.path(of: store)) { path, console throws(StoreError) in
            let found = try FormerValues.of(path, all: all, folder: backups.backupDir, now: common.clock)
            let lost = find.map { found.finding($0) } ?? found
            try console.answer(lost, warnings: lost.warnings, lost.blocks(console.times))
        }
    }
}
