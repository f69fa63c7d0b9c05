internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MirrorLogs

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "explain",
        abstract: "Say what a log of Console, Xcode or a sysdiagnose says about CloudKit's mirror.",
        discussion: """
            Reads the text of a log as people send it: whole, a part of it, quoted in a mail, as JSON of `log show`, in \
            UTF-8, UTF-16 or Latin-1. Shows each setup, import and export, what failed, what the mirror does next by \
            itself, and what to do. Of several apps in one log, the lines of USB Meter count; another app's log is \
            explained too. With a store, its own log of the same time stands between the lines, and what the two do not \
            say alike is said. Exits with 1 where something is wrong that was not overcome, or where a part of a mail \
            that may be a log could not be read.

            EXAMPLES
              meterfix explain console.log
              meterfix explain console.log CKModel.sqlite
              log show --last 1d --info --debug --style ndjson | meterfix explain -
            """)

    @Argument(help: ArgumentHelp("The log; - is standard input.", valueName: "LOG"), completion: .file())
    var log: String

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try StoreArgument.pathIfNamed(store)
        try common.run("explain", "reading \(log == "-" ? "standard input" : log)") { console throws(StoreError) in
            let log = try MirrorLog(path: log)
            let store = if let path { try StoreOfLog.of(path, now: common.clock) } else { StoreOfLog?.none }
            let explained = ExplainedLog(log: log, store: store)
            try console.answer(explained, ExplainText(explained, times: console.times).blocks)
            return explained.isAmiss ? .found : .success
        }
    }
}
