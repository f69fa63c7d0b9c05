package import CoreDataStore
internal import MeterJournal
package import MeterModel
internal import MeterStore

extension ComparisonReport {
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
        var report = ComparisonReport(a, b, policy, copies: try copies(sessionA, sessionB))
        compare(a, b, policy, meet: report.forecasts || report.isOfOneStore) { report.add($0) }
        return report
    }

    /// How two states of one store follow each other; nil where they are of two devices, also of two that were set up from
    /// one backup and have written since.
    private static func copies(_ a: MeterSession, _ b: MeterSession) throws -> Copies? {
        if a.base.store.past != nil { return Copies(older: .a) }
        if try b.continues(a) { return Copies(older: .a) }
        if try a.continues(b) { return Copies(older: .b) }
        switch (try a.wasChangedByMeterfix(besides: b), try b.wasChangedByMeterfix(besides: a)) {
        case (true, false): return Copies(older: .a, isChangedByMeterfix: true)
        case (false, true): return Copies(older: .b, isChangedByMeterfix: true)
        case (true, true): return Copies(older: nil, isChangedByMeterfix: true)
        case (false, false): return nil
        }
    }

    /// Goes through both sides' meters in the order of addresses.
    /// - Parameter meet: whether the deletes of one side reach the other.
    private static func compare(
        _ a: ComparedStore, _ b: ComparedStore, _ policy: MergePolicy, meet: Bool, _ body: (MeterComparison) -> Void
    ) {
        let (deletedByA, deletedByB) = meet ? (a.deleted(of: b), b.deleted(of: a)) : ([], [])
        // Where the zone is gone, both sides begin anew, and each record is uploaded by whoever is first.
        let isNewZone = [a, b].contains { $0.summary.ahead == .uploadOfEverything }
        func unsent(_ side: ComparedStore, _ records: [DeviceSettings]) -> [Int64: Set<String>] {
            isNewZone ? Dictionary(uniqueKeysWithValues: records.map { ($0.row, []) }) : side.unsent
        }
        for address in Set(a.records.keys).union(b.records.keys).sorted() {
            let (ofA, ofB) = (a.records[address] ?? [], b.records[address] ?? [])
            body(
                MeterComparison(
                    address, a: ComparedRecord(of: ofA, unsent: unsent(a, ofA), deletedElsewhere: deletedByB),
                    b: ComparedRecord(of: ofB, unsent: unsent(b, ofB), deletedElsewhere: deletedByA), policy: policy))
        }
    }
}

extension MeterSession {
    /// Whether it is a later state of the other's store: its history has the other's last transaction and goes on, and what
    /// was not changed since is the same.
    fileprivate func continues(_ other: MeterSession) throws -> Bool {
        guard let uuid = base.description.metadata.uuid, uuid == other.base.description.metadata.uuid,
            let history = base.history, let otherHistory = other.base.history,
            let last = try history.lastTransaction(base.database),
            let end = try otherHistory.lastTransaction(other.base.database), end < last,
            let time = try otherHistory.time(of: end, other.base.database),
            try history.time(of: end, base.database) == time
        else { return false }
        let changed = try history.rows(ofEntities: settings.numbers, after: end, base.database)
        let (own, others) = (try Self.records(base, without: changed), try Self.records(other.base, without: changed))
        return own.count == others.count
            && own.allSatisfy { row, record in others[row].map { $0.hasSameValues(as: record) } ?? false }
    }

    /// Whether the last change is meterfix's, no app has opened the store since, and its backup is beside it.
    fileprivate func takesUndo() throws -> Bool {
        guard try base.endsWithOwnChange(), try base.mirrorSigns()?.arrival?.isRead != true else { return false }
        // Backups that cannot be read help nobody.
        let stack = try? base.stack(in: BackupFolder(for: base.store.path, named: nil))
        return stack?.changesInStore.isEmpty == false
    }

    /// Whether meterfix alone has written to it since both had the same history, and the other one has gone on without that.
    fileprivate func wasChangedByMeterfix(besides other: MeterSession) throws -> Bool {
        guard let uuid = base.description.metadata.uuid, uuid == other.base.description.metadata.uuid,
            let history = base.history, let otherHistory = other.base.history,
            let last = try history.lastTransaction(base.database),
            let otherLast = try otherHistory.lastTransaction(other.base.database)
        else { return false }
        func isShared(_ transaction: Int64) throws -> Bool {
            try history.time(of: transaction, base.database) == otherHistory.time(of: transaction, other.base.database)
        }
        let own = try history.transactions(by: HistoryWriter.author, base.database).map(\.number)
            .filter { try !isShared($0) }
        guard let first = own.first else { return false }
        return try own == Array(first...last) && otherLast >= first && (first == 1 || isShared(first - 1))
    }

