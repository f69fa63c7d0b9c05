internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterInspect
internal import MeterRepair

@main
struct Meterfix: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meterfix",
        abstract: "Migrates, repairs and verifies the Core Data + CloudKit store of USB Meter.",
        discussion: """
            Works on CKModel.sqlite from outside the app: on a copy from a customer, or on a Mac while the app is \
            closed. Keep the -wal file beside the store: some of the records may be only there.

            EXAMPLES
              meterfix status CKModel.sqlite             what is in it
              meterfix meters CKModel.sqlite             its meters, a line each
              meterfix show "Kitchen charger" CKModel.sqlite  everything about one of them
              meterfix log CKModel.sqlite                who changed what, and when
              meterfix verify CKModel.sqlite             what is wrong with it
              meterfix sync CKModel.sqlite               what waits for CloudKit
              meterfix report CKModel.sqlite --output report.html  one page for the ticket
              meterfix rebuild --dry-run CKModel.sqlite  what a repair would change
              meterfix rebuild CKModel.sqlite            repair it, with a backup
              meterfix rebuild --in-use CKModel.sqlite   first aid while devices are in use
              meterfix import-kv names.plist CKModel.sqlite  import the old names
              meterfix migrate CKModel.sqlite            migrate the schema from v1 to v2
              meterfix fix --all CKModel.sqlite          carry out the cures that lose nothing
              meterfix set "Lab" --name "Shed" CKModel.sqlite  give a meter another name
              meterfix undo CKModel.sqlite               undo the last change
              meterfix rehearse phone.sqlite mac.sqlite  rehearse a repair of two devices

            EXIT CODES
              0    clean, done, or nothing to do; verify: no errors
              1    errors, changes to make, a loss or differences found
              2    done, but something remains for a person
              3    stale: the store has changed since the plan or the change
              4    not a store this command can work on
              64   wrong usage
              65   damaged input: not a database, or a corrupt one
              66   no such file, or a folder without the one store
              70   a bug in meterfix
              73   an output or the backup cannot be created
              74   I/O error, or no space left
              75   in use by another process, try again
              77   permission denied
              130  interrupted, nothing was changed
            """,
        version: Version.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Look",
                subcommands: [
                    StatusCommand.self, MetersCommand.self, ShowCommand.self, LogCommand.self, LostCommand.self,
                    VerifyCommand.self,
                    SyncCommand.self, LocksCommand.self, DevicesCommand.self, WhereCommand.self,
                    ReportCommand.self, RedactCommand.self,
                ]),
            CommandGroup(
                name: "Repair",
                subcommands: [
                    RebuildCommand.self, ImportCommand.self, MigrateCommand.self, FixCommand.self, ApplyCommand.self,
                    RecoverCommand.self,
                ]),
            CommandGroup(name: "By hand", subcommands: [SetCommand.self, UnlockCommand.self, DeleteCommand.self]),
            CommandGroup(
                name: "Go back",
                subcommands: [HistoryCommand.self, UndoCommand.self, RestoreRecordCommand.self]),
            CommandGroup(name: "Several devices", subcommands: [CompareCommand.self, RehearseCommand.self]),
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
        do {
            try ArgumentText.refuseOtherFiles()
            var command = try parse()
            try command.run()
        } catch let error as StoreError {
            end(command: CommandLine.arguments.dropFirst().first ?? "", with: error)
        } catch {
            end(withUsage: error)
        }
    }

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
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let named = configuration.subcommands.first(where: { $0.configuration.commandName == arguments.first }),
            let command = try? named.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == named
        {
            return command
        }
        return try parseAsRoot(arguments)
    }

    /// Ends as `ParsableCommand.exit(withError:)` does, but what the user typed, such as the name of a customer's file,
    /// is shown without its control characters, and where JSON was asked for, wrong usage is a document too.
    private static func end(withUsage error: any Error) -> Never {
        // The command itself has said why. A message would be made of the command's help, for nothing.
        if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
        let code = exitCode(for: error)
        var sentence = self.message(for: error)
        var message = fullMessage(for: error)
        // What else is wrong may be so because of it.
        if code == .validationFailure,
            let better = Misspelling.sentence(on: CommandLine.arguments.dropFirst(), refusedWith: sentence)
        {
            message = message.replacingOccurrences(of: sentence, with: better)
            sentence = better
        }
        if !code.isSuccess {
            for argument in CommandLine.arguments.dropFirst() where !argument.isEmpty {
                let shown = Escaped.text(argument)
                if shown != argument { message = message.replacingOccurrences(of: argument, with: shown) }
            }
        }
        if code == .validationFailure, CommonOptions.wantsJSON(CommandLine.arguments) {
            let name = CommandLine.arguments.dropFirst().first
            let isCommand = configuration.subcommands.contains { $0.configuration.commandName == name }
            let document = ErrorDocument.usage(
                sentence, command: isCommand ? name : nil, code: code.rawValue)
            try? StandardStream.output.write(document.text(pretty: true) + "\n")
        }
        if !message.isEmpty {
            let columns = (code.isSuccess ? TerminalWidth.ofOutput : TerminalWidth.ofMessages) ?? UsageText.columns
            do {
                try (code.isSuccess ? StandardStream.output : .error)
                    .write(UsageText.wrapped(message, columns: columns) + "\n")
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
