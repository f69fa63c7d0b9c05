internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

struct RestoreRecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "restore-record",
        abstract: "Restore one record that a rebuild merged into another, or that was deleted by hand.",
        usage: "meterfix restore-record [<MAC|NAME>] [<STORE>] [<options>]",
        discussion: """
            Takes the record from the backup of the change that deleted it and inserts it as a new row, with every \
            value it had, including those that meterfix does not know. It keeps its id unless another record has it \
            now. Unlike undo, it keeps everything that has changed since.

            If there are several such records, it restores the one deleted last; --list shows them all, --row and \
            --entry choose one. The meter then has one more record, which the next rebuild merges again: the answer \
            says into which record, and whose values win. A meter is also found by an earlier name. Without a meter, \
            --list shows every deleted record, and --row chooses among those without a usable address.

            --from lost restores the record of a meter that has no record now, as `lost` found it in the store's files \
            or backups, whoever deleted it. Name the meter by its address.

            EXAMPLES
              meterfix restore-record --list CKModel.sqlite
              meterfix restore-record --list A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix restore-record --dry-run A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix restore-record --list "Kitchen charger" CKModel.sqlite
              meterfix restore-record --row 3 A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix restore-record --row 13 CKModel.sqlite
              meterfix restore-record --from lost --dry-run A4:C1:38:0B:7E:21 CKModel.sqlite
            """)

    @OptionGroup var meter: OptionalMeterArgument

    @Flag(name: .long, help: "Show the deleted records of the meter, or all there are; the store is not touched.")
    var list = false

    @Option(name: .long, help: ArgumentHelp("The number of the row that was deleted.", valueName: "N"))
    var row: Int64?

    @Option(
        name: .long, help: ArgumentHelp("The backup's entry, as --list shows it.", valueName: "NAME"),
        transform: ArgumentText.exact)
    var entry: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the record comes from: the backup of the change that deleted it, or what `lost` finds.",
            valueName: "backup|lost"))
    var from: Origin = .backup

    enum Origin: String, Choice {
        case backup, lost
    }

    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard try list || row != nil || meter.meter != nil else {
            throw ValidationError("name a meter, or the --row of a record without a usable address")
        }
        if from == .lost {
            guard case .address = try meter.meter, !list, row == nil, entry == nil else {
                throw ValidationError(
                    "--from lost takes the address of a meter, as `meterfix lost` lists it, and neither --list, --row "
                        + "nor --entry")
            }
        }
        if list && writing.dryRun { throw ValidationError("--list changes nothing; leave out --dry-run") }
    }

    /// Of a meter that is named by a name, it may be one that the meter had when its record was deleted.
    private func address(of reference: MeterReference?, in path: String) throws(StoreError) -> MACAddress? {
        try reference?.address(in: path, folder: writing.backupDir, now: common.clock, takesFormer: true)
    }

    func run() throws {
        let (path, reference) = (try meter.path, try meter.meter)
        guard !list else {
            return try common.run("restore-record", "reading \(path)") { console throws(StoreError) in
                let merged = try MergedRecords.of(
                    address(of: reference, in: path), ofAll: reference == nil, in: path, folder: writing.backupDir,
                    now: common.clock)
                try console.answer(merged, warnings: merged.warnings, merged.blocks(console.times))
                return .success
            }
        }
        try common.change(.restoreRecord, "restoring into \(path)", writing) { options throws(StoreError) in
            let report: ChangeReport
            var words = ["restore-record"] + writing.words
            if from == .lost, case .address(let address) = reference {
                report = try RestoreRecord.run(lost: address, on: path, options: options)
                words += ["--from lost", address.text(in: report.letterCase)]
            } else {
                let address = try address(of: reference, in: path)
                report = try RestoreRecord.run(address, on: path, row: row, entry: entry, options: options)
                words += [row.map { "--row \($0)" }, entry.map { ShellWord.option("--entry", $0) }].compactMap(\.self)
                words += [address?.text(in: report.letterCase)].compactMap(\.self)
            }
            return ChangeResult(report: report, commandWithoutDryRun: words) {
                $0.blocksOfRecords(nothing: "the store has a record with exactly these values", $1)
            }
        }
    }
}
