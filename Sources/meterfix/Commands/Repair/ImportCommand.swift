internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "import-kv", abstract: "Import the old names and units from before Core Data.",
        discussion: """
            Reads the dictionaries MeterNames and TC66TemperatureUnits from what a customer can send: a property list \
            (XML, binary or as `defaults read` prints it) with them anywhere in it, JSON, a SyncedPreferences file, macOS \
            12's key-value database with its -wal, what Swift's print shows; or meters without them: {MAC: NAME} or a list \
            of objects in JSON, JSON lines, the list that `meters --format csv` prints, or what somebody typed: MAC;NAME, \
            MAC,NAME,UNIT or MAC = NAME in each line, with or without headings; or the source of a mail (.eml) to which one \
            of these is attached, or whose text it is. Text may be UTF-8 or UTF-16. The format is detected from the \
            contents; for what cannot be read for certain the answer says what to send instead. The dump \
            is never changed.

            Fills empty fields in the store and creates a record for each meter that has no record. A value that is \
            already there is newer than the dump's and is kept, unless --on-conflict says otherwise. Unusable values \
            are listed, and the exit code is then 2. Importing the same dump again changes nothing.

            \(WritingCommand.namesLeftAlone)

            EXAMPLES
              meterfix import-kv --dry-run names.plist CKModel.sqlite
              meterfix import-kv --rejects left.json names.plist CKModel.sqlite
              defaults export ro.xdev.USB-Meter - | meterfix import-kv - CKModel.sqlite
              meterfix import-kv --create names.json New.sqlite
            """)

    @Argument(help: ArgumentHelp("The dump; - is standard input.", valueName: "DUMP"), completion: .file())
    var dump: String

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?

    @Option(
        name: .long,
        help: ArgumentHelp("If both have a value: keep the store's, or replace it.", valueName: "keep|replace"))
    var onConflict: ImportConflictPolicy = .keep

    @Flag(name: .long, help: "Create the store if no file has this path.")
    var create = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write what cannot be used to this new file, as a JSON dump to correct; a dry run does not.",
            valueName: "FILE"),
        completion: .file())
    var rejects: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Which app's or which place's values, if a dump has several.", valueName: "IDENTIFIER"),
        transform: ArgumentText.exact)
    var kvStore: String?

    @OptionGroup var meters: MeterFilterOptions
    @Option(name: .long, help: CaseChoice.help)
    var macCase: CaseChoice?
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try ArgumentText.validate(output: rejects, "--rejects")
        if create, let path = store { _ = try ArgumentText.exact(path) }
    }

    func run() throws {
        let path = try StoreArgument.path(of: store)
        let source = KeyValueSource(argument: dump)
        // Standard input can be read once.
        var known: KeyValueDump?
        let isThere = FileManager.default.fileExists(atPath: path)
        let filter = try common.filter(meters, for: .importKV, in: create && !isThere ? nil : path) {
            () throws(StoreError) in
            let dump = try KeyValueDump(source, identifier: kvStore)
            known = dump
            return LegacyValues(dump)
        }
        try common.change(.importKV, "importing into \(path)", writing) { options throws(StoreError) in
            let dump = if let known { known } else { try KeyValueDump(source, identifier: kvStore) }
            known = nil
            var options = options
            options.letterCase = macCase?.letterCase
            options.rejectsFile = rejects
            if case .file(let path) = source { options.inputFile = path }
            let planner = ImportPlanner(
                LegacyValues(dump), sha256: dump.sha256, notesOnDump: dump.warnings, policy: onConflict, filter)
            let report = try LegacyImport.run(planner, on: path, creates: create, options: options)
            let words = words(filter, report.letterCase)
            let (headline, values) = (ImportText.headline(dump, source.name, planner.values), planner.values)
            let rejecting = source == .standardInput ? nil : ["import-kv", "--rejects", "rejects.json"] + words
            return ChangeResult(
                report: report,
                commandWithoutDryRun: ["import-kv"] + (rejects.map { ["--rejects", ShellWord.quoted($0)] } ?? [])
                    + words,
                leavesSomething: !report.plan.rejects.isEmpty
            ) {
                ImportText(
                    made: $0, headline: headline, values: values, rejectsFile: rejects, isDryRun: writing.dryRun,
                    rejecting: rejecting, times: $1
                ).blocks
            }
        }
    }

    /// The options and the dump, without `--rejects` and the store, as words for a shell.
    private func words(_ filter: MeterFilter, _ letterCase: LetterCase) -> [String] {
        var words = writing.words + filter.words(in: letterCase)
        if onConflict != .keep { words += ["--on-conflict", onConflict.rawValue] }
        words += macCase?.words ?? []
        if let kvStore { words += ["--kv-store", ShellWord.quoted(kvStore)] }
        if create { words.append("--create") }
        return words + [dump == "-" ? dump : ShellWord.quoted(dump)]
    }
}

extension ImportConflictPolicy: Choice {}
