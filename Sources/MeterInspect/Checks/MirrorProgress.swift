internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

extension Check {
    static let mirrorStalled = store(
        "mirror-stalled", .warning, "CloudKit's mirror has not gone on for a long time",
        """
        What is changed here does not reach the user's other devices, and no error says so. A setup, an import or an \
        export began more than a day ago and never ended, and none of its kind has begun since; or nothing was \
        uploaded for 30 days although changes are pending.

        The app was stopped in the middle and has not been opened since, or its mirror does not work: no iCloud \
        account, no network, background work that is forbidden. Or the app's changes come from a process that does not \
        tell the mirror about them, such as an extension.

        Open the app online, signed in to iCloud, leave it open for a few minutes, and ask for the store again. If it \
        is still stalled, the device's log says more, in the lines with CoreData+CloudKit.
        """
    ) { check, session in
        guard let mirror = session.mirror else { return [] }
        let now = session.store.now.secondsSince2001
        let series = try mirror.eventSeries(session.database)
        var reasons: [Sentence] = series.compactMap { series in
            guard let start = series.running?.startedAt, now - start > day else { return nil }
            let time = Timestamp(secondsSince2001: start)
            return
                "the \(series.kindName) that began at \(time) has not ended in \(days(now - start)), and none began since"
        }
        if let idle = try idleExport(of: mirror, series, in: session) { reasons.append(idle) }
        guard !reasons.isEmpty else { return [] }
        return [
            check.finding(
                reasons.joined(separator: "; "),
                cure: session.store.inApp(
                    "open the app online, signed in to iCloud, leave it open for a few minutes, then verify a new copy")
            )
        ]
    }

    private static let day: Double = 86_400
    private static let longest: Double = 30 * day

    /// Nothing was exported for a long time, and something waits for long enough.
    private static func idleExport(
        of mirror: CloudKitMirror, _ series: [CloudKitMirror.EventSeries], in session: Session
    ) throws -> Sentence? {
        let exports = series.first { $0.kind == CloudKitMirror.Event.Kind.export.rawValue }
        let now = session.store.now.secondsSince2001
        let last = exports?.lastSuccess?.endedAt
        // Where nothing was ever exported, since the mirror has been at work.
        guard let since = last ?? series.compactMap(\.start).min(), now - since > longest, exports?.running == nil
        else { return nil }
        let (count, oldest) = try session.countWaiting(for: mirror)
        guard count.total > 0 else { return nil }
        if let oldest, let time = try session.history?.time(of: oldest, session.database) {
            // The app was not opened since, or only just now.
            guard now - time > day, series.compactMap(\.last).max().map({ $0 > time }) ?? false else { return nil }
        }
        let amount = Phrase.waiting(uploads: count.uploads, deletes: count.deletes)
        let pending = "although \(amount) \(count.total == 1 ? "is" : "are") pending"
        return last == nil
            ? "nothing has ever been exported, in \(days(now - since)), \(pending)"
            : "nothing was exported for \(days(now - since)), since \(Timestamp(secondsSince2001: since)), \(pending)"
    }

    private static func days(_ seconds: Double) -> String { Phrase.count(Int((seconds + 3_600) / day), "day") }

    package static let mirrorNotDownloaded = store(
        "mirror-not-downloaded", .warning, "nothing has come down from CloudKit yet",
        """
        Records of the user's meters may still come down from iCloud, so what is missing here is not lost, and whoever \
        makes a record now makes a duplicate. The mirror's log has no import that ended well, and the history has \
        nothing that came from CloudKit; or where that log is empty, the mirror has fetched nothing from any zone.

        The device is new, the app was just installed, or its first import was interrupted or fails.

        Let the download end first: open the app online, signed in to iCloud, and leave it open. Then verify a new \
        copy, and import an old dump only afterwards.
        """
    ) { check, session in
        guard try session.awaitsFirstImport() else { return [] }
        return [
            check.finding(
                "no import from CloudKit is known to have ended well: records may still come down",
                cure: session.store.inApp(
                    "open the app online, signed in to iCloud, and leave it open until the download has ended"))
        ]
    }

    static let mirrorStartedOver = store(
        "mirror-started-over", .note, "CloudKit's mirror dropped what it had and started over",
        """
        Records that had not been uploaded at that time are lost here. The mirror deleted the app's records from this \
        device, in a transaction of its own (author NSCloudKitMirroringDelegate.reset), and downloaded again what \
        iCloud has. The records that came back have new row numbers.

        The mirror does that if another iCloud account is signed in (error 134405), if the place in the history where \
        it had stopped is gone (134301), or if the user deleted the app's data in iCloud. The event that failed just \
        before says which of them it was, where the log still has it.

        `meterfix lost` finds names of such records that the store's files still have, and `meterfix log` shows the \
        deletes. `meterfix restore-record --from lost` makes a record again.
        """
    ) { check, session in
        return try session.restarts().map { restart in
            let failure = try restart.time.flatMap { time in
                try session.mirror?.lastFailure(before: time + 60, session.database)
            }
            let moment: Sentence = restart.time.map { " at \(Timestamp(secondsSince2001: $0))" } ?? ""
            let rest =
                restart.missing == 0
                ? "as many came down again"
                : "\(restart.imported) came down again, so what was not uploaded of the other "
                    + "\(Phrase.count(restart.missing, "record")) is lost"
            return check.finding(
                "CloudKit's mirror deleted \(Phrase.count(restart.deleted, "record"))\(moment) and started over"
                    + "\(reasonOfRestart(failure)); \(rest)",
                cure: .advice(
                    "if something is missed: \(session.store.command("lost")) shows what the store's files still have of it"
                ))
        }
    }

    private static func reasonOfRestart(_ failure: CloudKitMirror.Event?) -> String {
        guard let error = failure?.error, case .deletesRows(let rows) = error.reaction else { return "" }
        return switch rows {
        case .all: ", because another iCloud account was signed in"
        case .mirrored: ", because the place in the history where it had stopped was gone"
        case .ofZone: ", because the app's data was deleted in iCloud"
        }
    }
}

extension Session {
    /// The first one first.
    package func restarts() throws -> [MirrorRestart] { try historyOfRecords().restarts }

    /// Whether the mirror is at work and nothing has come down from CloudKit yet, as far as the store tells.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func awaitsFirstImport() throws -> Bool {
        guard let mirror else { return false }
        let series = try mirror.eventSeries(database)
        // A log that was emptied says nothing; what the mirror knows of its zones may.
        guard try !series.isEmpty || mirror.hasFetchedNothing(database) else { return false }
        // A mirror that refuses the model has never asked CloudKit for anything.
        guard !series.contains(where: { $0.lastSuccess == nil && $0.lastError == .unmirrorableModel }) else {
            return false
        }
        let imports = series.first { $0.kind == CloudKitMirror.Event.Kind.import.rawValue }
        guard imports?.lastSuccess == nil else { return false }
        guard let history, let settings else { return true }
        return try !history.hasImport(ofEntities: settings.numbers, database)
    }
}
