/// A meter on two sides: which fields differ, which side wins under last write wins, and what is lost.
package struct MeterComparison: Hashable, Sendable {
    package enum Outcome: String, Sendable {
        case equal, different
        case onlyA = "only-a"
        case onlyB = "only-b"
    }

    /// A field that both sides' records can have, with the value of each.
    package struct Difference: Hashable, Sendable {
        package let field: RecordLayout.Field
        package let a: FieldValue
        package let b: FieldValue
    }

    /// A value the user typed that the winning version does not have.
    package struct Loss: Hashable, Sendable {
        package let field: RecordLayout.Field
        package let value: FieldValue
        /// Whose value it is.
        package let side: ComparisonSide
    }

    package let address: MACAddress
    /// At least one of the two is not nil.
    package let a: ComparedRecord?
    package let b: ComparedRecord?

    /// Seconds. Dates less than this apart are equal: CloudKit returns whole milliseconds, a store has more digits.
    package static let dateTolerance = 0.001

    package init(_ address: MACAddress, a: ComparedRecord?, b: ComparedRecord?) {
        precondition(a != nil || b != nil, "a meter that neither side has")
        self.address = address
        self.a = a
        self.b = b
    }

    package var outcome: Outcome {
        guard a != nil else { return .onlyB }
        guard b != nil else { return .onlyA }
        return !hasSeveral && isSameRecord != false && differences.isEmpty ? .equal : .different
    }

    /// Whether a side has several records of the meter. Then the sides are not equal, whatever the records have: which one
    /// the app shows is chance on each.
    package var hasSeveral: Bool { [a, b].contains { ($0?.rows.count ?? 0) > 1 } }

    /// In the order of side A's layout; empty if one side has no record.
    package var differences: [Difference] {
        sharedFields.filter { !Self.isEqual($0.a, $0.b, as: $0.field.kind) }
    }

    /// Names of the fields that are equal and not empty, in the same order.
    package var equalFields: [String] {
        sharedFields.filter { Self.isEqual($0.a, $0.b, as: $0.field.kind) && !$0.a.isEmpty }.map(\.field.name)
    }

    /// The fields that both sides' records can have.
    private var sharedFields: [Difference] {
        guard let a = a?.record, let b = b?.record else { return [] }
        return a.layout.fields.enumerated().compactMap { position, field in
            b.layout.position(of: field).map { Difference(field: field, a: a.values[position], b: b.values[$0]) }
        }
    }

    /// The side with the later `updatedAt` (missing counts as oldest); nil if they are equal, or one side has no
    /// record.
    package var winner: ComparisonSide? {
        guard let a = a?.record, let b = b?.record else { return nil }
        return switch (a.updatedAt, b.updatedAt) {
        case (nil, nil): nil
        case (_, nil): .a
        case (nil, _): .b
        case (let a?, let b?): abs(a.seconds(since: b)) < Self.dateTolerance ? nil : a > b ? .a : .b
        }
    }

    /// Whether both sides have the same record: by its CloudKit record name, else by its `id`. Nil if that cannot be
    /// determined, or one side has none.
    package var isSameRecord: Bool? {
        guard let a = a?.record, let b = b?.record else { return nil }
        if let a = a.cloudRecord?.name, let b = b.cloudRecord?.name { return a == b }
        return a.isEmpty(.id) || b.isEmpty(.id) ? nil : a[.id] == b[.id]
    }

    /// What last write wins would lose. If neither side wins, what either would lose.
    package var losses: [Loss] {
        let (winner, isSameRecord) = (winner, isSameRecord)
        return differences.flatMap { difference -> [Loss] in
            guard difference.field.isUserData else { return [] }
            // If it is the same record, the version written last replaces the other one as a whole. Two records are
            // merged value by value, and an empty value replaces none.
            if isSameRecord == false, difference.a.isEmpty || difference.b.isEmpty { return [] }
            return ComparisonSide.allCases.filter { $0 != winner }.compactMap { side in
                let value = side == .a ? difference.a : difference.b
                return value.isEmpty ? nil : Loss(field: difference.field, value: value, side: side)
            }
        }
    }

    /// Two empty values are equal, in whatever way they are empty; a JSON attribute can be text on one side and bytes
    /// on the other.
    private static func isEqual(_ left: FieldValue, _ right: FieldValue, as kind: FieldKind) -> Bool {
        if left == right || (left.isEmpty && right.isEmpty) { return true }
        if kind == .date, let left = left.timestamp, let right = right.timestamp {
            return abs(left.seconds(since: right)) < dateTolerance
        }
        guard let left = left.bytes, let right = right.bytes else { return false }
        return left == right
    }
}

/// The records of a meter on one side of a comparison.
package struct ComparedRecord: Hashable, Sendable {
    /// The record a rebuild would keep, as it is.
    package let record: DeviceSettings
    /// All its records of the meter: row numbers, or positions in an export.
    package let rows: [Int64]
    /// The different names of its records, that of `record` first; nil for those without one.
    package let names: [String?]

    /// - Parameter records: the side's records of the meter; nil if there are none.
    package init?(of records: [DeviceSettings]) {
        let keys = records.map { WinnerKey($0, policy: .mostComplete) }
        let ranked = records.indices.sorted { keys[$0] < keys[$1] }
        guard let first = ranked.first else { return nil }
        record = records[first]
        var names: [String?] = []
        for index in ranked {
            let name = records[index].isEmpty(.meterName) ? nil : records[index][.meterName].display(as: .text)
            if !names.contains(name) { names.append(name) }
        }
        self.names = names
        rows = records.map(\.row).sorted()
    }
}

/// One of the two things that are compared.
package enum ComparisonSide: String, Sendable, CaseIterable {
    case a, b
}
