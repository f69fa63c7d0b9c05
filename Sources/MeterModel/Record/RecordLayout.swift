/// Which attributes the records of one store have: the known ones first, in their fixed order, then the rest by name.
package struct RecordLayout: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package let name: String
        package let kind: FieldKind
        /// Nil for an attribute of another app version, which meterfix carries but does not interpret.
        package let known: SettingsField?

        package init(name: String, kind: FieldKind) {
            self.name = name
            self.kind = kind
            self.known = SettingsField(rawValue: name)
        }
    }

    package let fields: [Field]
    private let positions: [SettingsField: Int]

    package init(fields: [Field]) {
        let order = SettingsField.allCases
        self.fields = fields.sorted { left, right in
            switch (left.known, right.known) {
            case (let left?, let right?): order.firstIndex(of: left)! < order.firstIndex(of: right)!
            case (.some, nil): true
            case (nil, .some): false
            case (nil, nil): left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
            }
        }
        var positions: [SettingsField: Int] = [:]
        for (index, field) in self.fields.enumerated() {
            if let known = field.known { positions[known] = index }
        }
        self.positions = positions
    }

    /// Where `field` stands in `fields`; nil where the store does not have it.
    package func position(of field: SettingsField) -> Int? { positions[field] }

    /// Where the attribute called `name` stands in `fields`.
    package func position(named name: String) -> Int? {
        SettingsField(rawValue: name).map { positions[$0] } ?? fields.firstIndex { $0.name == name }
    }

    package func has(_ field: SettingsField) -> Bool { positions[field] != nil }
}
