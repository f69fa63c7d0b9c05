internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "compare", abstract: "Compare the stores of two devices.",
        discussion: """
            Shows for each meter which fields differ, what only one side has, which version is kept once both have \
            synced, and whether that loses something the user typed. This depends on what each side has not uploaded \
            yet, and on --policy. If nothing is pending, the later updatedAt is kept. Nothing is touched.

            Records are matched by address, however it is written; records without a usable address are only counted. \
            A meter with several records on a side comes first and is never equal; the record that a rebuild would \
            keep is compared. Dates less than a millisecond apart are equal, and so are empty values, NULL or not.

            Exits with 0 if both sides are equal, with 1 if they differ.

            With --at one store is compared with itself: as it was after a transaction or at a time, if its -wal still \
            has that state, and as it is now. A state that is not certain is refused.

            EXAMPLES
              meterfix compare iPhone.sqlite Mac.sqlite
              meterfix compare --policy last-write-wins iPhone.sqlite Mac.sqlite
              meterfix compare CKModel.sqlite --at 41
            """)

    @Argument(help: ArgumentHelp("A store's main file.", valueName: "A"), completion: .file())
    var a: String

    @Argument(help: ArgumentHelp("What to compare it with.", valueName: "B"), completion: .file())
    var b: String?

    @Option(name: .customLong("at"), help: PastMoment.help, transform: PastMoment.parse)
    var moment: PastMoment?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Which version is kept if a device and the cloud both changed a record. For each property that both \
            changed: the cloud's value (store-trump, as the app), or the device's (object-trump). For the whole \
            record: the device's version, the cloud's, or the later one.
            """,
            valueName: "store-trump|object-trump|overwrite|rollback|last-write-wins"))
    var policy: MergePolicy = .ofTheApp

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if moment != nil {
            guard b == nil else {
                throw ValidationError("with --at name one store: it is compared with what it is now")
            }
        } else if b == nil {
            throw ValidationError("name what to compare it with, or a state of its own past with --at")
        }
    }

    func run() throws {
        try common.run("compare", "comparing \(a) with \(b ?? "what it was")") { console throws(StoreError) in
            let a = try StorePlaces.store(named: a)
            let b = try b.map { path throws(StoreError) in try StorePlaces.store(named: path) }
            let report =
                if let moment {
                    try ComparisonReport.of(a, since: moment, now: common.clock)
                } else {
                    try ComparisonReport.of(a, b ?? "", policy: policy, now: common.clock)
                }
            try console.answer(report, report.blocks(console.times))
            return report.isEqual ? .success : .found
        }
    }
}

extension MergePolicy: Choice {}
