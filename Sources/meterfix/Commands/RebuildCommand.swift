internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct RebuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Keep one record of each meter, update it in place, delete only the others.",
        discussion: """
            The canonical rebuild v3. Of each meter's records one is kept; it takes the newest name, unit and model \
            type anyone typed, the latest lock and discovery and the earliest creation date. The change is one \
            transaction with its persistent history, so that CloudKit learns of it, and is checked before it is \
            committed. The store's files are saved first.

            Exits with 1 when a dry run finds changes to make, with 2 when errors remain that a person must look at.

            EXAMPLES
              meterfix rebuild --dry-run CKModel.sqlite
              meterfix rebuild CKModel.sqlite
              meterfix rebuild --winner newest --mac-case upper CKModel.sqlite
            """)

    @OptionGroup var store: StoreArgument

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Which record is kept: the one with most user data, or the newest, as the app itself does.",
            valueName: "most-complete|newest"))
    var winner: WinnerPolicy = .mostComplete

    @OptionGroup var spelling: SpellingOption

    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try store.path
        try common.run("rebuild", "rebuilding \(path)") { console throws(StoreError) in
            var options = writing.changeOptions(now: common.clock)
            options.letterCase = spelling.macCase.letterCase
            let report = try ChangeRun.rebuild(path, policy: winner, options: options)
            report.warnings.forEach(console.warn)
            if common.json {
                try console.write(report.json, onOneLine: false)
            } else {
                try console.write(
                    RebuildText(report, console.style, showsAll: common.verbose, options: planOptions).lines)
            }
            return status(of: report)
        }
    }

    /// The options that decide what is done, as a user types them.
    private var planOptions: [String] {
        var words: [String] = []
        if winner != .mostComplete { words += ["--winner", winner.rawValue] }
        if spelling.macCase != .auto { words += ["--mac-case", spelling.macCase.rawValue] }
        return words + writing.words
    }

    private func status(of report: Report) -> ExitStatus {
        if report.outcome == .planned { return .found }
        return report.worst == .error ? .remains : .success
    }
}

extension WinnerPolicy: ExpressibleByArgument {}

/// Options of every command that writes.
struct WritingOptions: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show what would change; the store is not touched.")
    var dryRun = false

    @Option(
        name: .long,
        help: ArgumentHelp("Where to save the store's files first. Left out: STORE.meterfix/.", valueName: "DIR"),
        completion: .directory)
    var backupDir: String?

    @Flag(name: .long, help: "Save nothing first. What the change deletes can then not be brought back.")
    var noBackup = false

    @Flag(name: .long, help: "Go on where a refusal says so.")
    var force = false

    func validate() throws {
        if noBackup && backupDir != nil { throw ValidationError("--no-backup and --backup-dir exclude each other") }
    }

    /// The options that the real run needs too, as a user types them.
    var words: [String] {
        var words: [String] = []
        if force { words.append("--force") }
        if noBackup { words.append("--no-backup") }
        if let folder = backupDir { words += ["--backup-dir", ShellWord.quoted(Escaped.text(folder))] }
        return words
    }

    func changeOptions(now: Timestamp) -> ChangeOptions {
        var options = ChangeOptions(now: now)
        options.isDryRun = dryRun
        options.backupFolder = backupDir
        options.makesBackup = !noBackup
        options.force = force
        return options
    }
}
