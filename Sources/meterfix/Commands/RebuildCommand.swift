internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct RebuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Keep one record of each meter, update it in place, delete only the others.",
        discussion: """
            The canonical rebuild v3. Of each meter's records one is kept; it takes the newest name and unit that \
            anyone typed, the newest model type that the meter reported, the latest lock and discovery and the \
            earliest creation date. The change is one transaction with its persistent history, so that CloudKit learns of it, and is checked before it is \
            committed. The store's files are saved first.

            Before it, the app must be updated, have synced and be closed on every device, and it stays closed there until \
            the change has arrived: otherwise what somebody types on another device may be lost (MIGRATIONS.md says how \
            often). `meterfix sync` says of a fresh copy whether something waits, and whether the change has arrived.

            A record that another object refers to is not deleted: the store is refused. The relationships are those \
            of the model the store carries, or of --model, which must be of the store's own version. Without a model, \
            any column of another entity that has the number of such a record counts, unless --force is given.

            With --in-use it is first aid, for which the app is closed only on the device whose store it is; the other \
            devices may be in use. Where a meter has several records, the one that the app finds first gets the name \
            and the unit that only the others have. Nothing is overwritten, deleted or merged, and no updatedAt moves. \
            Before it, let every device sync; from then on and until it has arrived everywhere, meters may be used, but \
            type no name and choose no unit on any device. The duplicates stay until all devices are at rest and a \
            rebuild without --in-use merges them.

            Exits with 1 if a dry run finds changes to make, with 2 if errors remain that a person must look at. With \
            --in-use the duplicates that stay are no such errors; a meter whose records the app does not find is one.

            EXAMPLES
              meterfix rebuild --dry-run CKModel.sqlite
              meterfix rebuild CKModel.sqlite
              meterfix rebuild --dry-run --plan plan.jsonl CKModel.sqlite
              meterfix rebuild --in-use --dry-run CKModel.sqlite
              meterfix rebuild --in-use CKModel.sqlite
              meterfix rebuild --winner newest --mac-case upper CKModel.sqlite
              meterfix rebuild --model CKModel.momd CKModel.sqlite
            """)

    @OptionGroup var store: StoreArgument

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Which record is kept: the one with the most user data, or the newest, as in the app itself. Default: "
                + "most-complete.",
            valueName: "most-complete|newest"))
    var winner: WinnerPolicy?

    @Flag(
        name: .long,
        help: "First aid while devices are in use: fill what the app shows empty, and delete nothing.")
    var inUse = false

    @OptionGroup var addresses: LetterCaseOption

    @OptionGroup var appModel: ModelOption
    @OptionGroup var planning: PlanOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try planning.validate(writing)
        guard inUse else { return }
        if winner != nil { throw ValidationError("--in-use keeps every record, so there is no --winner") }
        if appModel.model != nil { throw ValidationError("--in-use deletes no record, so it needs no --model") }
    }

    func run() throws {
        let path = try store.path
        try common.change(.rebuild, "rebuilding \(path)", writing, planning, model: appModel.words) {
            options throws(StoreError) in
            var options = options
            options.letterCase = addresses.macCase.letterCase
            options.model = try appModel.file()
            let report =
                inUse
                ? try ChangeRun.run(FirstAidPlanner(), on: path, options: options)
                : try ChangeRun.run(RebuildPlanner(policy: winner ?? .mostComplete), on: path, options: options)
            return MadeChange(report, .rebuild, realRun: ["rebuild"] + planOptions)
        }
    }

    /// The options that decide what is done, as a user types them.
    private var planOptions: [String] {
        var words: [String] = []
        if inUse { words.append("--in-use") }
        if let winner, winner != .mostComplete { words += ["--winner", winner.rawValue] }
        if addresses.macCase != .auto { words += ["--mac-case", addresses.macCase.rawValue] }
        return words + appModel.words + writing.words
    }
}

extension WinnerPolicy: Choice {}
