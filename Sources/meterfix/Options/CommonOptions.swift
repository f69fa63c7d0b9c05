internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterModel

/// Options that every command has.
typealias CommonOptions = AnswerOptions<AnswerFormat>

/// The same for an answer in these formats.
struct AnswerOptions<Format: FormatChoice>: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print one JSON document instead of text; the same as --format json.")
    var wantsJSON = false

    @Option(
        name: .customLong("format"),
        help: ArgumentHelp(
            "The format of the answer: \(Format.purposes).", valueName: Format.choices.joined(separator: "|")))
    var chosenFormat: Format?

    @Flag(name: .shortAndLong, help: "Print nothing but errors and warnings; the exit code is the answer.")
    var quiet = false

    @Flag(
        name: .shortAndLong, help: "Show every list in full, with ids and record names, and times to the millisecond.")
    var verbose = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Use colours; auto honours NO_COLOR and TERM=dumb. Default: auto.", valueName: "auto|always|never"))
    var color: ColorChoice?

    @Option(
        name: .long, help: ArgumentHelp("The clock, for reproducible runs.", valueName: "ISO-8601"), transform: moment)
    var now: Timestamp?

    var format: OutputFormat { wantsJSON ? .json : chosenFormat?.format ?? .text }

    /// Whether the answer is JSON.
    var json: Bool { format == .json }

    /// Whether arguments that could not be understood ask for JSON.
    static func wantsJSON(_ arguments: [String]) -> Bool {
        let options = Array(arguments.prefix { $0 != "--" })
        return options.contains("--json") || options.contains("--format=json")
            || zip(options, options.dropFirst()).contains { $0 == "--format" && $1 == "json" }
    }

    /// Whether arguments that no command was run with ask for everything.
    static func isVerbose(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { ["-v", "--verbose"].contains($0) }
    }

    /// Those of the options among the arguments that decide how an error looks.
    static func ofErrors(among arguments: [String]) -> AnswerOptions? {
        let options = Array(arguments.prefix { $0 != "--" })
        let format =
            zip(options, options.dropFirst()).first { $0.0 == "--format" }?.1
            ?? options.first { $0.hasPrefix("--format=") }?.dropFirst("--format=".count).description
        let words = wantsJSON(arguments) ? ["--json"] : format.map { ["--format", $0] } ?? []
        return (try? parse(words)) ?? (try? parse([]))
    }

    func validate() throws {
        if wantsJSON, let chosenFormat, chosenFormat.format != .json {
            throw ValidationError("--json and --format \(chosenFormat.rawValue) exclude each other")
        }
    }

    /// The moment the command takes for now, in whole milliseconds, which is what is worth showing.
    var clock: Timestamp {
        now ?? Timestamp(secondsSince1970: (Date().timeIntervalSince1970 * 1_000).rounded() / 1_000)
    }

    private static func moment(_ text: String) throws -> Timestamp {
        guard let moment = Timestamp(iso8601: text) else {
            throw ValidationError("'\(text)' is not a moment; write it as 2026-11-21T10:15:00Z")
        }
        return moment
    }

    /// Runs a command that looks at one store.
    func look(
        _ command: any ParsableCommand.Type, at path: String,
        _ answer: (_ path: String, Console) throws(StoreError) -> Void
    ) throws {
        try run(command.configuration.commandName ?? "", "reading \(path)") { console throws(StoreError) in
            try answer(path, console)
            return .success
        }
    }

    /// Runs a command's work. What stops it goes to stderr with its hint, with `--json` into a document and with
    /// `--format html` on a page too, unless the answer has begun, and becomes the exit code.
    /// - Parameters:
    ///   - command: its name.
    ///   - activity: what is being done, for a person who waits.
    func run(_ command: String, _ activity: String, _ work: (Console) throws(StoreError) -> ExitStatus) throws {
        let line = ProgressLine("meterfix: \(Escaped.text(activity)) …", isQuiet: quiet)
        let console = Console(
            format, color ?? .auto, title: "meterfix \(command)", now: clock, showsAll: verbose, isQuiet: quiet,
            progress: line)
        defer { line.end() }
        let status: ExitStatus
        do throws(StoreError) {
            status = try WorkProgress.$current.withValue(line.progress) {
                Result { () throws(StoreError) in try work(console) }
            }.get()
        } catch {
            if !StandardStream.hasAnswer {
                if json { try? console.write(document: error.json(command: command)) }
                if format == .html { try? console.write(error.blocks()) }
            }
            console.show(error)
            status = ExitStatus(error.kind)
        }
        if status != .success { throw status.exitCode }
    }
}

