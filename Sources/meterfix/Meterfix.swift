internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterInspect
internal import MeterJournal

@main
struct Meterfix: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meterfix",
        abstract: "Migrates, repairs and verifies the Core Data + CloudKit store of USB Meter.",
        discussion: """
            Works on CKModel.sqlite from outside the app: on a copy from a customer, or on a Mac while the app is \
            closed. Keep the -wal file beside the store: some of the records may be only there.

            EXAMPLES
              meterfix verify CKModel.sqlite             what is wrong, and what to do
              meterfix rebuild --dry-run CKModel.sqlite  what a repair would change
              meterfix rebuild CKModel.sqlite            repair it, with a backup
              meterfix undo CKModel.sqlite               undo the last change
            """,
        version: Version.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Inspect",
                subcommands: [
                    VerifyCommand.self, StatusCommand.self, MetersCommand.self, ShowCommand.self, LogCommand.self,
                    SyncCommand.self, ExplainCommand.self, CheckAppCommand.self, LostCommand.self,
                    DevicesCommand.self, WhereCommand.self, ReportCommand.self, RedactCommand.self,
                ]),
            CommandGroup(
                name: "Repair",
                subcommands: [
                    RebuildCommand.self, ImportCommand.self, MigrateCommand.self, FixCommand.self, RecoverCommand.self,
                ]),
            CommandGroup(
                name: "Edit one meter", subcommands: [SetCommand.self, UnlockCommand.self, DeleteCommand.self]),
            CommandGroup(
                name: "Go back", subcommands: [UndoCommand.self, RestoreRecordCommand.self]),
            CommandGroup(name: "Several devices", subcommands: [CompareCommand.self]),
        ])

    static func main() {
        StandardStream.openMissing()
        if let shortage = Resources.shortage { end(with: shortage) }
        guard Interruption.listen() else {
            end(
                with: StoreError(
                    .inputOutput, at: "limits", "no thread can be begun", hint: "raise the limit (`ulimit -u`)"))
        }
        StoreConnection.countNoMemory()
        PrivateFolder.removeLeftovers(at: .temporary)
        var running: (any ParsableCommand)?
        do {
            try ArgumentText.refuseOtherFiles()
            if arguments == ["help", ExitStatus.helpName] {
                try StandardStream.output.write(ExitStatus.help + "\n")
                return
            }
            var command = try parse()
            running = command
            try command.run()
        } catch let error as StoreError {
            end(command: arguments.first ?? "", with: error)
        } catch {
            end(withUsage: error, of: running.map { type(of: $0) })
        }
    }

    static var commandNames: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

    /// As of any other error.
    static let _errorPrefix = "meterfix: "

    /// Those of the command line.
    private static let arguments = Array(CommandLine.arguments.dropFirst())

    /// Ends with an error from before the command began: the folder that stands for its store has none, or several.
    private static func end(command: String, with error: StoreError) -> Never {
        do {
            guard let options = CommonOptions.ofErrors(among: CommandLine.arguments) else { end(with: error) }
            try options.run(command, "looking for the store") { _ throws(StoreError) in throw error }
        } catch {
            end(withUsage: error)
        }
        end(with: error)
    }

    /// The command with its arguments. One that the first argument names is parsed by itself, without a tree of all the
    /// others. Whatever is not understood so, help and wrong usage too, is for the whole program, which says it better.
    private static func parse() throws -> any ParsableCommand {
        if let named = configuration.subcommands.first(where: { $0.configuration.commandName == arguments.first }),
            let command = try? named.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == named
        {
            return command
        }
        return try parseAsRoot(arguments)
    }

    /// Ends as `ParsableCommand.exit(withError:)` does, but what the user typed, such as the name of a customer's file,
    /// is shown without its control characters, and where JSON was asked for, wrong usage is a document too.
    /// - Parameter command: that was running; nil where the arguments were not understood.
    private static func end(withUsage error: any Error, of command: (any ParsableCommand.Type)? = nil) -> Never {
        // The command itself has said why. A message would be made of the command's help, for nothing.
        if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
        let code = exitCode(for: error)
        let given = self.message(for: error)
        var sentence = code.isSuccess ? given : UsageText.sentence(given)
        var message = UsageText.withExamplesLast(
            fullMessage(for: error).replacingOccurrences(of: given, with: sentence))
        // The parser knows nothing of the command that has begun.
        if code == .validationFailure, let command, let name = command.configuration.commandName {
            message = message.replacingOccurrences(of: usageString(), with: usageString(for: command))
                .replacingOccurrences(of: "hint: meterfix --help", with: "hint: meterfix \(name) --help")
        }
        if code.isSuccess, given == Version.current, CommonOptions.isVerbose(arguments) { message = Version.details }
        // What else is wrong may be so because of it.
        if code == .validationFailure,
            let better = Misspelling.sentence(on: arguments[...], refusedWith: sentence)
        {
            message = message.replacingOccurrences(of: sentence, with: better)
            sentence = better
        }
        if !code.isSuccess {
            for argument in arguments where !argument.isEmpty {
                let shown = Escaped.text(argument)
                if shown != argument { message = message.replacingOccurrences(of: argument, with: shown) }
            }
        }
        if code == .validationFailure, CommonOptions.wantsJSON(CommandLine.arguments) {
            let command = commandNames.first { $0 == arguments.first }
            let help = ["meterfix", command, "--help"].compactMap(\.self).joined(separator: " ")
            let document = JSONDocument.error(sentence, hint: "see \(help)", code: code.rawValue, command: command)
            try? StandardStream.output.write(document.line(pretty: true))
        }
        if !message.isEmpty {
            let stream: StandardStream = code.isSuccess ? .output : .error
            do {
                try stream.write(UsageText.wrapped(message, columns: stream.columns ?? UsageText.columns) + "\n")
            } catch {
                end(with: error)
            }
        }
        Foundation.exit(code.rawValue)
    }

    /// Ends with an error that is about no command.
    private static func end(with error: StoreError) -> Never {
        // Where this cannot be written either, the exit code still says it.
        try? StandardStream.error.write(Console.text(of: error))
        Foundation.exit(ExitStatus(error.kind).rawValue)
    }
}

extension CommandConfiguration {
    /// Of one of the program's commands. Only the whole program looks whether completions are asked for: that would take each
    /// start of a command a quarter of its time.
    init(command: String, abstract: String, usage: String? = nil, discussion: String) {
        self.init(
            commandName: command, _superCommandName: "meterfix", abstract: abstract, usage: usage,
            discussion: discussion)
    }
}
