internal import ArgumentParser
internal import MeterInspect
internal import MeterRepair

/// Options of commands that plan.
struct PlanOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --dry-run: write the plan to this new file, for `meterfix apply`.", valueName: "FILE"),
        completion: .file())
    var plan: String?

    func validate(_ writing: WritingOptions) throws {
        guard plan == nil || writing.dryRun else { throw ValidationError("--plan needs --dry-run") }
        try OutputOption.validate(plan, "--plan")
    }

    /// The command that carries out the plan that is written, without the store, as words for a shell; nil where none is.
    /// Options that decided what is planned are in the plan.
    /// - Parameter model: the option with the store's model, which is in no plan.
    func application(_ writing: WritingOptions, model: [String] = []) -> [String]? {
        plan.map { ["apply"] + model + writing.words + [ShellWord.quoted($0)] }
    }
}
