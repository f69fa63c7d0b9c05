internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect

struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "sync",
        abstract: "Show what is pending for CloudKit, and what happens when the app opens the store.",
        discussion: """
            Shows what fails, since when and what to do; every change that is not uploaded yet, with its fields and \
            the reason; and what the mirror will do when the app opens this store: what it uploads and fetches, and \
            whether it deletes rows here. Each sentence says how sure it is: seen, documented or inferred. After a \
            repair, and once the app has been open, it shows whether the changes are uploaded. The store is not \
            touched.

            EXAMPLES
              meterfix sync CKModel.sqlite
              meterfix sync --json CKModel.sqlite
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.look(Self.self, at: StoreArgument.path(of: store)) { path, console throws(StoreError) in
            let report = try SyncReport.of(path, now: common.clock)
            try console.answer(report, report.blocks(console.times))
        }
    }
}
