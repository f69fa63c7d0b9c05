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
        guard commands.contains(command) else { return unknown("command", command, among: commands) }
        let known = options(of: command)
        let typed = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.prefix { $0 != "=" }) }
        guard let option = typed.first(where: { !known.contains($0) }), !known.isEmpty,
            !message.contains("'\(option)'")
        else { return nil }
        return unknown("option", option, among: known)
    }

    private static func unknown(_ what: String, _ word: String, among known: [String]) -> String {
        let near = known.compactMap { candidate in
            word.lowercased().editDistance(to: candidate, limit: 2).map { (candidate, $0) }
        }.min { $0.1 < $1.1 }
        return "unknown \(what) '\(word)'" + (near.map { "; did you mean '\($0.0)'?" } ?? "")
    }

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
