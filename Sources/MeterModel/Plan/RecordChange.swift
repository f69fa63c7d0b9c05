/// What becomes of one record.
package enum RecordChange: Hashable, Sendable {
    case update(RecordUpdate)
    case delete(RecordDeletion)
    case insert(RecordInsertion)

    package var row: Int64 {
        switch self {
        case .update(let update): update.row
        case .delete(let deletion): deletion.record.row
        case .insert(let insertion): insertion.row
        }
    }
}

/// Changes of a meter's records. Most meters have one, which takes no array of its own: a plan can have a million.
package struct RecordChanges: RandomAccessCollection, Hashable, Sendable {
    private var start: RecordChange?
    private var others: [RecordChange] = []

    package init(_ changes: [RecordChange]) {
        start = changes.first
        others = Array(changes.dropFirst())
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { start == nil ? 0 : 1 + others.count }

    package subscript(index: Int) -> RecordChange {
        guard index == 0, let start else { return others[index - 1] }
        return start
    }

    package mutating func append(_ change: RecordChange) {
        if start == nil { start = change } else { others.append(change) }
    }
}

/// A record updated in place.
package struct RecordUpdate: Hashable, Sendable {
    package let row: Int64
    private let layout: RecordLayout
    /// The name in CloudKit, and then four values for each change: its position in the layout and its rule in one number,
    /// the donor's row or NULL, the value before and the one after. (A plan can have a million updates: as an array they
    /// take three times the memory.)
    private let packed: RecordValues

    /// - Parameters:
    ///   - cloudRecord: CloudKit record name.
    ///   - layout: that all changed fields are in.
    ///   - fields: what changes, one for each field.
    package init(row: Int64, cloudRecord: String?, layout: RecordLayout, fields: [FieldChange]) {
        self.row = row
        self.layout = layout
        var builder = RecordValues.Builder()
        builder.append(cloudRecord.map(FieldValue.text) ?? .null)
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

    /// - Parameters:
    ///   - record: as it is before the change.
    ///   - fields: what changes, one for each field.
    package init(of record: DeviceSettings, _ fields: [FieldChange]) {
        self.init(row: record.row, cloudRecord: record.cloudRecord?.name, layout: record.layout, fields: fields)
    }

    /// CloudKit record name.
    package var cloudRecord: String? { packed[0].text }

    package var isInCloud: Bool { !packed.isNull(0) }

    /// Where in `packed` the change of a field begins.
    private func start(_ index: Int) -> Int { 1 + index * 4 }

    private func key(_ index: Int) -> Int {
        guard case .integer(let key) = packed[start(index)] else { preconditionFailure("each change has a key") }
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
            body(layout.fields[key >> 8], SurvivorshipRule.all[key & 0xFF], packed, start(index))
        }
    }

    /// Where what the field at `positions[index]` becomes is, without making an object of it.
    package func placeOfAfter(_ index: Int) -> (values: RecordValues, position: Int) { (packed, start(index) + 3) }

    /// What the field at `positions[index]` becomes.
    package func after(_ index: Int) -> FieldValue { packed[start(index) + 3] }

    package var fields: [FieldChange] {
        (0..<count).map { index in
            let key = key(index)
            let donor: Int64? = if case .integer(let row) = packed[start(index) + 1] { row } else { nil }
            return FieldChange(
                field: layout.fields[key >> 8], before: packed[start(index) + 2], after: after(index), donor: donor,
                rule: SurvivorshipRule.all[key & 0xFF])
        }
    }

    /// What a field becomes; nil where it stays.
    package func after(_ field: SettingsField) -> FieldValue? {
        (0..<count).first { layout.fields[key($0) >> 8].known == field }.map(after)
    }
}

/// A deleted record; in full, because it is gone afterwards.
package struct RecordDeletion: Hashable, Sendable {
    package let record: DeviceSettings
    /// The step of the winners' order in which the meter's survivor came before it; nil for a record that was deleted because
    /// the user named it.
    package let advantage: WinnerStep?

    package init(_ record: DeviceSettings, by advantage: WinnerStep? = nil) {
        self.record = record
        self.advantage = advantage
    }
}

/// A new record.
package struct RecordInsertion: Hashable, Sendable {
    /// The row number it gets.
    package let row: Int64
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

    package init(row: Int64, shape: Shape, values: RecordValues) {
        precondition(values.count == shape.fields.count, "one value for each field")
        self.row = row
        self.shape = shape
        self.values = values
    }

    package init(row: Int64, fields: [FieldChange]) {
        self.init(
            row: row,
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
