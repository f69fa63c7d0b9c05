/// Everything that a command will do to a store, decided before anything is done.
package struct Plan: Hashable, Sendable {
    package var schemaChanges: [SchemaChange]
    package var cloudDeletions: [CloudDeletion]
    /// In the order of the answer; of each meter at most one, and one for each record without a usable address.
    package var meters: [MeterPlan]
    package var metadataChanges: [MetadataChange]
    /// Entries of a legacy dump that cannot be used.
    package var rejects: [Reject]
    /// Meters that an import makes again although somebody had deleted them, in the order of the changes; nil for what is
    /// no import.
    package var revived: [RevivedMeter]?
    /// Meters that an import makes and that may be others of the store, in the order of their addresses; nil for what is no
    /// import.
    package var doubts: [DoubtfulMeter]?
    /// The meter of the store that a reject's key nearly is, in words, by the key.
    package var nearRejects: [String: String] = [:]
    /// What a person must know besides the changes.
    package var notes: [Sentence]
    /// Of the store before the plan.
    package var size: StoreSize

    package init(
        schema: [SchemaChange] = [], cloudDeletions: [CloudDeletion] = [], meters: [MeterPlan] = [],
        metadata: [MetadataChange] = [], rejects: [Reject] = [], notes: [Sentence] = [], of size: StoreSize
    ) {
        schemaChanges = schema
        self.cloudDeletions = cloudDeletions
        self.meters = meters
        metadataChanges = metadata
        self.rejects = rejects
        self.notes = notes
        self.size = size
    }

    package var isEmpty: Bool { schemaChanges.isEmpty && metadataChanges.isEmpty && !changesRecords }

    /// Whether a record is updated, deleted or inserted, here or in CloudKit only, which makes a transaction of history.
    package var changesRecords: Bool { !cloudDeletions.isEmpty || meters.contains { !$0.records.isEmpty } }

    package var conflicts: some Collection<Conflict> { meters.lazy.flatMap(\.conflicts) }

    /// The meters of which a record is updated or deleted.
    package var changedMeters: some Sequence<MeterPlan> {
        meters.lazy.filter { $0.address != nil && ($0.update != nil || !$0.deletions.isEmpty) }
    }

    /// The first records that are updated, by their rows, in the order of the plan.
    package func updatedRows(first most: Int) -> [Int64] {
        var rows: [Int64] = []
        for meter in meters where rows.count < most {
            for case .update(let update) in meter.records where rows.count < most { rows.append(update.row) }
        }
        return rows
    }

    /// The records whose values win the first conflicts, in the order of the plan.
    package func rowsKeptInConflicts(first most: Int) -> [Int64] {
        var rows: [Int64] = []
        for meter in meters where rows.count < most {
            rows += meter.conflicts.compactMap(\.keptFrom).prefix(most - rows.count)
        }
        return rows
    }

    /// The records that are deleted.
    package var deletedRows: Set<Int64> {
        Set(meters.lazy.flatMap(\.records).compactMap { if case .delete = $0 { $0.row } else { nil } })
    }

    /// The meters of which a record is updated, deleted or inserted.
    package var writtenMeters: [MACAddress] { meters.filter { !$0.records.isEmpty }.compactMap(\.address) }

    /// What a person needs who corrects a reject: what its key is, and which meter of the store it nearly is; nil where there
    /// is nothing to say.
    package func hint(of reject: Reject, in letterCase: LetterCase) -> String? {
        guard reject.reason == .badAddress else { return nil }
        let parts = [AddressFault(in: reject.key)?.hint(in: letterCase), nearRejects[reject.key]].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

/// One change of a store, as an answer and a backup have them: in a row.
package enum Change: Hashable, Sendable {
    case schema(SchemaChange)
    case cloudDelete(CloudDeletion)
    case record(RecordChange, of: MeterPlan)
    case metadata(MetadataChange)
}

extension Plan {
    /// Hands over each change, in the order of an answer, and the conflicts of each meter behind its changes.
    package func forEachChange(_ body: (Change) -> Void, conflict: (Conflict) -> Void = { _ in }) {
        for change in schemaChanges { body(.schema(change)) }
        for deletion in cloudDeletions { body(.cloudDelete(deletion)) }
        for meter in meters {
            for record in meter.records { body(.record(record, of: meter)) }
            meter.conflicts.forEach(conflict)
        }
        for change in metadataChanges { body(.metadata(change)) }
    }

    package var changeCount: Int {
        meters.reduce(schemaChanges.count + cloudDeletions.count + metadataChanges.count) { $0 + $1.records.count }
    }
}

/// The delete of a record in CloudKit whose object, of whichever of the app's entities, is gone from the store already.
/// No row is touched: only the history gets the delete, from which the mirror learns of it.
package struct CloudDeletion: Hashable, Sendable {
    package let entity: String
    /// Of the entity in this store, `Z_ENT`.
    package let entityNumber: Int64
    /// Of the object that is gone.
    package let row: Int64
    /// CloudKit record name; nil where the record metadata has none.
    package let cloudRecord: String?

    package init(entity: String, entityNumber: Int64, row: Int64, cloudRecord: String?) {
        self.entity = entity
        self.entityNumber = entityNumber
        self.row = row
        self.cloudRecord = cloudRecord
    }
}

/// A key of the store's metadata dictionary.
package struct MetadataChange: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case number(Int64)
        case flag(Bool)
        /// When a legacy dump was imported, and the SHA-256 of its bytes in hex.
        case legacyImport(date: Timestamp, sha256: String)
        case text(String)
        case texts([String])
        /// Version hashes: entity → 32 bytes.
        case hashes([String: [UInt8]])
    }

    package let key: String
    package let before: Value?
    package let after: Value

    package init(key: String, before: Value?, after: Value) {
        self.key = key
        self.before = before
        self.after = after
    }
}
