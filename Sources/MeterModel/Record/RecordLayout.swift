internal import Texts

/// Which attributes the records of a store have: the known ones first, in their fixed order, then the others by name.
package struct RecordLayout: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package let name: String
        package let kind: FieldKind
        /// Nil for an attribute of another app version, which meterfix carries but does not interpret.
        package let known: SettingsField?
        /// What becomes of it in a merge.
        package let survivorship: Survivorship

        package init(name: String, kind: FieldKind) {
            self.name = name
            self.kind = kind
            known = SettingsField(rawValue: name)
            survivorship = known?.survivorship ?? (kind.isMark(name) ? .mark : .unknown)
        }
    }

    /// Every record has its layout, so it is one object shared by all.
    private let contents: Contents

    private final class Contents: Sendable {
        let fields: [Field]
        /// For each known field, by its ordinal, its position in `fields`; -1 if the store does not have it.
        let positions: [Int]
        /// One for each of `fields`.
        let survivorships: [Survivorship]
        let kinds: [FieldKind]
        let marks: [Int]
        let dates: [Int]
        let knownDates: [Int]
        let flatLock: [Int]
        let checkedByTypeAlone: [Int]

        init(_ fields: [Field], _ positions: [Int]) {
            self.fields = fields
            self.positions = positions
            survivorships = fields.map(\.survivorship)
            kinds = fields.map(\.kind)
            marks = fields.indices.filter { fields[$0].survivorship == .mark }
            let dates = fields.indices.filter { fields[$0].kind == .date }
            self.dates = dates
            knownDates = dates.filter { fields[$0].known != nil }
            flatLock = SettingsField.flatLock.map { positions[$0.number] }.filter { $0 >= 0 }
            checkedByTypeAlone = fields.indices.filter { fields[$0].known?.isCheckedByTypeAlone == true }
        }
    }

    package var fields: [Field] { contents.fields }
    /// What becomes of each of `fields` in a merge.
    var survivorships: [Survivorship] { contents.survivorships }
    /// Of each of `fields`.
    var kinds: [FieldKind] { contents.kinds }

    /// The positions of the attributes by which the app marks a record as gone.
    package var marks: [Int] { contents.marks }
    /// The positions of the dates.
    package var dates: [Int] { contents.dates }
    /// The positions of those dates that are known fields.
    package var knownDates: [Int] { contents.knownDates }
    /// The positions of the attributes that are a lock together.
    var flatLock: [Int] { contents.flatLock }
    /// The positions of the known fields of which no other check looks at the type of the values.
    var checkedByTypeAlone: [Int] { contents.checkedByTypeAlone }

    package static func == (left: RecordLayout, right: RecordLayout) -> Bool {
        left.contents === right.contents || left.fields == right.fields
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    package init(fields: [Field]) {
        let all = SettingsField.allCases
        let others = fields.filter { $0.known == nil }.sorted(byBytesOf: \.name)
        let fields = all.flatMap { known in fields.filter { $0.known == known } } + others
        var positions = [Int](repeating: -1, count: all.count)
        for (index, field) in fields.enumerated() {
            if let known = field.known { positions[known.number] = index }
        }
        contents = Contents(fields, positions)
    }

    /// The position of `field` in `fields`; nil if the store does not have it.
    package func position(of field: SettingsField) -> Int? {
        let position = contents.positions[field.number]
        return position < 0 ? nil : position
    }

    /// The position of the attribute `name` in `fields`.
    package func position(named name: String) -> Int? {
        SettingsField(rawValue: name).map(position) ?? fields.firstIndex { $0.name == name }
    }

    /// The position of a field, which may be of another layout, in `fields`.
    package func position(of field: Field) -> Int? {
        field.known.map(position) ?? fields.firstIndex { $0.name == field.name }
    }

    /// The value of `field` among those of a record with this layout; NULL if the store does not have it.
    package func value(of field: SettingsField, in values: [FieldValue]) -> FieldValue {
        position(of: field).map { values[$0] } ?? .null
    }

    package func has(_ field: SettingsField) -> Bool { contents.positions[field.number] >= 0 }
}
