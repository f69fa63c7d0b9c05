internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct RestoreRecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-record", abstract: "Bring back one record that a rebuild merged into another.",
        discussion: """
            Takes the record from the backup of the change that deleted it and inserts it as a new row, with every \
            value it had, including those that meterfix does not know. It keeps its id unless another record has it \
            now. Unlike with undo, everything that has changed since stays.

            Of several such records the one deleted last is taken; --list shows them all, --row and --entry choose \
            one. The meter then has one more record: verify reports duplicate-mac, and a rebuild would merge it again.

            EXAMPLES
              meterfix restore-record --list A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix restore-record --dry-run A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix restore-record --list "Kitchen charger" CKModel.sqlite
              meterfix restore-record --row 3 A4:C1:38:0B:7E:21 CKModel.sqlite
            """)

    @OptionGroup var meter: MeterArgument

    @Flag(name: .long, help: "Show the deleted records of the meter; the store is not touched.")
    var list = false

    @Option(name: .long, help: ArgumentHelp("The number of the row that was deleted.", valueName: "N"))
    var row: Int64?

    @Option(
        name: .long, help: ArgumentHelp("The backup's entry, as --list shows it.", valueName: "NAME"),
        transform: ArgumentText.exact)
    var entry: String?

    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if list && writing.dryRun { throw ValidationError("--list changes nothing; leave out --dry-run") }
    }

    func run() throws {
        let path = try meter.path
        try common.run("restore-record", "\(list ? "reading" : "restoring into") \(path)") {
            console throws(StoreError) in
            list ? try show(path, console) : try restore(path, console)
        }
    }

    private func show(_ path: String, _ console: Console) throws(StoreError) -> ExitStatus {
        let merged = try MergedRecords.of(
            meter.address(in: path, now: common.clock), in: path, folder: writing.backupDir, now: common.clock)
        try console.answer(merged, warnings: merged.warnings, MergedRecordsText(merged, console.times).blocks)
        return .success
    }

    private func restore(_ path: String, _ console: Console) throws(StoreError) -> ExitStatus {
        let report = try RestoreRecord.run(
            meter.address(in: path, now: common.clock), on: path, row: row, entry: entry,
            options: writing.changeOptions(for: console, now: common.clock)
        )
        try console.answer(
            report, warnings: report.warnings, RecordChangeText(report, .restoreRecord, console.times).blocks)
        return report.outcome == .planned ? .found : .success
    }
}
