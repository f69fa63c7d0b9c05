internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compare the stores of two devices, or a store and what CloudKit has.",
        discussion: """
            Says meter by meter what differs field by field, what only one side has, which side wins under last write \
            wins (the later updatedAt), and whether that loses something the user typed. A side is a store, or JSON as \
            `xcrun cktool query-records` prints it; the format is detected from the contents. Nothing is touched.

            Records are matched by address, however it is written; records without a usable one are only counted. If a \
            meter has several records on a side, the answer says so, and the record that a rebuild would keep is \
            compared. Dates less than a millisecond apart are equal, and so are empty values, NULL or not.

            Exits with 0 if both sides are equal, with 1 if they differ.

            EXAMPLES
              meterfix compare iPhone.sqlite Mac.sqlite
              meterfix compare CKModel.sqlite cloud.json
              xcrun cktool query-records … --zone-name com.apple.coredata.cloudkit.zone \\
                --record-type CD_DeviceSettings | meterfix compare CKModel.sqlite /dev/stdin
            """)

    @Argument(help: ArgumentHelp("A store's main file, or an export.", valueName: "A"), completion: .file())
    var a: String

    @Argument(help: ArgumentHelp("What to compare it with.", valueName: "B"), completion: .file())
    var b: String

    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.run("compare", "comparing \(a) with \(b)") { console throws(StoreError) in
            let report = try Comparison.report(a, b, now: common.clock)
            try console.answer(
                report, warnings: report.warnings,
                ComparisonText(report, console.times, showsAll: common.verbose).blocks
            )
            return report.isEqual ? .success : .found
        }
    }
}