/// How the case of canonical addresses is chosen.
enum CaseChoice: String, Choice {
    case auto, upper, lower

    static let help = ArgumentHelp(
        "The letter case of canonical addresses; auto, the default, uses the store's own.",
        valueName: "auto|upper|lower")

    /// Nil to read it from the data.
    var letterCase: LetterCase? { LetterCase(rawValue: rawValue) }

    /// As a user types it.
    var words: [String] { self == .auto ? [] : ["--mac-case", rawValue] }
}

/// The store a command works on. It stands in each command, not in a group: each type of options is looked up anew at each
/// start, among some thousand.
enum StoreArgument {
    static let help = ArgumentHelp(
        "The store's main file, or a folder with one store of the app in it. Default: $METERFIX_STORE.",
        valueName: "STORE")

    /// The path of the store; where a folder is named, of the one in it.
    /// - Parameter store: nil for the store of the environment.
    /// - Throws: `ValidationError` where none is named, `StoreError` for a folder without one or with several.
    static func path(of store: String?) throws -> String {
        try StorePlaces.store(named: named(store.map { [$0] } ?? [])[0])
    }

    /// Nil where neither the command line nor the environment names a store.
    static func pathIfNamed(_ store: String?) throws -> String? {
        try (store ?? fromEnvironment).map { try StorePlaces.store(named: $0) }
    }

    /// The stores as the user names them, at least one: those of the command line, or else that of the environment.
    /// - Throws: `ValidationError` where none is named.
    static func named(_ stores: [String]) throws -> [String] {
        if !stores.isEmpty { return stores }
        guard let store = fromEnvironment else { throw ValidationError("name a STORE, or set METERFIX_STORE") }
        return [store]
    }

    static var fromEnvironment: String? {
        ProcessInfo.processInfo.environment["METERFIX_STORE"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Where a command that looks finds the backups of a store.
struct BackupFolderOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Where the backups are. Default: STORE.meterfix/.", valueName: "DIR"),
        completion: .directory)
    var backupDir: String?

    /// As a user types it.
    var words: [String] { backupDir.map { ["--backup-dir", ShellWord.quoted($0)] } ?? [] }
}

/// The state of a store that a command looks at.
extension PastMoment {
    static let help = ArgumentHelp(
        "Look at the store as it was after this transaction of `log`, at this time, or after this commit of its -wal.",
        valueName: "TRANSACTION|ISO-8601|commit:N")

    /// - Throws: `ValidationError`.
    static func parse(_ text: String) throws -> PastMoment {
        if text.hasPrefix("commit:"), let commit = Int(text.dropFirst("commit:".count)) { return .commit(commit) }
        if let number = Int64(text) { return .transaction(number) }
        guard let time = Timestamp(iso8601: text) else {
            throw ValidationError(
                "'\(text)' is no state; write the number of a transaction, a moment as 2026-11-21T10:15:00Z, or commit:3"
            )
        }
        return .time(time.secondsSince2001)
    }
}

/// The app's own model.
enum ModelOption {
    static let help = ArgumentHelp(
        "The app's model: .xcdatamodel, .xcdatamodeld, .mom or .momd. Default: the one the store carries, or those meterfix knows.",
        valueName: "PATH")

    /// As a user types it.
    static func words(_ path: String?) -> [String] { path.map { ["--model", ShellWord.quoted($0)] } ?? [] }

    static func file(_ path: String?) throws(StoreError) -> ModelFile? {
        guard let path else { return nil }
        return try ModelFile.read(path)
    }
}
