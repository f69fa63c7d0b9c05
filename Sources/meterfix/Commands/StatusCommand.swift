internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what is in a store, in one screen.",
        discussion: """
            Shows the files, the store's identity, model and version hashes, how many records there are and how many \
            meters have several, the rebuild marker, the persistent history and the CloudKit mirror. Paste it into the \
            ticket. The store is not touched. On a Mac STORE may be left out if `meterfix where` finds just one.

            EXAMPLES
              meterfix status CKModel.sqlite
              meterfix status
            """)

    @OptionGroup var store: StoreArgument
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try store.named ?? StorePlaces.only(now: common.clock) ?? store.path
        try common.run("status", "reading \(path)") { console throws(StoreError) in
            let report = try Status.report(path, now: common.clock)
            try console.answer(report.json, StatusText(report, console.times, showsAll: common.verbose).blocks)
            return .success
        }
    }
}
