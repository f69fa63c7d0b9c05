internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "migrate", abstract: "Migrate the schema from v1 to v2, in place; no row is touched.",
        discussion: """
            The store's version is read from the model it carries, its version hashes and its unique index. A v1 store \
            loses the uniqueness constraint on macAddress, which CloudKit refuses, and macAddress becomes optional; a \
            migration that stopped half-way is completed; a v2 store is not changed. With --model the store is \
            migrated to exactly the app's model, if this needs additions only. The change is one transaction and is \
            checked before it is committed. The store's files are saved first.

            Exits with 1 if a dry run finds changes to make, with 4 if the store has an unknown schema version.

            EXAMPLES
              meterfix migrate --dry-run CKModel.sqlite
              meterfix migrate CKModel.sqlite
              meterfix migrate --model CKModel.momd CKModel.sqlite
              meterfix migrate --restore-metadata CKModel.sqlite
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?
    @Option(name: .long, help: ModelOption.help, completion: .file())
    var model: String?

    @Flag(name: .long, help: "Recreate the store's metadata if it is lost; the store keeps its identity.")
    var restoreMetadata = false

    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try StoreArgument.path(of: store)
        let words = ModelOption.words(model) + (restoreMetadata ? ["--restore-metadata"] : []) + writing.words
        try common.change(.migrate, "migrating \(path)", writing) { options throws(StoreError) in
            let planner = MigrationPlanner(model: try ModelOption.file(model), restoresMetadata: restoreMetadata)
            let report = try ChangeRun.run(planner, on: path, options: options)
            return ChangeResult(report: report, commandWithoutDryRun: ["migrate"] + words) { $0.blocksOfMigration($1) }
        }
    }
}
