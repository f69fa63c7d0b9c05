internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "delete", abstract: "Delete one record that nothing needs.",
        discussion: """
            Deletes the record in this row, which has no address, or only a placeholder for one, and belongs to no \
            meter. The delete is written into the history, so the record is deleted in CloudKit and on the user's \
            other devices too.

            A record with something the user typed, such as a name or a unit, or with a value that meterfix does not \
            know, is refused. So is a record of a meter, because rebuild merges those. --force deletes it anyway. The \
            backup has the whole record, and restore-record restores it.

            Before a delete with --force, the app must be updated and have synced on every device. Until the delete \
            has reached all of them, nobody may type a name or choose a unit: what is typed into the record elsewhere \
            is lost.

            Exits with 1 in a dry run.

            EXAMPLES
              meterfix delete --dry-run --row 13 CKModel.sqlite
              meterfix delete --row 13 CKModel.sqlite
              meterfix restore-record --row 13 CKModel.sqlite
            """)

    @Option(name: .long, help: ArgumentHelp("The row of the record, as verify shows it.", valueName: "N"))
    var row: Int64

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try StoreArgument.path(of: store)
        try common.change(.delete, "deleting in \(path)", writing) { options throws(StoreError) in
            let planner = DeletePlanner(row: row, force: options.force)
            return ChangeResult(
                report: try ChangeRun.run(planner, on: path, options: options),
                commandWithoutDryRun: ["delete", "--row \(row)"] + writing.words
            ) {
                // A row that is not there is refused.
                $0.blocksOfRecords(nothing: "the record is gone", $1)
            }
        }
    }
}
