package import CoreDataStore
internal import GRDB
internal import MeterModel

extension Check {
    package static let mirrorFailing = store(
        "mirror-failing", .warning, "the last CloudKit setup, import or export failed",
        """
        Changes do not reach the user's other devices, or theirs do not reach this one. The mirror logs each setup, \
        import and export. The last one of its kind failed.

        An error is identified by its domain and its code together. Most of what is said of it comes from descriptions \
        of Apple's code.

        \(kindsOfFailures.joined(separator: "\n\n"))

        A mirror that gave up stays idle until the app is started again or the account changes: have the user quit the \
        app, open it again and leave it open for a few minutes, then ask for the store again. If it fails again, the \
        device's log says more: `meterfix explain` reads it. A model that the mirror refuses (134060) is an error \
        before anything has failed; v1's constraint goes with `meterfix migrate`.
        """
    ) { check, session in
        guard let mirror = session.mirror else { return [] }
        let failed = try mirror.lastEvents(session.database).compactMap { event -> Finding? in
            guard let error = event.error, let cure = session.store.cure(of: event) else { return nil }
            let moment: Sentence = event.endedAt.map { " at \(Timestamp(secondsSince2001: $0))" } ?? ""
            let name = error.name.map { "\($0), " } ?? ""
            // Whether or not all tables can be read.
            let sizes = error.fault.id == "quota-exceeded" ? try? session.sizesByEntity() : nil
            let size = sizes.map { "; the store has \($0)" } ?? ""
            return check.finding(
                "the last \(event.kindName) failed\(moment): \(name)\(error.meaning); \(error.whatTheMirrorDoes)\(size)",
                cure: cure)
        }
        guard case .model(let reason)? = try session.mirrorSigns()?.modelRefusal else { return failed }
        let refused = check.finding(
            "the mirror refuses the store's model, and nothing is sent or fetched (NSCocoaErrorDomain 134060): \(reason)",
            severity: .error,
            cure: session.store.inApp("change the app's model, and open the store once in the app with the new one"))
        return [refused] + failed
    }

    /// What the codes mean, by what follows from them.
    private static let kindsOfFailures: [String] = MirrorFault.Kind.allCases.compactMap { kind in
        let heading: String
        switch kind {
        case .deletes: heading = "Rows on this device are deleted"
        case .stops: heading = "The mirror gives up"
        case .waits: heading = "The mirror waits"
        case .startsOver: heading = "The mirror keeps the rows and uploads all of them again"
        case .retries: heading = "The mirror tries again by itself"
        case .note: heading = "Nothing is wrong"
        case .build, .noise: return nil
        }
        let codes = MirrorFault.list(of: kind)
        return codes.isEmpty ? nil : ([heading + ":"] + codes.map { "- \($0)" }).joined(separator: "\n")
    }

    package static let mirrorPending = store(
        "mirror-pending", .note, "uploads or deletes are pending for CloudKit",
        """
        CloudKit and the user's other devices do not have these changes yet. The records are marked for upload or \
        deletion, or the changes are in a part of the history that the mirror has not read, or the mirror has not seen \
        the records at all.

        This is normal for a moment after each change, while a device is offline, and after every change by meterfix: \
        the mirror reads the history when the app opens. Many pending changes in a store that has been online for days \
        mean that the mirror does not work: see `mirror-failing`.

        Open the app and give it time. `meterfix sync` lists the pending changes and shows when they are uploaded.
        """
    ) { check, session in
        guard let mirror = session.mirror, let signs = try session.mirrorSigns() else { return [] }
        let forecast = signs.forecast
        guard forecast.total > 0 else { return [] }
        var named: [SyncReport.Object] = []
        var changed = ChangedFields(session.store)
        let (count, oldest) = try session.countWaiting(for: mirror) { waiting in
            if named.count < mostNamed { named.append(session.store.object(waiting, &changed)) }
        }
        try session.fillMeterNames(of: &named)
        // What is read once more has not been pending since then.
        let time = try count.again > 0 ? nil : oldest.flatMap { try session.history?.time(of: $0, session.database) }
        let since = time.map(Timestamp.init(secondsSince2001:))
        let rest = forecast.total - named.count
        let objects = named.map(\.phrase) + (rest > 0 ? ["\(rest) more"] : [])
        // Nobody may take for sent what perhaps never is.
        let severity: Severity? = if case .unknown = forecast.outcome { .warning } else { nil }
        return [
            check.finding(
                "pending for CloudKit: \(forecast.amount)\(since.map { ", since \($0)" as Sentence } ?? ""): \(Phrase.list(objects))",
                severity: severity, cure: whileWaiting(in: session, signs, since: since))
        ]
    }

