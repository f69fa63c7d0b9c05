internal import ArgumentParser

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
}
