internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterRepair

/// Options of every command that writes.
struct WritingOptions: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show what would change; the store is not touched.")
    var dryRun = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Make the change only if it is the one that a dry run showed with this fingerprint.",
            valueName: "FINGERPRINT"), transform: Self.fingerprint)
    var expect: PlanFingerprint?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the backups are: the store's files are saved there before each change, and undo restores them. "
                + "Default: STORE.meterfix/.", valueName: "DIR"),
        completion: .directory)
    var backupDir: String?

    @Flag(name: .long, help: "Skip the backup. What the change deletes cannot be restored then.")
    var noBackup = false

    @Flag(name: .long, help: "Override refusals that mention --force.")
    var force = false

    @Flag(
        name: .long,
        help: "Change a store without its -wal file, or without a part of it: the missing changes are lost for good.")
    var acceptMissingWal = false

    @Option(
        name: .long,
        help: ArgumentHelp("Why the change is made; `undo --list` shows it.", valueName: "TEXT"),
        transform: ArgumentText.exact)
    var note: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Who makes the change; `undo --list` shows it. Default: $METERFIX_USER.", valueName: "NAME"),
        transform: ArgumentText.exact)
    var by: String?

    func validate() throws {
        if noBackup && note != nil && !dryRun {
            throw ValidationError("--note is kept with the backup, and --no-backup makes none")
        }
        if noBackup && backupDir != nil { throw ValidationError("--no-backup and --backup-dir exclude each other") }
        try ArgumentText.validate(output: backupDir, "--backup-dir")
    }

    private static func fingerprint(_ word: String) throws -> PlanFingerprint {
        guard let fingerprint = PlanFingerprint(word) else {
            throw ValidationError(
                "'\(Escaped.text(word))' is no fingerprint: it has 16 hex digits, as the last line of a dry run")
        }
        return fingerprint
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
        (force ? ["--force"] : []) + (acceptMissingWal ? [ChangeResult.acceptanceOfMissingLog] : []) + backupWords
            + [note.map { ShellWord.option("--note", $0) }, by.map { ShellWord.option("--by", $0) }].compactMap(\.self)
    }

    /// Nil for a text with nothing in it.
    private static func shown(_ text: String?) -> String? {
        text.map(WhiteSpace.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Parameters:
    ///   - console: for what is said before the change is made.
    ///   - now: is written into records.
    /// - Throws: `StoreError`, `unsuitable` for a moment that `verify` would not believe.
    func changeOptions(for console: Console, now: Timestamp) throws(StoreError) -> ChangeOptions {
        guard now.isPlausible else {
            throw StoreError(
                .unsuitable, at: "the clock",
                "now is \(now) by it, and a date before 2007 or after 3999 counts as none; nothing was changed",
                hint: "set this computer's clock, or name the present moment with --now")
        }
        var options = ChangeOptions(now: now)
        options.warn = { console.warn($0) }
        options.shownNames = console.shownNames
        options.isDryRun = dryRun
        options.expected = expect
        options.backupFolder = backupDir
        options.makesBackup = !noBackup
        options.force = force
        options.acceptsMissingLog = acceptMissingWal
        options.arguments = Array(CommandLine.arguments.dropFirst())
        options.person = Person.current
        options.person?.name = Self.shown(by ?? ProcessInfo.processInfo.environment["METERFIX_USER"])
        options.note = Self.shown(note)
        return options
    }
}

extension AnswerOptions {
    /// What failed is the telling: whoever takes the change for failed makes it twice.
    /// - Parameter undo: the command that takes the change back; nil where none does.
    static func untold(_ error: StoreError, _ store: String, undo: String?) -> StoreError {
        let word = ShellWord.quoted(store)
        let way = undo.map { ", and `meterfix \($0) \(word)` takes it back" } ?? ""
        // Interrupted means that nothing was changed.
        return StoreError(
            error.kind == .interrupted ? .inputOutput : error.kind, at: error.path,
            "\(error.message); but the change WAS MADE: it is in \(store)",
            hint: "do not run it again; `meterfix verify \(word)` shows the store\(way)")
    }

    /// Makes the change that a command asks for, or plans it, and answers with it.
    /// - Parameters:
    ///   - activity: what is being done, for a person who waits.
    func change(
        _ command: WritingCommand, _ activity: String, _ writing: WritingOptions,
        _ make: (ChangeOptions) throws(StoreError) -> ChangeResult
    ) throws {
        try run(command.rawValue, activity) { console throws(StoreError) in
            var made = try make(try writing.changeOptions(for: console, now: clock))
            made.backupWords = writing.backupFolderWords
            do throws(StoreError) {
                try console.answer(made.report, warnings: made.report.warnings, made.blocks(console.times))
            } catch {
                guard made.report.outcome == .applied else { throw error }
                throw Self.untold(error, made.report.store, undo: made.report.backup == nil ? nil : "undo")
            }
            return made.exitStatus
        }
    }
}