    /// Objects that the message names.
    private static let mostNamed = 3

    /// Seconds. A device that is online uploads within minutes.
    private static let tooLong: Double = 86_400

    /// What keeps the mirror from its work comes first.
    private static func whileWaiting(
        in session: Session, _ signs: MirrorIndicators, since: Timestamp?
    ) -> Cure {
        let forecast = signs.forecast
        // What of the rows that are deleted here is pending can still be saved.
        if let prohibition = session.store.prohibition, forecast.deletions.isEmpty { return prohibition }
        let sync: Sentence =
            "\(session.store.command("sync")) shows all pending changes, and on a later copy whether they are uploaded"
        switch forecast.outcome {
        case .rowsDeleted:
            return
                "rows are deleted here when the app opens this store: save a copy of it, with its -wal, before; \(sync)"
        case .stopped(.constraint): return "nothing is sent before a migration: see uniqueness-constraint"
        case .stopped(.model): return "nothing is sent before the app's model is changed: see mirror-failing"
        case .stopped(.unknownEntity): return "nothing is sent, because every export fails: see mirror-unknown-entity"
        case .stopped(.failure(_, let condition)): return "nothing is sent until \(condition): see mirror-failing"
        case .unknown(.failure): return "it is not known whether it is sent: see mirror-failing"
        case .unknown(.unreadableToken): return "it is not known whether it is sent: see mirror-token-lost"
        case .unknown(.bypassedHistory): return "it is not known whether it is sent: see mirror-unfinished"
        case .unknown(.damagedStore): return "it is not known whether it is sent: see not-intact"
        case .nothingWaits, .sent, .everythingSent: break
        }
        if let since, session.store.now.seconds(since: since) > tooLong {
            return """
                they have been pending for more than a day: have the user open the app, online and signed in to \
                iCloud, and leave it open; \(sync)
                """
        }
        if case .upload = signs.ahead {
            return "the app uploads them once this copy is back on its device; \(sync)"
        }
        return "open the app and leave it open; \(sync)"
    }

    package static let mirrorTokenLost = store(
        "mirror-token-lost", .error, "the transaction of the mirror's history token is missing",
        """
        The mirror has lost its place in the history: when the app opens this store, it starts over, from the history or \
        from CloudKit. The mirror notes the last transaction of the history that it has read: its history token. If \
        that transaction is missing, the mirror stops with error 134301, DELETES the records that CloudKit has from \
        this device, and downloads them again. Changes that were not uploaded are lost.

        This comes from a history that somebody emptied to make the file smaller, and from an old copy of the store \
        that was put beside newer settings. A history token from another store, as after a backup that was restored \
        through Core Data, or a token that is gone is a warning only: the mirror then reads the whole history and uploads everything in it \
        again.

        Before the app opens this store, write down what has not been uploaded: `meterfix sync` lists it. If another \
        device has everything, let the download happen. (From descriptions of Apple's code, not from a device.)
        """
    ) { check, session in
        guard let mirror = session.mirror else { return [] }
        let message: Sentence
        var severity: Severity?
        switch try mirror.historyToken(of: session.description, session.database) {
        case .none:
            guard let again = try session.mirrorSigns()?.waiting.again, again > 0 else { return [] }
            message =
                "the mirror's history token is missing: the mirror reads the whole history again and uploads what it has uploaded "
                + "before, \(Phrase.count(again, "record")); no record is deleted here for it"
            severity = .warning
        case .transaction(_, exists: true): return []
        case .transaction(let number, exists: false):
            let last = try session.history?.lastTransaction(session.database)
            let place = last.map { "the history goes up to \($0)" } ?? "the history is empty"
            message =
                "the mirror's history token names transaction \(number), which is missing (\(place)): when the app opens, the "
                + "mirrored records are deleted here and downloaded again"
        case .otherStore:
            message =
                "the mirror's history token is from another store: the mirror reads the whole history again and uploads "
                + "everything in it; no record is deleted here for it"
            severity = .warning
        case .unreadable:
            message = "the mirror's history token cannot be decoded; what the mirror does then is not known"
        }
        return [
            check.finding(
                message, severity: severity,
                cure: severity == .warning
                    ? "save a copy of the store, with its -wal, before the app opens it"
                    : "do not open the app on this device before a copy of the store, with its -wal, is saved: changes are lost"
            )
        ]
    }

