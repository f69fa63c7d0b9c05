internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "log", abstract: "Show who changed what in a store, and when.",
        discussion: """
            Reads the persistent history that Core Data keeps in the store, newest first: each transaction with its \
            time, its author, its process and its app, and each change in it: insert, update or delete, which record, \
            and which attributes. What came from another device is "from CloudKit". In a mirrored store it shows which \
            changes are still pending for CloudKit. Values before and after are shown for changes that meterfix made, \
            as long as their backup is here. What meterfix alone did: meterfix undo --list.

            With the stores of several devices it merges their histories into one: on which device each change was \
            made, and, if that can be proved, where an import was saved. For each meter with several records it says \
            how that happened, or that the histories do not tell. Times are by the clocks of the devices.

            Works on the store of any app that uses Core Data. Without a persistent history there is nothing to show. \
            The store is not touched.

            --since and --until take a moment, 2026-11-20T10:15:00Z, or a day, 2026-11-20, which is that day in UTC. A \
            change at the moment of --since is shown, a change at the moment of --until is not; a day is shown whole.

            EXAMPLES
              meterfix log CKModel.sqlite
              meterfix log A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix log --since 2026-11-20 --until 2026-11-20 CKModel.sqlite
              meterfix log iPhone.sqlite iPad.sqlite Mac.sqlite
              meterfix log --author cloudkit --limit 10 CKModel.sqlite
              meterfix log --entity Recipe --json Recipes.sqlite
            """)

    @OptionGroup var meter: MeterAndStoresArgument

    @Option(
        name: .long, help: ArgumentHelp("Only changes at this moment or later.", valueName: "ISO-8601"),
        transform: { try moment($0, isEnd: false) })
    var since: Timestamp?

    @Option(
        name: .long,
        help: ArgumentHelp("Only changes before this moment, or until the end of this day.", valueName: "ISO-8601"),
        transform: { try moment($0, isEnd: true) })
    var until: Timestamp?

    @Option(
        name: .long,
        help: ArgumentHelp("Only changes whose author, app or process has this in its name.", valueName: "TEXT"))
    var author: String?

    @Option(name: .long, help: ArgumentHelp("Only changes of objects of this entity.", valueName: "NAME"))
    var entity: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Show this many changes. Default: \(defaultLimit); all with --json or --verbose.", valueName: "N"))
    var limit: Int?

    @OptionGroup var backups: BackupFolderOption
    @OptionGroup var common: CommonOptions

    /// Changes that a person reads.
    private static let defaultLimit = 50

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit \(limit) shows nothing; name a number from 1") }
        if let since, let until, until.secondsSince2001 <= since.secondsSince2001 {
            throw ValidationError("--until is not after --since, so that no change is between them")
        }
        if author?.isEmpty ?? false { throw ValidationError("--author needs a text") }
    }

    func run() throws {
        let paths = try meter.paths
        guard backups.backupDir == nil || paths.count == 1 else {
            throw ValidationError("--backup-dir belongs to one store; name one STORE")
        }
        let reference = try meter.meter
        let subject = paths.count == 1 ? paths[0] : Phrase.count(paths.count, "store")
        try common.run("log", "reading \(subject)") { console throws(StoreError) in
            var request = ChangeLog.Request()
            request.address = try reference.map { reference throws(StoreError) in
                try reference.address(inFirstOf: paths, now: common.clock)
            }
            request.since = since
            request.until = until
            request.author = author
            request.entity = entity
            request.limit = limit ?? (common.json || common.verbose ? nil : Self.defaultLimit)
            request.backupFolder = backups.backupDir
            guard paths.count == 1 else {
                let timeline = try Timeline.of(paths, request, now: common.clock)
                try console.answer(
                    timeline, warnings: timeline.warnings, TimelineText(timeline, request, console.times).blocks)
                return .success
            }
            let log = try ChangeLog.of(paths[0], request, now: common.clock)
            try console.answer(
                log, warnings: log.warnings, LogText(log: log, request: request, times: console.times).blocks)
            return .success
        }
    }

    /// - Parameter isEnd: whether a day stands for its end.
    private static func moment(_ text: String, isEnd: Bool) throws -> Timestamp {
        guard var moment = Timestamp(iso8601: text) else {
            throw ValidationError("'\(text)' is not a moment; write it as 2026-11-21T10:15:00Z, or a day as 2026-11-21")
        }
        let isDay = text.utf8.count == "2026-11-21".utf8.count
        if isEnd, isDay { moment.secondsSince2001 += 86_400 }
        return moment
    }
}