    private static func records(_ session: Session, without changed: Set<Int64>) throws -> [Int64: DeviceSettings] {
        Dictionary(
            uniqueKeysWithValues: try session.store.records.filter { !changed.contains($0.row) }.map { ($0.row, $0) })
    }
}

extension DeviceSettings {
    /// In the fields that both can have.
    fileprivate func hasSameValues(as other: DeviceSettings) -> Bool {
        layout.fields.indices.allSatisfy { place in
            other.layout.position(of: layout.fields[place]).map { other.values[$0] == values[place] } ?? true
        }
    }
}

/// One side of a comparison, opened.
struct ComparedStore {
    let summary: ComparisonReport.Side
    let letterCase: LetterCase
    /// Of each meter, with what CloudKit knows of them.
    let records: [MACAddress: [DeviceSettings]]
    /// By row, the fields of its records that wait to be uploaded; empty if they are not known.
    let unsent: [Int64: Set<String>]
    /// CloudKit's names of records whose delete waits to be uploaded, or came from there and is still to be made here.
    private let deleted: Set<String>
    /// CloudKit's names of all its records.
    private let cloudNames: Set<String>
    /// Of the records without a usable address, each with how many have the same.
    let valuesOfNoMeter: [[String: FieldValue]: Int]
    private let layout: RecordLayout

    init(_ session: MeterSession) throws {
        let store = session.store
        layout = session.settings.layout
        records = Dictionary(
            uniqueKeysWithValues: try session.withCloudRecords(store.addresses.meters).map { ($0.address, $0.records) })
        let strays = try session.store.records.filter { $0.usableAddress == nil }
        valuesOfNoMeter = strays.reduce(into: [:]) { counts, record in
            let values = zip(record.layout.fields.map(\.name), record.values).filter { !$1.isNull }
            counts[Dictionary(uniqueKeysWithValues: values), default: 0] += 1
        }
        letterCase = store.letterCase
        summary = ComparisonReport.Side(
            path: store.path, records: store.addresses.records,
            withoutUsableAddress: store.addresses.recordsWithoutUsableAddress, past: store.past,
            alerts: try session.base.alerts(), repair: store.repair("fix --all"),
            takesNames: store.repair("set MAC").command != nil, account: try session.base.account(),
            hasPending: try session.base.mirrorSigns()?.forecast.total ?? 0 > 0,
            beginsAnew: try session.base.mirrorSigns()?.forecast.deletions.contains { $0 != .userPurge } ?? false,
            lastDelete: try session.history?.lastDelete(ofEntities: session.settings.numbers, session.database),
            lastDownload: try session.mirror.map { try $0.lastImport(session.database) ?? -.infinity },
            ahead: try session.base.mirrorSigns()?.ahead, takesUndo: try session.takesUndo())
        let waiting = try session.waitingRecords()
        unsent = waiting.filter { $0.value.waiting.kind != .delete }.mapValues { Set($0.fields ?? []) }
        cloudNames = Set(records.values.joined().compactMap { $0.cloudRecord?.name })
        let going = records.values.joined().compactMap(\.cloudRecord).filter(\.isAboutToBeDeleted).compactMap(\.name)
        deleted = Set(waiting.values.map(\.waiting).filter { $0.kind == .delete }.compactMap(\.recordName)).union(going)
    }

    /// CloudKit's names of the other side's records that are deleted there once both have synced. One that was changed there,
    /// is not here, and that a delete here may have been about which has still to arrive, counts as deleted: on the server,
    /// a delete wins over a change.
    func deleted(of other: ComparedStore) -> Set<String> {
        guard other.summary.awaitsDeletes(of: summary) else { return deleted }
        let changed = other.records.values.joined().filter { other.unsent[$0.row] != nil }
        return deleted.union(Set(changed.compactMap { $0.cloudRecord?.name }).subtracting(cloudNames))
    }

    /// Fields that only this side's records can have.
    func fields(missingIn other: ComparedStore) -> [String] {
        layout.fields.filter { other.layout.position(of: $0) == nil }.map(\.name)
    }
}
