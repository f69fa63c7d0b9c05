internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete one record that nothing needs.",
        discussion: """
            Deletes the record in this row: one that has no address, or only a placeholder for one, and belongs to no \
            meter. The delete is written into the history, so the record goes from CloudKit and from the user's other \
            devices too.

            A record is refused that has what the user typed, such as a name or a unit, or a value that meterfix does \
            not know; so is a record of a meter: rebuild merges those. --force deletes it all the same. The backup has \
            the record in full, and restore-record brings it back.

            With --force the app must be updated and have synced on every device before it, and until the delete has \
            arrived, nobody types a name or chooses a unit: what is typed into the record elsewhere is lost with it.

            Exits with 1 in a dry run.

            EXAMPLES
              meterfix delete --dry-run --row 13 CKModel.sqlite
              meterfix delete --row 13 CKModel.sqlite
              meterfix restore-record --row 13 CKModel.sqlite
            """)

    @Option(name: .long, help: ArgumentHelp("The row of the record, as verify shows it.", valueName: "N"))
    var row: Int64

    @OptionGroup var store: StoreArgument

    @OptionGroup var planning: PlanOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try planning.validate(writing) }

    func run() throws {
        let path = try store.path
        try common.change(.delete, "deleting in \(path)", writing, planning) { options throws(StoreError) in
            let planner = DeletePlanner(row: row, force: options.force)
            return MadeChange(try ChangeRun.run(planner, on: path, options: options), .delete)
        }
    }
}
