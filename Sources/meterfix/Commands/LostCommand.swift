internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

struct LostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lost", abstract: "List the names and units that meters once had and no record has now.",
        discussion: """
            Looks for them in the store's -wal, which often still has the states after the last transactions; in what is \
            left of deleted and overwritten records in the files; and in the backups of changes by meterfix. For each \
            value it says which meter had it, until when as far as that is known, where it was found, how certain it is, \
            and the command that gives it back. Nothing is given back by itself, and the store is not touched.

            "certain" is a record of a state of the past of which every page is known. "likely" is what is left of a \
            record, complete enough to be told from any other. What only looks like a record is "possible": it is \
            listed with --all, which also lists other values that the user made.

            The answer has personal data that the owner may have deleted.

            EXAMPLES
              meterfix lost CKModel.sqlite
              meterfix lost --find kitchen CKModel.sqlite
              meterfix lost --all --json CKModel.sqlite
            """)

    @OptionGroup var store: StoreArgument
    @Option(
        name: .long,
        help: ArgumentHelp("List only values with this text in them or in their meter's address.", valueName: "TEXT"))
    var find: String?
    @Flag(name: .long, help: "List what is only possible, too, and every value that the user made.")
    var all = false
    @OptionGroup var backups: BackupFolderOption
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try store.path
        try common.run("lost", "reading \(path)") { console throws(StoreError) in
            let found = try Lost.of(path, all: all, folder: backups.backupDir, now: common.clock)
            let lost = find.map { found.finding($0) } ?? found
            try console.answer(
                lost, warnings: lost.warnings, LostText(lost, console.times, showsAll: common.verbose).blocks)
            return .success
        }
    }
}
