internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair
internal import MirrorLogs

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "report", abstract: "Write one HTML page about a store, for a ticket.",
        discussion: """
            The page begins with the verdict and a letter to the owner of the meters: what is or was wrong, what a \
            repair will do or has done, the one thing to do, and questions to answer with yes or no. Below are the \
            status, the findings, what a repair would do with each meter as a picture, what waits for CloudKit and \
            what it will do, how much was changed when and by whom as a chart, the last changes, the backups, and \
            every check with its result.

            It is one file that needs nothing else: it has no script, and a browser fetches nothing for it. It can be \
            read on a telephone, in dark mode, on paper, and by a screen reader. It has the customer's names and \
            addresses in it, unless it is made with --redacted of a copy without personal data (see `meterfix redact`). \
            FILE must be new. The store is not touched.

            --past adds what only the -wal, what is left of deleted records, and the backups still have: the values before \
            and after the last changes, and the names and units that no record has any more. The owner of the meters may \
            have deleted them, so they are on the page only where they are asked for.

            EXAMPLES
              meterfix report CKModel.sqlite --output report.html
              meterfix report CKModel.sqlite --redacted --output report.html
              meterfix report CKModel.sqlite --past --output report.html
              meterfix report CKModel.sqlite --log console.log --output report.html
              meterfix report --backup-dir backups --output report.html CKModel.sqlite
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?

    @Option(
        name: .long, help: ArgumentHelp("Write the page to this new file.", valueName: "FILE"),
        completion: .file(extensions: ["html"]))
    var output: String

    @OptionGroup var backups: BackupFolderOption

    @Flag(
        name: .long,
        help: "Make the page of a redacted copy: without personal data, and without the backups, which have it.")
    var redacted = false

    @Flag(
        name: .long,
        help: "Include what only the files' past still has: values before and after, and lost names and units.")
    var past = false

    @Option(
        name: .long,
        help: ArgumentHelp("Include what this log says about the sync, as meterfix explain does.", valueName: "LOG"),
        completion: .file())
    var log: String?

    @OptionGroup var common: CommonOptions

    /// The last changes that a page has without `--verbose`.
    private static let changes = 30

    func validate() throws {
        try ArgumentText.validate(output: output, "--output")
        if redacted && past {
            throw ValidationError("--redacted and --past exclude each other: a copy without personal data has no past")
        }
        if redacted && log != nil {
            throw ValidationError("--redacted and --log exclude each other: a log has personal data in it")
        }
        if redacted && backups.backupDir != nil {
            throw ValidationError(
                "--redacted and --backup-dir exclude each other: the backups have personal data in them")
        }
    }

    func run() throws {
        let path = try StoreArgument.path(of: store)
        try common.run("report", "reading \(path)") { console throws(StoreError) in
            try OutputPlaces.check([.init(output, "--output")], backupFolder: backups.backupDir, for: path)
            var request = TicketReport.Request(now: common.clock)
            request.backupFolder = backups.backupDir
            request.past = past
            request.changes = common.verbose ? nil : Self.changes
            request.shownNames = common.verbose ? .max : Console.mostNames
            let copy = redacted ? try RedactedScratchCopy(of: path, now: common.clock) : nil
            if let copy {
                request.name = copy.name
                // Nothing is beside the copy.
                request.backupFolder = copy.folder
            }
            var report = try TicketReport.of(copy?.path ?? path, request)
            var explained: ExplainedLog?
            if let log {
                let (store, log) = (try StoreOfLog.of(path, now: common.clock), try MirrorLog(path: log))
                // It may be another store's.
                if let cause = log.cause, store.isOf(log) != false { report.add(cause.error.fault) }
                explained = ExplainedLog(log: log, store: store)
            }
            var text = ReportText(
                report, of: copy?.report, ShownTimes(now: common.clock, isExact: common.verbose), now: common.clock,
                backupWords: backups.words)
            text.log = explained.map { ExplainText($0, times: text.times) }
            let bytes = try text.write(to: output)
            try console.answer(
                text.json(of: path, output: output, bytes: bytes),
                [.heading("\(output): written, \(Phrase.size(ofBytes: bytes))")] + text.verdictAndLetter)
            return .success
        }
    }
}
