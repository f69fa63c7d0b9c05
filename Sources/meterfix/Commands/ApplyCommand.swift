internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

struct ApplyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Carry out a plan that a dry run wrote to a file.",
        discussion: """
            A dry run with --plan writes what it would do, and what the store was, to a file. The plan can be sent and \
            reviewed. apply makes it again with the options in the file, and carries it out if both are the same. A \
            reviewer may take out whole meters, and replace a name, a unit or an address with one that set accepts; \
            the answer says which. Any other difference is refused, and so is a plan from another version of meterfix. \
            If the store has changed since, nothing is done, and the answer lists what has changed. A plan that was \
            made with --model needs it again.

            Exits with 1 if a dry run finds changes to make, with 3 if the store has changed since.

            EXAMPLES
              meterfix rebuild --dry-run --plan plan.jsonl CKModel.sqlite
              meterfix apply --dry-run plan.jsonl CKModel.sqlite
              meterfix apply plan.jsonl CKModel.sqlite
            """)

    @Argument(help: ArgumentHelp("The plan.", valueName: "FILE"), completion: .file())
    var file: String

    @OptionGroup var store: StoreArgument

    @OptionGroup var appModel: ModelOption
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try store.path
        try common.change(.apply, "applying \(file) to \(path)", writing) { options throws(StoreError) in
            let document = try PlanFile.read(file)
            var options = options
            options.model = try appModel.file()
            var report = try ChangeRun.run(
                DocumentPlanner(document, from: file, model: options.model), on: path, options: options)
            report.askedRebuild = document.askedRebuild
            var made = MadeChange(
                report, document.command,
                realRun: ["apply"] + appModel.words + writing.words + [ShellWord.quoted(file)])
            (made.document, made.cures) = (document, document.cures)
            made.complaint = report.staleness.map { stale($0, document, at: path) }
            return made
        }
    }

    private func stale(_ staleness: Staleness, _ document: PlanDocument, at path: String) -> StoreError {
        if staleness.isApplied {
            return StoreError(.stale, at: path, "this plan has already been applied; nothing was changed")
        }
        if staleness.identity != nil {
            return StoreError(
                .stale, at: path, "this plan was made for another store, with another UUID; nothing was changed",
                hint: "name the store it was made for: \(document.storeName)")
        }
        return StoreError(
            .stale, at: path, "the store has changed since this plan was made at \(document.made); nothing was changed",
            hint: "make a new plan: meterfix \(document.commandWords) --dry-run --plan NEWFILE")
    }
}
