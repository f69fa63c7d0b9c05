package import CoreDataStore
package import GRDB
package import MeterModel
internal import MeterStore

/// What a store says of the mirror's work: all that a forecast is made from.
package struct MirrorIndicators: Sendable {
    package var token: HistoryToken
    package var flags: [CloudKitMirror.Flag]
    package var zones: CloudKitMirror.Zones
    /// The last event of each kind that has ended, and a later one that has not.
    package var events: [CloudKitMirror.Event]
    /// Whether a set-up has failed because the account was changed, and none has succeeded since, whatever failed then.
    var isOfOtherAccount = false
    /// Why the mirror refuses the store's model; nil where it does not.
    package var modelRefusal: MirrorForecast.Stop?
    var waiting: CloudKitMirror.WaitingCount
    /// Objects whose delete waits for CloudKit. Some may be there: a tool wrote them back.
    var deleted: Set<CloudKitMirror.Object> = []
    /// Living objects in a zone whose data somebody deleted in iCloud.
    var purged: Set<CloudKitMirror.Object> = []
    /// What an event that failed would delete here, of which the store has nothing.
    var absentRows: Set<MirrorReaction.Rows> = []
    /// Living objects that are about to be deleted, here or in CloudKit.
    var going: Set<CloudKitMirror.Object> = []
    /// Objects without record metadata that no change after the token names, by entity and row number.
    var unseen: [CloudKitMirror.Object] = []
    /// How far the last change by meterfix has come; nil where there was none.
    package var arrival: CloudKitMirror.Arrival?
    /// CloudKit record names that several objects have: who deletes one of these deletes the record of the others.
    package var sharedNames: [(recordName: String, objects: [CloudKitMirror.Object])] = []
    /// Whether all of it can have been read, as far as whoever asks has found out.
    package var pages = PageCheck.whole

    package var forecast: MirrorForecast {
        MirrorForecast(
            uploads: waiting.uploads, deletes: waiting.deletes, outcome: .init(self), leftBehind: leftBehind.count,
            going: going.count)
    }

    /// What it does first, where that decides in which order the devices may be used.
    package var ahead: StoreSummary.MirrorWork? {
        if !reuploads.isEmpty { return .uploadOfEverything }
        guard arrival?.isComplete == false, waiting.total > 0 else { return nil }
        return .upload(of: waiting.deletes > 0 ? .atRest : .namesLeftAlone)
    }

    /// Objects that never go up by themselves. Where the mirror uploads everything again, or begins anew without the
    /// place where it had stopped, they go with the others.
    package var leftBehind: [CloudKitMirror.Object] {
        let beginsAnew = deletions.contains { deletion in
            switch deletion {
            case .lostPlace, .otherAccount: true
            case .userPurge: false
            }
        }
        return beginsAnew || !reuploads.isEmpty ? [] : unseen + (arrival?.passedOver ?? [])
    }
}

/// Whether the pages of a store are whole, for an answer that says whether all is well and does not run all checks.
package enum PageCheck: Hashable, Sendable {
    case whole
    case damaged
    /// The store is too large to be read as a whole for this answer.
    case notMade
}

extension MirrorIndicators {
    /// - Parameter settings: the store's; nil where it has no records of meters.
    init(
        of store: StoreDescription, _ settings: SettingsTable?, _ mirror: CloudKitMirror, _ database: Database
    ) throws {
        var waiting = CloudKitMirror.WaitingCount()
        var deleted: Set<CloudKitMirror.Object> = []
        try mirror.forEachWaiting(in: store, database) { object in
            waiting.add(object, in: store)
            if object.kind == .delete { deleted.insert(object.object) }
        }
        let series = try mirror.eventSeries(database)
        self.init(
            token: try mirror.historyToken(of: store, database), flags: try mirror.flags(database),
            zones: try mirror.zones(in: store, database), events: series.flatMap(\.lastEvents),
            modelRefusal: MirrorForecast.Stop(modelOf: store, settings), waiting: waiting, deleted: deleted)
        isOfOtherAccount = series.contains { series in
            series.kind == CloudKitMirror.Event.Kind.setup.rawValue
                && series.failures.contains { $0.error.reaction == .deletesRows(.all) }
        }
        if zones.recoveries.contains(.userPurge) {
            purged = Set(try mirror.mirroredObjects(inZonesOf: .userPurge, in: store, database))
        }
        let deleting = failures.compactMap { if case .deletesRows(let rows) = $0.error.reaction { rows } else { nil } }
        for rows in Set(deleting + (isOfOtherAccount ? [.all] : [])) {
            if try mirror.objects(deletedWith: rows, in: store, database).isEmpty { absentRows.insert(rows) }
        }
        going = Set(try mirror.objectsAboutToBeDeleted(in: store, database))
        going.formUnion(try store.living(deleted, database))
        unseen = try mirror.leftBehind(in: store, database)
        arrival = try mirror.arrival(ofLastTransactionBy: HistoryWriter.author, in: store, database)
        sharedNames = try mirror.namesOfSeveralObjects(database)
    }
}

extension Session {
    /// Read once, since several checks and most answers need it; nil for a store that is not mirrored.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func mirrorSigns() throws -> MirrorIndicators? {
        guard let mirror else { return nil }
        return try store.mirrorSigns.withLock { signs in
            try signs.once { try MirrorIndicators(of: description, settings, mirror, database) }
        }
    }
}

extension InspectedStore {
    /// Whether rows are deleted here when the app opens. False before the mirror was read, which every answer does before
    /// it advises anything.
    var deletesHere: Bool { mirrorSigns.withLock { $0.map { !$0.forecast.deletions.isEmpty } ?? false } }

