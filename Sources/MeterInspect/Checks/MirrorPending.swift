package import CoreDataStore
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
            count.add(waiting.kind)
            if let since = waiting.since { oldest = min(oldest ?? since, since) }
            if named.count < most { named.append(store.object(waiting, &changed)) }
        }
        guard count.total > 0 else { return [] }
        try store.nameMeters(of: &named, database)
        let time = try oldest.flatMap { try store.description.history?.time(of: $0, database) }
        let since = time.map(Timestamp.init(secondsSince2001:))
        let rest = count.total - named.count
        let objects = named.map(\.phrase) + (rest > 0 ? ["\(rest) more"] : [])
        return [
            description.finding(
                "waiting for CloudKit: \(count.phrase)\(since.map { ", since \($0)" } ?? ""): \(Phrase.list(objects))",
                cure: try cure(in: store, mirror, since: since, database))
        ]
    }

    /// Seconds. A device that is online uploads within minutes.
    private static let tooLong: Double = 86_400

    /// What keeps the mirror from its work comes first.
    private static func cure(
        in store: InspectedStore, _ mirror: CloudKitMirror, since: Timestamp?, _ database: Database
    ) throws -> String {
        if try mirror.historyToken(of: store.description, database).isMissing {
            return "save a copy of the store, with its -wal, before the app opens it: see mirror-token-lost"
        }
        if store.settings?.isAddressUnique ?? false {
            return "nothing goes before a migration: see uniqueness-constraint"
        }
        let failed = try mirror.lastEvents(database).contains { $0.error != nil }
        if failed { return "nothing goes as long as CloudKit's mirror fails: see mirror-failing" }
        let sync = "`\(store.command("sync"))` shows all that waits, and on a later copy whether it has arrived"
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

extension CloudKitMirror.WaitingCount {
    package var phrase: String { Phrase.waiting(uploads: uploads, deletes: deletes) }
}
