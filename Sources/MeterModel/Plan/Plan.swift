/// Everything that a command will do to a store, decided before anything is done.
package struct Plan: Hashable, Sendable {
    package var changes: [Change] { didSet { counts = Counts(changes) } }
    package var conflicts: [Conflict]
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
    /// What a person must know besides the changes, as sentences.
    package var notes: [String]
    /// Of the store before the plan.
    package var size: StoreSize
    /// There can be a million changes: they are counted once.
    var counts: Counts

    package init(
        changes: [Change], conflicts: [Conflict] = [], rejects: [Reject] = [], notes: [String] = [], of size: StoreSize
    ) {
        self.changes = changes
        self.conflicts = conflicts
        self.rejects = rejects
        self.notes = notes
        self.size = size
        counts = Counts(changes)
    }

    package var isEmpty: Bool { changes.isEmpty }

    /// What a person needs who corrects a reject: what its key is, and which meter of the store it nearly is; nil where there
    /// is nothing to say.
    package func hint(of reject: Reject, in letterCase: LetterCase) -> String? {
        guard reject.reason == .badAddress else { return nil }
        let parts = [AddressFault(in: reject.key)?.hint(in: letterCase), nearRejects[reject.key]].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    package var schemaChanges: [SchemaChange] {
        changes.compactMap { change in
            if case .schema(let change) = change { change } else { nil }
        }
    }

    package var metadataChanges: [MetadataChange] {
        changes.compactMap { change in
            if case .metadata(let change) = change { change } else { nil }
        }
    }

    /// How many meters have a record that is updated, deleted or inserted.
    package var writtenMeters: Int {
        var count = 0
        var last: MACAddress?
        // Changes of one meter follow one another.
        func add(_ address: MACAddress?) {
            guard let address else { return }
            if address != last { count += 1 }
            last = address
        }
        for change in changes {
            switch change {
            case .update(let update): add(update.address)
            case .delete(let deletion): add(deletion.address)
            case .insert(let insertion): add(insertion.address)
            case .cloudDelete, .schema, .metadata: break
            }
        }
        return count
    }

    /// The records that are deleted.
    package var deletedRows: Set<Int64> {
        Set(
            changes.lazy.compactMap { change in
                if case .delete(let deletion) = change { deletion.record.row } else { nil }
            })
    }

    /// Whether a record is updated, deleted or inserted, here or in CloudKit only, which makes a transaction of history.
    package var changesRecords: Bool {
        changes.contains { change in
            switch change {
            case .update, .delete, .cloudDelete, .insert: true
            case .schema, .metadata: false
            }
        }
    }
}

/// One change of a store. (A plan can have a million, so large parts are stored indirectly.)
package enum Change: Hashable, Sendable {
    case update(RecordUpdate)
    indirect case delete(RecordDeletion)
    indirect case cloudDelete(CloudDeletion)
    case insert(RecordInsertion)
    indirect case schema(SchemaChange)
    indirect case metadata(MetadataChange)
}

/// A record updated in place.
package struct RecordUpdate: Hashable, Sendable {
    package let row: Int64
    /// The address before the change; nil for a record without a usable one.
    package let address: MACAddress?
    /// CloudKit record name.
    package let cloudRecord: String?
    private let layout: RecordLayout
    /// Four values for each change: its position in the layout and its rule in one number, the donor's row or NULL, the
    /// value before and the one after. (A plan can have a million updates: as an array they take three times the memory.)
    private let packed: RecordValues

    /// - Parameters:
    ///   - layout: that all changed fields are in.
    ///   - fields: what changes, one for each field.
    package init(
        row: Int64, address: MACAddress?, cloudRecord: String?, layout: RecordLayout, fields: [FieldChange]
    ) {
        self.row = row
        self.address = address
        self.cloudRecord = cloudRecord
        self.layout = layout
        var builder = RecordValues.Builder()
        for change in fields {
            guard let position = layout.position(of: change.field) else {
                preconditionFailure("\(change.field.name) is not in the record's layout")
            }
            builder.append(Int64(position << 8 | change.rule.ordinal))
            if let donor = change.donor { builder.append(donor) } else { builder.appendNull() }
            builder.append(change.before)
            builder.append(change.after)
        }
        packed = builder.finish()
    }

    private func key(_ index: Int) -> Int {
        guard case .integer(let key) = packed[index * 4] else { preconditionFailure("each change has a key") }
        return Int(key)
    }

    /// How many fields change.
    package var count: Int { packed.count / 4 }

    /// Where the changed fields are in a store's layout, which has them all.
    package func positions(in store: RecordLayout) -> [Int] {
        (0..<count).map { store.position(of: layout.fields[key($0) >> 8])! }
    }

    /// Hands over each change without making an object of its values: where in them the change's number, which its field
    /// and its rule decide, the donor's row, the value before and the one after are.
    package func forEachPart(_ body: (RecordLayout.Field, SurvivorshipRule, RecordValues, Int) -> Void) {
        for index in 0..<count {
            let key = key(index)
            body(layout.fields[key >> 8], SurvivorshipRule.all[key & 0xFF], packed, index * 4)
        }
    }

    /// Where what the field at `positions[index]` becomes is, without making an object of it.
    package func placeOfAfter(_ index: Int) -> (values: RecordValues, position: Int) { (packed, index * 4 + 3) }

    /// What the field at `positions[index]` becomes.
    package func after(_ index: Int) -> FieldValue { packed[index * 4 + 3] }

    package var fields: [FieldChange] {
        (0..<count).map { index in
            let key = key(index)
            let donor: Int64? = if case .integer(let row) = packed[index * 4 + 1] { row } else { nil }
            return FieldChange(
                field: layout.fields[key >> 8], before: packed[index * 4 + 2], after: after(index), donor: donor,
                rule: SurvivorshipRule.all[key & 0xFF])
        }
    }
}

/// A deleted record; in full, because it is gone afterwards.
package struct RecordDeletion: Hashable, Sendable {
    package let record: DeviceSettings
    /// Nil for a record without a usable one.
    package let address: MACAddress?
    /// What it was merged into; nil for a record that was deleted because the user named it.
    package let merger: Merger?

    /// Another record of the same meter, which is kept.
    package struct Merger: Hashable, Sendable {
        /// As it was before the change.
        package let survivor: DeviceSettings
        /// The step of the winners' order in which the survivor came before the deleted record.
        package let advantage: WinnerStep

        package init(_ survivor: DeviceSettings, by advantage: WinnerStep) {
            self.survivor = survivor
            self.advantage = advantage
        }
    }

    package init(record: DeviceSettings, address: MACAddress?, mergedInto merger: Merger?) {
        self.record = record
        self.address = address
        self.merger = merger
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

/// A new record.
package struct RecordInsertion: Hashable, Sendable {
    /// The row number it gets.
    package let row: Int64
    /// Nil for a record that comes back from a backup and has no usable one.
    package let address: MACAddress?
    /// Which of its fields have a value.
    package let shape: Shape
    /// Its values that are not NULL, in the order of `shape`.
    package let values: RecordValues

    /// What new records have in common.
    package final class Shape: Hashable, Sendable {
        /// In the order of the layout.
        package let fields: [RecordLayout.Field]
        /// Why each of them has its value.
        package let rules: [SurvivorshipRule]
        /// The row of an earlier store that each value comes from; nil for a value that comes from no row.
        package let donors: [Int64?]

        /// - Parameter donors: nil if no value comes from a row.
        package init(fields: [RecordLayout.Field], rules: [SurvivorshipRule], donors: [Int64?]? = nil) {
            self.fields = fields
            self.rules = rules
            self.donors = donors ?? Array(repeating: nil, count: fields.count)
        }

        package static func == (left: Shape, right: Shape) -> Bool {
            left === right
                || (left.fields == right.fields && left.rules == right.rules && left.donors == right.donors)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(fields)
            hasher.combine(rules)
            hasher.combine(donors)
        }
    }

    package init(row: Int64, address: MACAddress?, shape: Shape, values: RecordValues) {
        precondition(values.count == shape.fields.count, "one value for each field")
        self.row = row
        self.address = address
        self.shape = shape
        self.values = values
    }

    package init(row: Int64, address: MACAddress?, fields: [FieldChange]) {
        self.init(
            row: row, address: address,
            shape: Shape(fields: fields.map(\.field), rules: fields.map(\.rule), donors: fields.map(\.donor)),
            values: RecordValues(fields.map(\.after)))
    }

    /// Its values that are not NULL, in the order of the layout.
    package var fields: [FieldChange] {
        shape.fields.indices.map { index in
            FieldChange(
                field: shape.fields[index], before: .null, after: values[index], donor: shape.donors[index],
                rule: shape.rules[index])
        }
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
