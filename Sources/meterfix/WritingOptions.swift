internal import ArgumentParser
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// Options of every command that writes.
struct WritingOptions: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show what would change; the store is not touched.")
    var dryRun = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the backups are: the store's files are saved there before each change, and taken from there by undo. "
                + "Default: STORE.meterfix/.", valueName: "DIR"),
        completion: .directory)
    var backupDir: String?

    @Flag(name: .long, help: "Skip the backup. What the change deletes can then not be restored.")
    var noBackup = false

    @Flag(name: .long, help: "Override refusals that mention --force.")
    var force = false

    @Flag(
        name: .long,
        help:
            "Change a store that came without its -wal file, or without a part of it: what is missing is lost for good."
    )
    var acceptMissingWal = false

    func validate() throws {
        if noBackup && backupDir != nil { throw ValidationError("--no-backup and --backup-dir exclude each other") }
        try OutputOption.validate(backupDir, "--backup-dir")
    }

    /// The options of the backup, as a user types them.
    var backupWords: [String] {
        if noBackup { return ["--no-backup"] }
        return backupDir.map { ["--backup-dir", ShellWord.quoted($0)] } ?? []
    }

    /// The option with which a later command finds the backup, as a user types it; nil where none is made.
    var backupFolderWords: [String]? { noBackup ? nil : backupWords }

    /// The options that the real run needs too, as a user types them.
    var words: [String] {
        (force ? ["--force"] : []) + (acceptMissingWal ? ["--accept-missing-wal"] : []) + backupWords
    }

    /// - Parameter console: for what is said before the change is made.
    func changeOptions(for console: Console, now: Timestamp) -> ChangeOptions {
        var options = ChangeOptions(now: now)
        options.warn = { console.warn($0) }
        options.shownNames = console.shownNames
        options.shownFindings = console.shownFindings
        options.isDryRun = dryRun
        options.backupFolder = backupDir
        options.makesBackup = !noBackup
        options.force = force
        options.acceptsMissingLog = acceptMissingWal
        options.arguments = Array(CommandLine.arguments.dropFirst())
        options.person = Person.current
        return options
    }
}