    static let mirrorUnfinished = store(
        "mirror-unfinished", .note, "CloudKit's mirror was stopped in the middle of its work",
        """
        The mirror notes what it is doing and removes the note when it is done. Here a note is left. It says that the \
        next export leaves out the history or looks for rows without record metadata, that a migration of the mirror's \
        own tables has begun, or which objects it is about to export (ANSCKHISTORYANALYZERSTATE).

        The app was stopped at that moment, or the store was copied then.

        Do nothing: the mirror continues when the app opens. If a later copy still has the note, the mirror is stuck: \
        see `mirror-failing`.
        """
    ) { check, session in
        guard let mirror = session.mirror else { return [] }
        var findings = try mirror.flags(session.database).map {
            check.finding("\($0.meaning) (\($0.rawValue))", cure: session.store.inApp(openTheApp))
        }
        let states = try mirror.analyzerStates(session.database)
        if states > 0 {
            findings.append(
                check.finding(
                    "\(Phrase.count(states, "object")) left in \(CloudKitMirror.analyzerTable) from an export that did not end",
                    cure: session.store.inApp(openTheApp)))
        }
        return findings
    }

    private static let openTheApp: Cure =
        "open the app: its mirror continues by itself, and nothing else may write to its tables"
}

extension CloudKitMirror.Flag {
    /// What the mirror is going to do, or was doing.
    package var meaning: String {
        switch self {
        case .bypassesHistory: "the next export leaves out the history"
        case .scansForRows: "the next export looks for rows without record metadata"
        case .migrationBegan: "a migration of the mirror's own tables has begun"
        }
    }
}

extension SyncReport.Object {
    /// `row 7 of A4:C1:38:0B:7E:21 "Kitchen" (meterName)`.
    fileprivate var phrase: String {
        let owner = [mac, name.map { "\"\($0)\"" }].compactMap(\.self)
        let subject = "row \(object.row) of \(owner.isEmpty ? entity : owner.joined(separator: " "))"
        switch waiting.kind {
        case .insert: return waiting.isUploadedAgain ? "\(subject) (again)" : "\(subject) (new)"
        case .delete: return "\(subject) (deleted)"
        case .update:
            guard let fields, !fields.isEmpty else { return subject }
            return "\(subject) (\(Phrase.start(of: Self.typedFirst(fields), limit: 3)))"
        }
    }

    /// What the user typed or chose before what the app writes by itself.
    private static func typedFirst(_ fields: [String]) -> [String] {
        let typed = SettingsField.userData.map(\.rawValue).filter(fields.contains)
        return typed + fields.filter { !typed.contains($0) }
    }
}

extension Session {
    /// How many rows each entity of the app has, the largest first: what takes up room in iCloud. Nil where none has any.
    fileprivate func sizesByEntity() throws -> String? {
        let tables = description.entityTables
        let counts = try database.rowCounts(of: tables.map(\.table.name))
        let sizes = tables.map { (entity: $0.root.name, rows: counts[$0.table.name] ?? 0) }
            .filter { $0.rows > 0 }.sorted { $0.rows > $1.rows }
        return sizes.isEmpty ? nil : Phrase.start(of: sizes.map { "\(Phrase.count($0.rows, "row")) of \($0.entity)" })
    }
}
