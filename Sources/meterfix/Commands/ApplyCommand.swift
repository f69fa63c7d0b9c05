internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

struct ApplyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Do what a plan says that a dry run wrote to a file.",
        discussion: """
            A dry run with --plan writes down what it would do and what the store was. The plan can be sent, reviewed \
            and, as long as it fits together, be edited: a meter's changes taken out, a name corrected. It is carried \
            out as it stands, on the store it was made for. Where that store moved on since, nothing is done, and what \
            moved is listed. A plan that was made with --model needs it again.

            Exits with 1 when a dry run finds changes to make, with 3 when the store moved on.

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
        try common.run("apply", "applying \(file) to \(path)") { console throws(StoreError) in
            let document = try PlanFile.read(file)
            var options = writing.changeOptions(now: common.clock)
            options.model = try appModel.file()
            let report = try ChangeRun.apply(document, from: file, to: path, options: options)
            try console.answer(
                report, warnings: report.warnings,
                ApplyText(
                    report, document, console.style, showsAll: common.verbose,
                    command: ["apply"] + appModel.words + writing.words + [ShellWord.quoted(file)]
                ).lines)
            if let drift = report.drift { console.show(stale(drift, document, at: path)) }
            return status(of: report, document.command)
        }
    }

    private func stale(_ drift: Drift, _ document: PlanDocument, at path: String) -> StoreError {
        if drift.isApplied {
            return StoreError(.stale, at: path, "this plan was applied already; nothing was changed")
        }
        if drift.identity != nil {
            return StoreError(
                .stale, at: path, "this plan was made for another store, with another UUID; nothing was changed",
                hint: "name the store it was made for: \(document.storeName)")
        }
        return StoreError(
            .stale, at: path, "the store moved on since this plan was made at \(document.made); nothing was changed",
            hint: "make the plan anew: meterfix \(document.command.rawValue) --dry-run --plan NEWFILE")
    }

    /// As the command that planned would answer.
    private func status(of report: Report, _ command: WritingCommand) -> ExitStatus {
        switch report.outcome {
        case .stale: ExitStatus(StoreError.Kind.stale)
        case .planned: .found
        case .applied, .unchanged, nil:
            switch command {
            case .importKV: report.plan?.rejects.isEmpty == false ? .remains : .success
            case .migrate, .unlock, .set, .restoreRecord: .success
            case .rebuild, .apply: report.worst == .error ? .remains : .success
            }
        }
    }
}
