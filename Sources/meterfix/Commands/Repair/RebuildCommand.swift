internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct RebuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "rebuild", abstract: "Merge the records of each meter: update one, delete the others.",
        discussion: """
            This is the canonical rebuild v3. It keeps one record of each meter and gives it the newest name and unit \
            that anyone typed, the newest model type that the meter reported, the latest lock, the latest "last seen" \
            and the earliest creation date. The change is one transaction with its persistent history, so that \
            CloudKit learns about it, and is checked before it is committed. The store's files are saved first.

            Before a rebuild, update the app on every device, let it sync, close it, and copy the store then. \
            Afterwards open the app on the repaired device first, alone and online, and keep it closed on the others \
            until `meterfix sync` on a later copy shows that all is uploaded: otherwise what somebody types there may \
            be lost (Documentation/several-devices.md says how often).

            A record that another object refers to is not deleted: the store is refused. The relationships are those \
            of the model the store carries, or of --model, which must be of the store's own version. Without a model, \
            a column of another entity with the number of such a record counts as a reference, unless --force is \
            given.

            --keep and --keep-unit choose the name or the unit of a meter if the newest one is wrong. A record of the \
            meter must have this value, or `meterfix lost` must find it; the rest of the plan does not change. A dry \
            run shows the option with each value that would be discarded.

            --in-use is first aid: the app is closed only on the device whose store it is, and the other devices may \
            be in use. If a meter has several records, the record that the app finds first gets the name and the unit \
            that only the others have. Nothing is overwritten, deleted or merged, and no updatedAt changes. Let every \
            device sync first. From then on, until the change has reached all devices, meters may be used, but nobody \
            may type a name or choose a unit. The duplicates remain until the app can be closed on all devices and a \
            rebuild without --in-use merges them.

            Exits with 1 if a dry run finds changes to make, with 2 if errors remain that a person must look at. With \
            --in-use, remaining duplicates do not count, but a meter whose records the app does not find does.

            EXAMPLES
              meterfix rebuild --dry-run CKModel.sqlite
              meterfix rebuild CKModel.sqlite
              meterfix rebuild --in-use --dry-run CKModel.sqlite
              meterfix rebuild --in-use CKModel.sqlite
              meterfix rebuild --winner newest --mac-case upper CKModel.sqlite
              meterfix rebuild --model CKModel.momd CKModel.sqlite
              meterfix rebuild --keep 'A4:C1:38:0B:7E:21=Kitchen' --dry-run CKModel.sqlite
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?

    @Flag(name: .long, help: "First aid while devices are in use: fill empty names and units, delete nothing.")
    var inUse = false

    @OptionGroup var merging: MergeOptions
    @OptionGroup var meters: MeterFilterOptions
    @Option(name: .long, help: ModelOption.help, completion: .file())
    var model: String?
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard inUse else { return }
        if merging.keepsSomething {
            throw ValidationError("--in-use overwrites no name and no unit, so there is nothing to keep")
        }
        if merging.winner != nil { throw ValidationError("--in-use keeps every record, so there is no --winner") }
        if model != nil { throw ValidationError("--in-use deletes no record, so it needs no --model") }
    }

    func run() throws {
        let path = try StoreArgument.path(of: store)
        let filter = try common.filter(meters, for: .rebuild, in: path)
        try common.change(.rebuild, "rebuilding \(path)", writing) { options throws(StoreError) in
            var options = options
            options.letterCase = merging.macCase?.letterCase
            options.model = try ModelOption.file(model)
            if inUse {
                let report = try ChangeRun.run(FirstAidPlanner(filter), on: path, options: options)
                return answer(report, ["--in-use"] + filter.words(in: report.letterCase) + planOptions)
            }
            let chosen = try merging.chosen(in: path, filter, options)
            var report = try ChangeRun.run(
                RebuildPlanner(policy: merging.policy, choosing: chosen, filter), on: path, options: options)
            let words = filter.words(in: report.letterCase) + planOptions
            report.rebuildRequest = RebuildRequest(words, chosen)
            return answer(report, chosen.words(in: report.letterCase) + words)
        }
    }

    private func answer(_ report: ChangeReport, _ words: [String]) -> ChangeResult {
        ChangeResult(report: report, commandWithoutDryRun: ["rebuild"] + words, leavesSomething: report.leavesRepairs) {
            $0.blocksOfRebuild($1)
        }
    }

    /// The options that decide what is done, besides what is chosen, as a user types them.
    private var planOptions: [String] { merging.words + ModelOption.words(model) + writing.words }
}
