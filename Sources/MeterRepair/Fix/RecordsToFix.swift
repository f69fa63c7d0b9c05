internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The records that the checks of some cures find something about.
struct RecordsToFix {
    /// The rows of each cure, in ascending order.
    let rows: [FixableCheck: [Int64]]
    /// The id for each record that gets another one, by row number.
    let identities: [Int64: FieldValue]
    /// These records, and all of the meters that have several; by row number.
    let records: [Int64: DeviceSettings]

    /// - Parameter filter: whose records they are. Those of other meters that share an `id` are read too, for one of them
    ///   may keep it.
    /// - Throws: SQLite's errors; `StoreError` of kind `interrupted`.
    init(of cures: [FixableCheck], among filter: MeterFilter, in session: MeterSession) throws {
        let store = session.store
        let ids = Set(cures.filter(\.isOfRecords).map(\.rawValue))
        var faulty: [FixableCheck: Set<Int64>] = [:]
        var sameID: [[Int64]] = []
        let isChosen = filter.rows(in: store.addresses)
        for finding in try session.base.findings(of: ids) {
            guard let cure = FixableCheck(rawValue: finding.id), finding.rows.contains(where: isChosen) else {
                continue
            }
            faulty[cure, default: []].formUnion(finding.rows)
            if cure == .idDuplicate { sameID.append(finding.rows) }
        }
        let rows = faulty.mapValues { $0.sorted() }
        self.rows = rows
        let found = try session.wholeRecords(of: Set(rows.values.joined()))
        var others: Set<Int64> = []
        for address in Set(found.values.compactMap(\.usableAddress)) {
            let all = store.addresses.rows(of: address)
            if all.count > 1 { others.formUnion(all.filter { found[$0] == nil }) }
        }
        records = found.merging(try session.wholeRecords(of: others)) { $1 }
        let without = Self.inWinnersOrder(rows[.idMissing] ?? [], found)
        let sharing = sameID.flatMap { Self.losingTheirID(Self.inWinnersOrder($0, found)) }.filter { isChosen($0.row) }
        identities = try Self.identities(for: without + sharing, in: session)
    }

    /// The records in these rows, the one first that a rebuild would keep.
    private static func inWinnersOrder(_ rows: [Int64], _ records: [Int64: DeviceSettings]) -> [DeviceSettings] {
        rows.compactMap { records[$0] }.map { (key: WinnerKey($0, policy: .mostComplete), record: $0) }
            .sorted { $0.key < $1.key }.map(\.record)
    }

    /// Of records that share an id, all but one that keeps it: the first one that has it as Core Data stores it.
    private static func losingTheirID(_ records: [DeviceSettings]) -> [DeviceSettings] {
        let keeper = records.first { $0[.id] == $0.identity } ?? records.first
        return records.filter { $0.row != keeper?.row }
    }

    /// An id for each of these records that no other record has.
    private static func identities(
        for records: [DeviceSettings], in session: MeterSession
    ) throws -> [Int64: FieldValue] {
        var pending: [(record: DeviceSettings, attempt: Int)] = records.map { ($0, 1) }
        var identities: [Int64: FieldValue] = [:]
        var given: Set<FieldValue> = []
        // One pass over the records; another one only where an earlier cure has made the same id.
        while !pending.isEmpty {
            var wanted: Set<FieldValue> = []
            let candidates = pending.compactMap { record, attempt -> (DeviceSettings, Int, FieldValue)? in
                for attempt in attempt...max(attempt, DeviceSettings.mostNewIdentities) {
                    let value = record.newIdentity(attempt: attempt)
                    guard !given.contains(value), wanted.insert(value).inserted else { continue }
                    return (record, attempt, value)
                }
                return nil
            }
            var taken: Set<FieldValue> = []
            for case let id? in try session.store.records.lazy.map(\.identity) where wanted.contains(id) {
                taken.insert(id)
            }
            pending = []
            for (record, attempt, value) in candidates {
                if taken.contains(value) {
                    if attempt < DeviceSettings.mostNewIdentities { pending.append((record, attempt + 1)) }
                } else {
                    identities[record.row] = value
                    given.insert(value)
                }
            }
        }
        return identities
    }
}

extension MeterFilter {
    /// Whether a row is one of those that the filter lets through.
    fileprivate func rows(in addresses: AddressIndex) -> (Int64) -> Bool {
        func rows(_ meters: Set<MACAddress>) -> Set<Int64> { Set(meters.flatMap(addresses.rows)) }
        switch self {
        case .all: return { _ in true }
        case .only(let meters):
            let rows = rows(meters)
            return rows.contains
        case .except(let meters):
            let rows = rows(meters)
            return { !rows.contains($0) }
        }
    }
}

/// Records in CloudKit whose objects are gone from the store, and whose delete the mirror missed.
struct OrphanedRecords {
    /// The deletes that the history can still tell the mirror of, by entity and row number; one for each object.
    let deletions: [CloudDeletion]
    /// Those of objects whose insert the mirror has yet to read, without a record in CloudKit: a delete after it would
    /// cancel it out.
    let unread: [CloudDeletion]
    /// Those of `deletions` whose object has record metadata more than once.
    let ambiguous: [CloudDeletion]
    /// Why no delete in the history reaches the mirror; nil where it does.
    let obstacle: OrphanObstacle?

    /// - Throws: SQLite's errors.
    init(in session: Session) throws {
        let (description, database) = (session.description, session.database)
        // What is in somebody else's iCloud is not the user's to delete.
        let orphans = try description.mirror?.orphans(in: description, database).filter { $0.zoneOwner == nil } ?? []
        guard let mirror = description.mirror, !orphans.isEmpty else {
            (deletions, unread, ambiguous, obstacle) = ([], [], [], nil)
            return
        }
        let inserted = try mirror.newObjectsAfterToken(in: description, database)
        let objects = Dictionary(grouping: orphans, by: \.object).sorted { $0.key < $1.key }
        var found: (deletions: [CloudDeletion], unread: [CloudDeletion], ambiguous: [CloudDeletion]) = ([], [], [])
        for (object, orphans) in objects {
            let deletion = CloudDeletion(
                entity: session.store.entityName(object.entityNumber), entityNumber: object.entityNumber,
                row: object.row,
                cloudRecord: orphans.compactMap(\.recordName).first)
            guard !inserted.contains(object) else {
                found.unread.append(deletion)
                continue
            }
            found.deletions.append(deletion)
            if orphans.count > 1 { found.ambiguous.append(deletion) }
        }
        obstacle = try session.obstacleToDeletingOrphans(of: found.deletions.map(\.entityNumber))
        (deletions, unread, ambiguous) =
            obstacle == nil ? (found.deletions, found.unread, found.ambiguous) : ([], [], [])
    }
}

extension CloudDeletion {
    /// In the mirror's tables.
    var object: CloudKitMirror.Object { CloudKitMirror.Object(entityNumber: entityNumber, row: row) }
}