    /// Whether several objects have one record in CloudKit. False before the mirror was read, as above.
    var sharesCloudRecords: Bool { mirrorSigns.withLock { $0.map { !$0.sharedNames.isEmpty } ?? false } }
}

extension MirrorForecast {
    /// Nil for a store that is not mirrored.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init?(of store: StoreDescription, _ database: Database) throws {
        guard let mirror = store.mirror else { return nil }
        self = try MirrorIndicators(of: store, SettingsTable(store), mirror, database).forecast
    }
}

extension MirrorForecast.Outcome {
    /// What is worst for the user decides: first whether rows are deleted, then what keeps the mirror from sending.
    fileprivate init(_ signs: MirrorIndicators) {
        let deletions = signs.deletions
        guard deletions.isEmpty else {
            self = .rowsDeleted(deletions, of: signs.waiting)
            return
        }
        // Its set-up fails before it does anything. What it has noted to delete waits only for the app that migrates the store.
        if let refusal = signs.modelRefusal {
            self = .stopped(refusal)
            return
        }
        let sendsEverything = !signs.reuploads.isEmpty
        guard sendsEverything || signs.waiting.total > 0 else {
            self = signs.pages == .damaged ? .unknown(.damagedStore) : .nothingWaits
            return
        }
        if let stop = signs.stop {
            self = .stopped(stop)
        } else if let doubt = signs.doubt {
            self = .unknown(doubt)
        } else {
            self = sendsEverything ? .everythingSent : .sent
        }
    }

    private static func rowsDeleted(
        _ deletions: [MirrorForecast.Deletion], of waiting: CloudKitMirror.WaitingCount
    ) -> Self {
        guard !deletions.contains(.otherAccount) else { return .rowsDeleted(deletions, lost: waiting.total, kept: 0) }
        // What the user deleted here is gone from iCloud too after a purge, so that is no loss.
        let isPurge = deletions == [.userPurge]
        return .rowsDeleted(
            deletions, lost: waiting.knownUploads + (isPurge ? 0 : waiting.knownDeletes),
            kept: waiting.uploads - waiting.knownUploads)
    }
}

extension MirrorIndicators {
    fileprivate var failures: [(event: CloudKitMirror.Event, error: MirrorError)] {
        events.compactMap { event in event.error.map { (event, $0) } }
    }

    /// Why every record is uploaded again, a sentence each; empty where it is not.
    var reuploads: [Sentence] {
        zones.recoveries.compactMap(\.reasonToUpload)
            + failures.compactMap { event, error in
                guard case .uploadsEverything = error.reaction else { return nil }
                return "\(MirrorForecast.Failure(event, error).text): \(error.meaning)"
            }
    }

    fileprivate var deletions: [MirrorForecast.Deletion] {
        var deletions: [MirrorForecast.Deletion] = []
        func add(_ deletion: MirrorForecast.Deletion) {
            if !deletions.contains(deletion) { deletions.append(deletion) }
        }
        if case .transaction(let number, exists: false) = token { add(.lostPlace(transaction: number)) }
        if zones.recoveries.contains(.userPurge) { add(.userPurge) }
        for (_, error) in failures {
            guard case .deletesRows(let rows) = error.reaction, !absentRows.contains(rows) else { continue }
            switch rows {
            case .mirrored: if !token.forcesReset { add(.lostPlace(transaction: nil)) }
            case .ofZone: add(.userPurge)
            case .all: add(.otherAccount)
            }
        }
        if isOfOtherAccount, !absentRows.contains(.all) { add(.otherAccount) }
        return deletions
    }

    fileprivate var stop: MirrorForecast.Stop? {
        if let entity = waiting.unknownEntity { return .unknownEntity(entity) }
        for (event, error) in failures where error != .unmirrorableModel {
            if case .stops(let condition) = error.reaction {
                return .failure(MirrorForecast.Failure(event, error), until: condition)
            }
        }
        return nil
    }

    fileprivate var doubt: MirrorForecast.Doubt? {
        for (event, error) in failures {
            switch error.reaction {
            // The constraint is gone, which is the usual reason of it; the store does not say whether there is another.
            case .stops: return .failure(MirrorForecast.Failure(event, error))
            // An import that fails keeps no export from its work.
            case .unknown where event.kind != CloudKitMirror.Event.Kind.import.rawValue:
                return .failure(MirrorForecast.Failure(event, error))
            case .unknown, .triesAgain, .uploadsEverything, .deletesRows: break
            }
        }
        if token == .unreadable { return .unreadableToken }
        return flags.contains(.bypassesHistory) ? .bypassedHistory : nil
    }
}

extension CloudKitMirror.Recovery {
    /// Why every record is uploaded again; nil where rows are deleted instead.
    var reasonToUpload: Sentence? {
        switch self {
        case .userPurge: nil
        case .zoneDelete: "the record zone was deleted in CloudKit"
        case .identityLoss: "the key to the encrypted data in CloudKit is lost"
        }
    }
}

extension MirrorForecast.Stop {
    /// Why the mirror refuses the model of a store; nil where it does not.
    /// - Parameter settings: the store's; nil where it has no records of meters.
    init?(modelOf store: StoreDescription, _ settings: SettingsTable?) {
        if settings?.isAddressUnique ?? false {
            self = .constraint
        } else if let breach = store.breachesOfCloudKitRules.first {
            self = .model("\(breach)")
        } else {
            return nil
        }
    }
}

extension MirrorForecast.Failure {
    init(_ event: CloudKitMirror.Event, _ error: MirrorError) {
        self.init(kind: event.kindName, error: error.name, isInferred: error.fault.mark == .inferred)
    }

    /// `the last export failed with CKErrorDomain 25`.
    package var text: String { "the last \(kind) failed\(error.map { " with \($0)" } ?? "")" }
}
