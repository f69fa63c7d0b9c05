package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

extension ComparisonReport {
    /// How many meters have their records in memory at a time.
    private static let batch = 20_000

    /// Compares two stores meter by meter.
    /// - Throws: `StoreError` if one of them cannot be read.
    package static func of(
        _ a: String, _ b: String, policy: MergePolicy = .ofTheApp, now: Timestamp
    ) throws(StoreError) -> ComparisonReport {
        try MeterSession.look(at: a, now: now) { sessionA in
            try MeterSession.look(at: b, now: now) { try of(sessionA, $0, policy) }
        }
    }

    /// Compares a store as it was with what it is now.
    /// - Throws: `StoreError` if it cannot be read; `unsuitable` if the state of that moment is not certain any more.
    package static func of(_ path: String, since moment: PastMoment, now: Timestamp) throws(StoreError)
        -> ComparisonReport
    {
        try MeterSession.look(at: path, in: moment, now: now) { then in
            try MeterSession.look(at: path, now: now) { try of(then, $0, .ofTheApp) }
        }
    }

    private static func of(
        _ sessionA: MeterSession, _ sessionB: MeterSession, _ policy: MergePolicy
    ) throws -> ComparisonReport {
        let (a, b) = (try ComparedStore(sessionA), try ComparedStore(sessionB))
        var report = ComparisonReport(a, b, policy)
        do {
            try compare(a, b, policy, meet: report.forecasts || report.isOfOneStore) { report.add($0) }
        } catch {
            throw StoreError(error, at: sessionA.store.path)
        }
        return report
    }

    /// Goes through both sides' meters in the order of addresses.
    /// - Parameter meet: whether the deletes of one side reach the other.
    private static func compare(
        _ a: ComparedStore, _ b: ComparedStore, _ policy: MergePolicy, meet: Bool, _ body: (MeterComparison) -> Void
    ) throws {
        var (restA, restB) = (a.addresses.meters.makeIterator(), b.addresses.meters.makeIterator())
        var (nextA, nextB) = (restA.next(), restB.next())
        var pending: [(address: MACAddress, a: [Int64], b: [Int64])] = []
        func finish() throws {
            let (recordsA, recordsB) = (
                try a.records(ofGroups: pending.map(\.a)), try b.records(ofGroups: pending.map(\.b))
            )
            for (index, meter) in pending.enumerated() {
                body(
                    MeterComparison(
                        meter.address,
                        a: ComparedRecord(
                            of: recordsA[index], unsent: a.unsent, deletedElsewhere: meet ? b.deleted : []),
                        b: ComparedRecord(
                            of: recordsB[index], unsent: b.unsent, deletedElsewhere: meet ? a.deleted : []),
                        policy: policy))
            }
            pending.removeAll(keepingCapacity: true)
            try Interruption.check(a.summary.path)
        }
        while let address = [nextA?.address, nextB?.address].compactMap(\.self).min() {
            var rows: (a: [Int64], b: [Int64]) = ([], [])
            if let meter = nextA, meter.address == address {
                rows.a = meter.rows
                nextA = restA.next()
            }
            if let meter = nextB, meter.address == address {
                rows.b = meter.rows
                nextB = restB.next()
            }
            pending.append((address, rows.a, rows.b))
            if pending.count == batch { try finish() }
        }
        try finish()
    }
}

/// One side of a comparison, opened.
struct ComparedStore {
    let summary: ComparisonReport.Side
    let letterCase: LetterCase
    /// Sorted.
    let addresses: AddressIndex
    /// By row, the fields of its records that wait to be uploaded; empty if they are not known.
    let unsent: [Int64: Set<String>]
    /// CloudKit's names of records whose delete waits to be uploaded.
    let deleted: Set<String>
    private let session: MeterSession
    private let cloudRecords: CloudRecords

    init(_ session: MeterSession) throws {
        let store = session.store
        self.session = session
        cloudRecords = try session.settings.cloudRecords(
            of: store.addresses.meters.lazy.flatMap(\.rows), session.mirror, session.database)
        addresses = store.addresses
        letterCase = store.letterCase
        summary = ComparisonReport.Side(
            path: store.path, records: addresses.records,
            withoutUsableAddress: addresses.recordsWithoutUsableAddress, past: store.past,
            alerts: try session.base.alerts(), account: try session.base.account())
        let waiting = try session.waitingRecords()
        unsent = waiting.filter { $0.value.waiting.kind != .delete }.mapValues { Set($0.fields ?? []) }
        deleted = Set(waiting.values.map(\.waiting).filter { $0.kind == .delete }.compactMap(\.recordName))
    }

    /// The records of groups of rows, group by group.
    func records(ofGroups groups: [[Int64]]) throws -> [[DeviceSettings]] {
        var found = [[DeviceSettings]](repeating: [], count: groups.count)
        try session.settings.forEachRow(ofGroups: groups, cloudRecords: cloudRecords, session.database) { group, row in
            found[group].append(row.record)
        }
        return found
    }

    /// Fields that only this side's records can have.
    func fields(missingIn other: ComparedStore) -> [String] {
        session.settings.layout.fields.filter { other.session.settings.layout.position(of: $0) == nil }.map(\.name)
    }
}
