internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "show", abstract: "Show everything about one meter.",
        usage: "meterfix show <MAC|NAME> [<STORE>] [<options>]\nmeterfix show --row <N> [<STORE>] [<options>]",
        discussion: """
            Shows each record of the meter field by field beside the others, which one a rebuild would keep and why, \
            and what it would become; who holds the meter's lock and which device saw it last; what CloudKit's mirror \
            knows about each record, and which fields are pending; its last changes; and the backups of meterfix. The \
            last line says what to do next, if there is something to do. The store is not touched.

            --row shows the meter of the record in this row, even if its address is missing or cannot be used.

            --at shows the store as it was: its -wal often still has the states after the last transactions. A state \
            that is not certain is refused. Backups are not shown then.

            EXAMPLES
              meterfix show A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix show "Kitchen charger" CKModel.sqlite
              meterfix show --at 41 "Kitchen charger" CKModel.sqlite
              meterfix show --row 3 --json CKModel.sqlite
            """)

    @OptionGroup var meter: RecordArgument
    @OptionGroup var backups: BackupFolderOption
    @Option(name: .customLong("at"), help: PastMoment.help, transform: PastMoment.parse)
    var moment: PastMoment?
    @OptionGroup var common: CommonOptions

    func run() throws {
        let (path, record) = (try meter.path, try meter.record)
        try common.look(Self.self, at: path) { path, console throws(StoreError) in
            let shown = try ShownMeter.of(
                record, in: path, at: moment, folder: backups.backupDir, now: common.clock)
            try console.answer(shown, warnings: shown.warnings, shown.blocks(console.times))
        }
    }
}
