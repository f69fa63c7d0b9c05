public import Foundation
internal import GRDB

/// What `NSPersistentCloudKitContainer` keeps in the store about the objects that it mirrors to CloudKit. Its tables
/// were seen in a live store; what they mean was described by readers of Apple's code.
public struct MirrorState: Hashable, Sendable {
    /// An object that the mirror knows.
    public struct Record: Hashable, Sendable {
        /// The name of the entity; nil for one that the store does not have.
        public let entity: String?
        /// `Z_PK` of the object, which may be gone.
        public let number: Int64
        /// The name of its record in CloudKit; nil if it was not exported yet.
        public let recordName: String?
    }

    /// An object that the mirror has still to export.
    public struct Pending: Hashable, Sendable {
        /// The object, and its record if it has one.
        public let record: Record
        /// What becomes of the record in CloudKit.
        public let kind: PersistentHistory.ChangeType
    }

    /// What the mirror's log says about one kind of its work.
    public struct Work: Hashable, Sendable {
        /// `setup`, `import` or `export`.
        public let name: String
        /// When it succeeded last; nil if the log has no success.
        public let lastSuccess: Date?
        /// How often it has failed since.
        public let failures: Int
        /// Why it failed last; nil if it did not fail since it last succeeded.
        public let lastError: MirrorError?
    }

    /// How far the mirror has read the history.
    public let token: HistoryToken
    /// By entity and number.
    public let records: [Record]
    /// Everything that waits: objects marked by the mirror, and those that the history names after the token.
    public let pending: [Pending]
    /// Each kind of work that the log has.
    public let work: [Work]
}

extension StoreSnapshot {
    /// The state of the CloudKit mirror; nil for a store that is not mirrored.
    /// - Throws: `StoreError`.
    public func mirror() throws(StoreError) -> MirrorState? {
        guard let mirror = description.mirror else { return nil }
        return try read { database in
            var records: [MirrorState.Record] = []
            try mirror.forEachRecord(database) { found in
                records.append(self.record(found.entityNumber, found.row, found.recordName))
            }
            var pending: [MirrorState.Pending] = []
            try mirror.forEachWaiting(in: self.description, database) { waiting in
                let record = self.record(waiting.object.entityNumber, waiting.object.row, waiting.recordName)
                pending.append(MirrorState.Pending(record: record, kind: waiting.kind))
            }
            return MirrorState(
                token: try mirror.historyToken(of: self.description, database), records: records, pending: pending,
                work: try mirror.eventSeries(database).map { series in
                    MirrorState.Work(
                        name: series.kindName,
                        lastSuccess: series.lastSuccess?.endedAt.map(Date.init(timeIntervalSinceReferenceDate:)),
                        failures: series.failed, lastError: series.lastError)
                })
        }
    }

    private func record(_ entity: Int64, _ number: Int64, _ name: String?) -> MirrorState.Record {
        MirrorState.Record(entity: description.keys[number: entity]?.name, number: number, recordName: name)
    }
}
