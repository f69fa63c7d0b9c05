internal import ArgumentParser
internal import JSON
internal import MeterInspect

/// A command or an option that there is not, in a command line that was refused.
enum Misspelling {
    /// The sentence about it; nil where all commands and options are known.
    /// - Parameters:
    ///   - arguments: without the program.
    ///   - message: why it was refused; it may be about the option already.
    static func sentence(on arguments: ArraySlice<String>, refusedWith message: String = "") -> String? {
        let commands = Meterfix.commandNames
        guard let command = arguments.first, !command.hasPrefix("-"), command != "help" else { return nil }
        guard commands.contains(command) else {
            return unknown("command", command, among: commands, meaning: commandsOfTheJob)
        }
        let known = options(of: command)
        let typed = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.prefix { $0 != "=" }) }
        guard let option = typed.first(where: { !known.contains($0) }), !known.isEmpty else { return nil }
        let isAsking = makingForReal.contains(option) && known.contains("--dry-run")
        if isAsking { return "unknown option '\(option)'; leave out '--dry-run', and the change is made" }
        guard !message.contains("'\(option)'") || message.contains("'\(never)'") else { return nil }
        return unknown("option", option, among: known.filter { $0 != never }, meaning: [:])
    }

    private static func unknown(
        _ what: String, _ word: String, among known: [String], meaning ofTheJob: [String: String]
    ) -> String {
        let near = known.compactMap { candidate in
            word.lowercased().editDistance(to: candidate, limit: 2).map { (candidate, $0) }
        }.min { $0.1 < $1.1 }
        let meant = ofTheJob[word.lowercased()] ?? near.map { "'\($0.0)'" }
        return "unknown \(what) '\(word)'" + (meant.map { "; did you mean \($0)?" } ?? "")
    }

    /// What people call the work elsewhere, and our words for it.
    private static let commandsOfTheJob = [
        "import": "'import-kv'", "load": "'import-kv'",
        "repair": "'fix --all'", "cure": "'fix --all'", "heal": "'fix --all'",
        "check": "'verify'", "validate": "'verify'", "doctor": "'verify'", "diagnose": "'verify'", "fsck": "'verify'",
        "integrity": "'verify'", "restore": "'undo' or 'restore-record'", "revert": "'undo'", "rollback": "'undo'",
        "locks": "'meters --locked'", "changes": "'undo --list'", "history": "'undo --list'",
        "backups": "'undo --list'", "list": "'meters'", "ls": "'meters'", "export": "'meters'",
        "diff": "'compare'", "find": "'where'", "search": "'where'", "locate": "'where'", "pending": "'sync'",
        "info": "'status'", "inspect": "'status'", "merge": "'rebuild'", "dedupe": "'rebuild'",
        "deduplicate": "'rebuild'", "upgrade": "'migrate'", "convert": "'migrate'", "anonymize": "'redact'",
        "anonymise": "'redact'", "salvage": "'recover'", "rescue": "'recover'", "rename": "'set'", "edit": "'set'",
        "remove": "'delete'",
    ]
    /// Options of other programs that change nothing without them.
    private static let makingForReal: Set = ["--apply", "--yes", "--execute", "--write", "--commit", "--for-real"]
    /// Whoever needs it is told so by a refusal, and never by a typing error.
    private static let never = "--force"

    /// The long ones, with their hyphens, of what the parser tells other programs of the commands.
    private static func options(of name: String) -> [String] {
        let help = try? JSONTree(parsing: Array(Meterfix._dumpHelp().utf8), limits: nil).top["command"]
        let command = help?["subcommands"]?.elements?.first { $0["commandName"]?.value.string == name }
        let names = command?["arguments"]?.elements?.flatMap { $0["names"]?.elements ?? [] } ?? []
        return names.filter { $0["kind"]?.value.string == "long" }.compactMap { $0["name"]?.value.string }.map {
            "--\($0)"
        }
    }
}
