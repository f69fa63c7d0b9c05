internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What the mirror has not done yet.
struct MirrorPending: StoreCheck {
    static let description = CheckDescription(
        "mirror-pending", .note, "uploads or deletes wait for CloudKit",
        explanation: [
            """
            CloudKit and the user's other devices do not have these changes yet. The records are marked for upload or \
            deletion, or they are in a part of the history that the mirror has not read, or the mirror has not seen \
            them at all.
            """,
            """
            This is normal for a moment after each change, while a device is offline, and after every change by \
            meterfix: the mirror reads the history when the app opens. Many of them in a store that was online for days \
            mean that the mirror does not work: see `mirror-failing`.
            """,
            "Open the app and give it time. `meterfix sync` lists what waits and says when it has arrived.",
        ])

    /// Objects that the message names.
    private static let most = 3

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        var count = CloudKitMirror.WaitingCount()
        var oldest: Int64?
        var named: [SyncReport.Object] = []
        var changed = ChangedFields(store)
        try mirror.forEachWaiting(in: store.description, database) { waiting in
            count.add(waiting, in: store.description)
            if let since = waiting.since { oldest = min(oldest ?? since, since) }
            if named.count < most { named.append(store.object(waiting, &changed)) }
        }
        guard count.total > 0 else { return [] }
        let forecast = try MirrorSigns(of: store.description, mirror, waiting: count, database).forecast
        try store.nameMeters(of: &named, database)
        let time = try oldest.flatMap { try store.description.history?.time(of: $0, database) }
        let since = time.map(Timestamp.init(secondsSince2001:))
        let rest = count.total - named.count
        let objects = named.map(\.phrase) + (rest > 0 ? ["\(rest) more"] : [])
        return [
            description.finding(
                "waiting for CloudKit: \(forecast.amount)\(since.map { ", since \($0)" } ?? ""): \(Phrase.list(objects))",
                cure: try cure(in: store, forecast, since: since, database))
        ]
    }

    /// Seconds. A device that is online uploads within minutes.
    private static let tooLong: Double = 86_400

    /// What keeps the mirror from its work comes first.
    private static func cure(
        in store: InspectedStore, _ forecast: MirrorForecast, since: Timestamp?, _ database: Database
    ) throws -> String {
        if forecast.deletes > 0, try !store.vanished(database).isEmpty {
            return "do not open the app before it is clear whether these records should be gone: see mass-delete"
        }
        let sync = "`\(store.command("sync"))` shows all that waits, and on a later copy whether it has arrived"
        switch forecast.outcome {
        case .rowsDeleted:
            return
                "rows are deleted here when the app opens this store: save a copy of it, with its -wal, before; \(sync)"
        case .stopped(.constraint): return "nothing is sent before a migration: see uniqueness-constraint"
        case .stopped(.unknownEntity): return "nothing is sent, because every export fails: see mirror-unknown-entity"
        case .stopped(.failure(_, let condition)): return "nothing is sent until \(condition): see mirror-failing"
        case .unknown(.failure): return "it is not known whether it is sent: see mirror-failing"
        case .unknown(.unreadableToken): return "it is not known whether it is sent: see mirror-token-lost"
        case .unknown(.bypassedHistory): return "it is not known whether it is sent: see mirror-unfinished"
        case .nothingWaits, .sent, .everythingSent: break
        }
        if let since, store.now.seconds(since: since) > tooLong {
            return
                "it waits for more than a day: have the user open the app, online and signed in to iCloud, and leave it "
                + "open; \(sync)"
        }
        return "open the app and leave it open; \(sync)"
    }
}

extension SyncReport.Object {
    /// `row 7 of A4:C1:38:0B:7E:21 "Kitchen" (meterName)`.
    fileprivate var phrase: String {
        let owner = [mac, name.map { "\"\($0)\"" }].compactMap(\.self)
        let subject = "row \(object.row) of \(owner.isEmpty ? entity : owner.joined(separator: " "))"
        switch waiting.kind {
        case .insert: return "\(subject) (new)"
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
