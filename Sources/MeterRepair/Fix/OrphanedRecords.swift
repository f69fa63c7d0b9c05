internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel

/// Records in CloudKit whose objects are gone from the store, and whose delete the mirror missed.
struct OrphanedRecords {
    /// The deletes that the history can still tell the mirror of, by entity and row number; one for each object.
    let deletions: [CloudDeletion]
    /// Those of objects whose insert the mirror has yet to read, without a record in CloudKit: a delete after it would
    /// cancel it out.
    let unread: [CloudDeletion]
    /// Those of `deletions` whose object has record metadata more than once.
    let ambiguous: [CloudDeletion]
    /// Objects whose delete waits for CloudKit.
    let waiting: Set<CloudKitMirror.Object>
    /// Why no delete in the history reaches the mirror; nil where it does.
    let obstacle: Obstacle?

    enum Obstacle {
        case noHistory
        /// The mirror starts over.
        case tokenLost
    }

    var isEmpty: Bool { deletions.isEmpty && unread.isEmpty && obstacle == nil }

    /// - Throws: SQLite's errors.
    init(in store: InspectedStore, _ database: Database) throws {
        let description = store.description
        let orphans = try description.mirror?.orphans(in: description, database) ?? []
        guard let mirror = description.mirror, !orphans.isEmpty else {
            (deletions, unread, ambiguous, obstacle) = ([], [], [], nil)
            waiting = try description.mirror?.objectsToDelete(in: description, database) ?? []
            return
        }
        waiting = try mirror.objectsToDelete(in: description, database)
        let inserted = try mirror.newObjectsAfterToken(in: description, database)
        let objects = Dictionary(grouping: orphans, by: \.object).sorted { $0.key < $1.key }
        var found: (deletions: [CloudDeletion], unread: [CloudDeletion], ambiguous: [CloudDeletion]) = ([], [], [])
        for (object, orphans) in objects {
            let deletion = CloudDeletion(
                entity: store.entityName(object.entityNumber), entityNumber: object.entityNumber, row: object.row,
                cloudRecord: orphans.compactMap(\.recordName).first)
            guard !inserted.contains(object) else {
                found.unread.append(deletion)
                continue
            }
            found.deletions.append(deletion)
            if orphans.count > 1 { found.ambiguous.append(deletion) }
        }
        obstacle = try Self.obstacle(to: mirror, of: store, database)
        (deletions, unread, ambiguous) =
            obstacle == nil ? (found.deletions, found.unread, found.ambiguous) : ([], [], [])
    }

    private static func obstacle(
        to mirror: CloudKitMirror, of store: InspectedStore, _ database: Database
    ) throws -> Obstacle? {
        guard store.description.history != nil else { return .noHistory }
        switch try mirror.historyToken(of: store.description, database) {
        case .none, .otherStore, .transaction(_, exists: true): return nil
        case .unreadable, .transaction(_, exists: false): return .tokenLost
        }
    }
}

extension CloudDeletion {
    var object: CloudKitMirror.Object { CloudKitMirror.Object(entityNumber: entityNumber, row: row) }
}
