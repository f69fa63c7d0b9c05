internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// What the forecast says about the store's rows (`MirrorIndicators`), as findings.
extension Check {
    package static let mirrorDeletesHere = store(
        "mirror-deletes-here", .error, "CloudKit's mirror deletes rows here as soon as the app opens",
        """
        The mirror deletes these rows on this device when the app opens this store, and the store may be the last copy \
        of them. Nothing asks the user before.

        The user deleted the app's data in iCloud (Settings, Manage Storage, Delete Data): the mirror notes it at the \
        record zone (ZNEEDSRECOVERYFROMUSERPURGE) or fails with CKErrorDomain 28, and deletes the records of that zone \
        here. Or somebody signed in to iCloud, signed out, or uses another account (NSCocoaErrorDomain 134405): the \
        mirror deletes all of the app's rows. Or a request failed with NSCocoaErrorDomain 134301, because the place in \
        the history was lost: the records that CloudKit has are deleted here and downloaded again. Where the store \
        itself shows that the place is missing, `mirror-token-lost` says so instead. A zone without a record of this \
        store takes nothing away.

        Do NOT open the app on this device, nor on another one that may have the records, and do not give this store \
        back before they are safe: save a copy of the store with its -wal. `meterfix meters --format csv` lists the \
        names and units, in a form that `meterfix import-kv` reads.

        If the account was changed by mistake, have the user sign in to the former one, which still has all that was \
        uploaded. After a purge iCloud has nothing any more, and no command keeps the mirror from its work: when it \
        has deleted the rows, `meterfix import-kv` creates the records again in a new copy, from that list. (From \
        descriptions of Apple's code, not from a device.)
        """
    ) { check, session in
        guard let mirror = session.mirror, let signs = try session.mirrorSigns() else { return [] }
        return try signs.forecast.deletions.compactMap { deletion in
            guard let scope = deletion.scope else { return nil }
            let objects = try mirror.objects(deletedWith: scope, in: session.description, session.database)
            let own = session.settings.map { settings in objects.filter { settings.numbers.contains($0.entityNumber) } }
            let named = own.flatMap { $0.isEmpty ? nil : $0 } ?? objects
            let number = named.first?.entityNumber
            return check.finding(
                "\(session.amounts(of: objects)) \(objects.count == 1 ? "is" : "are") deleted here when the app opens this "
                    + "store: \(deletion.reason); \(deletion.stake)",
                entity: number.map(session.store.entityName),
                rows: named.filter { $0.entityNumber == number }.map(\.row), cure: stayClosed)
        }
    }

    /// What must not be done comes first.
    private static let stayClosed: Cure =
        """
        do NOT open the app on this device, nor on another one that may have these records: save a copy of the store \
        first, with its -wal; what then helps: \(command: "meterfix verify --explain mirror-deletes-here")
        """

    /// What every advice to use the app gives way to, while rows are to be deleted here.
    static let prohibitionBeforeDeletion: Cure =
        "do NOT open the app: rows are deleted here as soon as it opens; see the errors of the mirror"

    package static let mirrorUploadsAgain = store(
        "mirror-uploads-again", .warning, "CloudKit's mirror uploads every record again",
        """
        CloudKit has lost the records, or the mirror has lost its place in what CloudKit has: it keeps the rows on this \
        device and uploads every record again. So does each other device with its own rows, and where they differ, \
        duplicates and old values come back.

        The record zone was deleted in CloudKit (also CKErrorDomain 26), the key to the encrypted data is lost (112), \
        or the mirror's change token is too old (21). The mirror notes it at the zone, or the last request failed with \
        that error. A history token from another store is said by `mirror-token-lost`.

        Let the device with the most complete data upload first, alone and on a good network; `meterfix compare` shows \
        which it is. Then open the app on the others, one after the other, and verify a copy of each: what appears \
        twice, `meterfix rebuild` merges. (From descriptions of Apple's code, not from a device.)
        """
    ) { check, session in
        guard let signs = try session.mirrorSigns(), signs.forecast.deletions.isEmpty, signs.modelRefusal == nil,
            !signs.reuploads.isEmpty
        else { return [] }
        return [
            check.finding(
                "the mirror uploads every record of this store again: \(signs.reuploads.joined(separator: "; "))",
                cure: session.store.inApp(
                    "let the device with the most complete data upload first, alone and on a good network; then verify a copy of each other device, where records may appear twice"
                ))
        ]
    }

    package static let mirrorLeftBehind = store(
        "mirror-left-behind", .warning, "objects that CloudKit's mirror never uploads by itself",
        """
        These objects, or their newest values, may be on no other device, however long the user waits. They have no record \
        metadata, so the mirror has never seen them, and no change after its history token names them: it does not look \
        for such rows. Or meterfix changed them, and the mirror has read that in the history and not uploaded it. A new \
        object whose upload is pending is none of them.

        Somebody emptied a table of the mirror, or wrote the rows with a tool that leaves no history, such as a SQLite \
        editor.

        The next change of an object in the app, or by `meterfix set`, uploads it. If CloudKit may have it already, \
        from before the mirror's table was emptied, look at a copy from another device first (`meterfix compare`): \
        there the upload makes a second record, which `meterfix rebuild` merges.
        """
    ) { check, session in
        guard let signs = try session.mirrorSigns() else { return [] }
        return Dictionary(grouping: signs.leftBehind, by: \.entityNumber).sorted { $0.key < $1.key }.map {
            number, objects in
            let entity = session.store.entityName(number)
            let (verb, pronoun) = objects.count == 1 ? ("is", "it") : ("are", "them")
            return check.finding(
                "\(Phrase.count(objects.count, "object")) of \(entity) that the mirror passes over \(verb) not uploaded "
                    + "before the app changes \(pronoun)",
                entity: entity, rows: objects.map(\.row),
                cure: session.store.inApp(
                    "compare with a copy from another device, then change the record in the app: that uploads it"
                ))
        }
    }
}

extension Session {
    /// `6 objects of DeviceSettings and 2 objects of ChargeSession`.
    fileprivate func amounts(of objects: [CloudKitMirror.Object]) -> String {
        let counts = Dictionary(grouping: objects, by: \.entityNumber).mapValues(\.count).sorted { $0.key < $1.key }
        return Phrase.list(counts.map { "\(Phrase.count($0.value, "object")) of \(store.entityName($0.key))" })
    }
}

extension MirrorForecast.Deletion {
    /// Which rows go; nil where `mirror-token-lost` says it.
    fileprivate var scope: MirrorReaction.Rows? {
        switch self {
        case .lostPlace(transaction: nil): .mirrored
        case .lostPlace: nil
        case .userPurge: .ofZone
        case .otherAccount: .all
        }
    }

    /// What is lost with them.
    fileprivate var stake: Sentence {
        switch self {
        case .lostPlace: "what was not uploaded is in this store alone"
        case .userPurge, .otherAccount: "this store may be the last copy"
        }
    }
}
