internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// Why no delete of an object that is gone here can reach CloudKit, or may.
package enum OrphanObstacle: Sendable {
    case noHistory
    /// The mirror starts over.
    case tokenLost
    /// The mirror is about to delete rows here, because CloudKit has nothing of them any more, or another account does.
    case rowsDeleted
    /// What is missing in a recovered store may be whole in CloudKit.
    case recovered
    /// None or few of the entity's objects are left here: CloudKit may have the last copies.
    case lastCopies
    /// What is missing here may not have come down yet.
    case notDownloaded
    /// The same objects may be here under other row numbers.
    case renumbered

    /// For whoever wants the records deleted.
    package var message: String {
        switch self {
        case .noHistory:
            "the store is mirrored to CloudKit but has no history, from which the mirror learns what to delete"
        case .tokenLost:
            "the mirror cannot continue from its place in the history (\(Check.mirrorTokenLost.id)), so no delete in it reaches "
                + "CloudKit"
        case .rowsDeleted:
            "rows are deleted here as soon as the app opens (\(Check.mirrorDeletesHere.id)), so what CloudKit or another device "
                + "still has may be the last copies"
        case .recovered:
            "the store was put together from what could be read of a damaged one (\(Check.recoveredStore.id)): what is missing "
                + "here may be whole in CloudKit, and nothing may be deleted there on the word of this store"
        case .lastCopies:
            "all rows or most of them are gone here without a word in the history, so what CloudKit still has may be the last "
                + "copies"
        case .notDownloaded:
            "nothing has come down from CloudKit yet (\(Check.mirrorNotDownloaded.id)), so what is missing here may still come"
        case .renumbered:
            "rows that are here may be the same objects under other numbers, which another tool has given them, and a delete "
                + "would take them from iCloud and from all devices"
        }
    }

    /// What to do instead.
    package var hint: String {
        switch self {
        case .noHistory: "repair the store on a device whose store has history"
        case .tokenLost: "when the app opens this store, the mirror starts over; look for orphans again after that"
        case .notDownloaded: "let the download end first, then look for orphans again in a new copy"
        case .rowsDeleted: "see to the records that are about to go first, then look for orphans again"
        case .recovered, .lastCopies:
            "ask for the store of another device: what is missing here comes down again from iCloud"
        case .renumbered:
            "use a copy from before the rows got other numbers; if they are other objects, let the app upload them first, "
                + "then look for orphans again"
        }
    }
}

extension Session {
    /// - Parameter entities: the numbers of the entities whose objects are gone.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func obstacleToDeletingOrphans(of entities: some Sequence<Int64>) throws -> OrphanObstacle? {
        guard let mirror else { return nil }
        if !description.recoveries.isEmpty { return .recovered }
        if history == nil { return .noHistory }
        switch try mirror.historyToken(of: description, database) {
        case .unreadable, .transaction(_, exists: false): return .tokenLost
        case .none, .otherStore, .transaction(_, exists: true): break
        }
        if try mirrorSigns()?.forecast.deletions.isEmpty == false { return .rowsDeleted }
        let entities = Set(entities)
        if try mirror.hasUnknownObject(ofEntities: entities, in: description, database) { return .renumbered }
        let orphans = try mirror.orphans(in: description, database).map(\.object)
        if try orphans.contains(where: { try entities.contains($0.entityNumber) && hasMoved($0) }) {
            return .renumbered
        }
        let gone = orphans.map(\.entityNumber)
        if try entities.contains(where: { number in try isNearlyEmpty(number, without: gone.count { $0 == number }) }) {
            return .lastCopies
        }
        return try awaitsFirstImport() ? .notDownloaded : nil
    }

    /// Whether the log shows that an object got another row number, without a word in the history.
    /// - Throws: `StoreError` if a file cannot be read.
    private func hasMoved(_ object: CloudKitMirror.Object) throws -> Bool {
        guard let entity = description.entityTables.first(where: { $0.numbers.contains(object.entityNumber) }) else {
            return false
        }
        return try logEvidenceWithPast().moved[entity.table.name]?.contains(object.row) ?? false
    }

    /// Whether so many objects of an entity are gone that what CloudKit has of them may be the last copies. Whoever removes
    /// duplicates leaves a record of each meter.
    /// - Throws: SQLite's errors.
    private func isNearlyEmpty(_ number: Int64, without gone: Int) throws -> Bool {
        guard let entity = description.entityTables.first(where: { $0.numbers.contains(number) }) else { return false }
        let left = Int(try database.integer(of: "SELECT COUNT(*) FROM \(entity.table.name.quotedIdentifier)"))
        return left == 0 || VanishedRecords.areMany(gone, beside: left)
    }
}
