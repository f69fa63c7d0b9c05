internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Show what waits for CloudKit, and what happens when the app opens the store.",
        discussion: """
            Shows how far CloudKit's mirror has read the history, every change that has not been uploaded, with its \
            fields and why it waits, the last setup, import and export with their errors explained, and what the \
            mirror will do when the app opens this store: what is uploaded and fetched, and whether rows will be \
            deleted here. Each sentence says how sure it is: seen, documented or inferred. After a repair, and once the app was open, it \
            says whether the changes have arrived in CloudKit. The store is not touched.

            EXAMPLES
              meterfix sync CKModel.sqlite
              meterfix sync --json CKModel.sqlite
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try store.path
        try common.run("sync", "reading \(path)") { console throws(StoreError) in
            let report = try Sync.report(withBackupsOf: path, now: common.clock)
            try console.answer(report, SyncText(report, console.times, showsAll: common.verbose).blocks)
            return .success
        }
    }
}
