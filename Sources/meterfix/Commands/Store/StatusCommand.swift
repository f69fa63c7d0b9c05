internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "status", abstract: "Show what is in a store, in one screen.",
        discussion: """
            Shows problems and meters first, then what is pending for CloudKit, the devices, the files, the store's \
            model and version hashes, the rebuild marker and the persistent history. Paste it into the ticket. The \
            store is not touched. On a Mac STORE may be left out if `meterfix where` finds just one.

            --at shows the store as it was: its -wal often still has the states after the last transactions. A state \
            that is not certain is refused.

            EXAMPLES
              meterfix status CKModel.sqlite
              meterfix status --at 41 CKModel.sqlite
              meterfix status
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?
    @Option(name: .customLong("at"), help: PastMoment.help, transform: PastMoment.parse)
    var moment: PastMoment?
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try StoreArgument.pathIfNamed(store) ?? StorePlaces.only ?? StoreArgument.path(of: store)
        try common.look(Self.self, at: path) { path, console throws(StoreError) in
            let report = try StatusReport.of(path, in: moment, now: common.clock)
            try console.answer(report.json, report.blocks(console.times))
        }
    }
}
