/// A meter on two sides: which fields differ, which version stays once both have synced, and what is lost.
package struct MeterComparison: Hashable, Sendable {
    package enum Outcome: String, Sendable {
        case equal, different
        case onlyA = "only-a"
        case onlyB = "only-b"
    }

    /// A value the user typed that the record no longer has once both sides have synced.
    package struct Loss: Hashable, Sendable {
        package let field: RecordLayout.Field
        package let value: FieldValue
        /// Whose value it is.
        package let side: ComparisonSide
        /// The side that must upload first for it to be lost; nil if it is lost in any case.
        package let first: ComparisonSide?
    }

    package let address: MACAddress
    /// At least one of the two is not nil.
    package let a: ComparedRecord?
    package let b: ComparedRecord?
    /// How CloudKit's version and one that is not uploaded are merged.
    private let policy: MergePolicy

    /// Seconds. Dates less than this apart are equal: CloudKit returns whole milliseconds, a store has more digits.
    package static let dateTolerance = 0.001

    package init(_ address: MACAddress, a: ComparedRecord?, b: ComparedRecord?, policy: MergePolicy) {
        precondition(a != nil || b != nil, "a meter that neither side has")
        self.address = address
        self.policy = policy
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

    /// From A to B, in the order of side A's layout; empty if one side has no record.
    package var differences: [FieldDelta] {
        sharedFields.filter { !Self.isEqual($0.before, $0.after, as: $0.field.kind) }
    }

    /// Names of the fields that are equal and not empty, in the same order.
    package var equalFields: [String] {
        sharedFields.filter { Self.isEqual($0.before, $0.after, as: $0.field.kind) && !$0.before.isEmpty }.map(
            \.field.name)
    }

    /// The fields that both sides' records can have.
    private var sharedFields: [FieldDelta] {
        guard let a = a?.record, let b = b?.record else { return [] }
        return a.layout.fields.enumerated().compactMap { position, field in
            b.layout.position(of: field).map { FieldDelta(field, before: a.values[position], after: b.values[$0]) }
        }
    }

    /// The side with the later `updatedAt` (missing counts as oldest); nil if they are equal, or one side has no
    /// record.
    package var later: ComparisonSide? {
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

    package subscript(_ side: ComparisonSide) -> ComparedRecord? { side == .a ? a : b }

    /// The side whose records all go; nil for neither, A where those of both do.
    package var going: ComparisonSide? { ComparisonSide.allCases.first { self[$0]?.stays.isEmpty == true } }

    /// Whether no record of the meter stays on either side.
    package var goesEverywhere: Bool { [a, b].allSatisfy { $0?.stays.isEmpty ?? true } }

    /// Whether a side has a change of the record that is not uploaded.
    package var hasUnsent: Bool { [a, b].contains { $0?.unsent != nil } }

    /// The side whose version stays as a whole, whichever uploads first. Of two records, of which both stay, the one whose
    /// values a rebuild keeps. Nil for neither, and if one side has no record.
    package var winner: ComparisonSide? {
        guard !goesEverywhere else { return nil }
        if let going { return self[going.other].map { _ in going.other } }
        guard isSameRecord != false, let (versions, synced) = synced(sharedFields) else { return later }
        let results = [synced.first.a, synced.first.b]
        let staying = [(ComparisonSide.a, versions.a), (.b, versions.b)].filter { _, version in
            results.allSatisfy { $0 == version.values }
        }
        return staying.count == 1 ? staying[0].0 : nil
    }

    /// What is lost once both sides have synced.
    package var losses: [Loss] { lossesByDeletion + (going == nil ? lossesByMerge : []) }

    /// Whether the other side's record has no value there that would have to give way.
    package func fills(_ loss: Loss) -> Bool {
        guard let other = self[loss.side.other]?.record else { return false }
        return other.layout.position(of: loss.field).map { other.values[$0].isEmpty } ?? false
    }

    /// What no record has that stays on a side. A deletion is uploaded whatever the cloud has: simulated devices show it.
    private var lossesByDeletion: [Loss] {
        let staying = (a?.stays ?? []) + (b?.stays ?? [])
        var losses: [Loss] = []
        for side in ComparisonSide.allCases {
            for record in self[side]?.goes ?? [] {
                for (field, value) in zip(record.layout.fields, record.values) where field.isUserData && !value.isEmpty
                {
                    let loss = Loss(field: field, value: value, side: side, first: nil)
                    let isKept = staying.contains { other in
                        other.layout.position(of: field).map { Self.isEqual(other.values[$0], value, as: field.kind) }
                            ?? false
                    }
                    if !isKept, !losses.contains(loss) { losses.append(loss) }
                }
            }
        }
        return losses
    }

    /// Of two records of the meter both stay until a rebuild: what that gives up. If they have the same date, what is at
    /// stake.
    private var lossesByMerge: [Loss] {
        let fields = sharedFields
        let synced = isSameRecord == false ? nil : synced(fields)?.synced
        let later = later
        return fields.enumerated().flatMap { position, field -> [Loss] in
            guard field.field.isUserData, !Self.isEqual(field.before, field.after, as: field.field.kind) else {
                return []
            }
            return [(ComparisonSide.a, field.before, field.after), (.b, field.after, field.before)].compactMap {
                side, value, other in
                guard !value.isEmpty else { return nil }
                let isLost: (ifAIsFirst: Bool, ifBIsFirst: Bool)
                if let synced {
                    isLost = (synced.first.a[position] != value, synced.first.b[position] != value)
                } else {
                    // An empty value replaces none.
                    guard !other.isEmpty, later != side else { return nil }
                    isLost = (later != nil || side == .b, later != nil || side == .a)
                }
                guard isLost.ifAIsFirst || isLost.ifBIsFirst else { return nil }
                let first: ComparisonSide? =
                    isLost.ifAIsFirst && isLost.ifBIsFirst ? nil : isLost.ifAIsFirst ? .a : .b
                return Loss(field: field.field, value: value, side: side, first: first)
            }
        }
    }

    /// The versions of the one record that both sides have, and what becomes of them; nil if one side has none.
    private func synced(
        _ fields: [FieldDelta]
    ) -> (versions: (a: SyncedVersions.Version, b: SyncedVersions.Version), synced: SyncedVersions)? {
        guard let a, let b else { return nil }
        func unsent(_ side: ComparedRecord) -> FieldSet? {
            side.unsent.map { names in
                names.isEmpty ? .all : FieldSet(fields.indices.filter { names.contains(fields[$0].field.name) })
            }
        }
        let versions = (
            a: SyncedVersions.Version(values: fields.map(\.before), unsent: unsent(a)),
            b: SyncedVersions.Version(
                // What is equal is the same, however it is written.
                values: fields.map { Self.isEqual($0.before, $0.after, as: $0.field.kind) ? $0.before : $0.after },
                unsent: unsent(b))
        )
        let updatedAt = fields.firstIndex { $0.field.known == .updatedAt }
        return (versions, SyncedVersions(versions.a, versions.b, later: later, by: policy, updatedAt: updatedAt))
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
    /// The row numbers of all its records of the meter.
    package let rows: [Int64]
    /// The different names of its records, that of `record` first; nil for those without one.
    package let names: [String?]
    /// The fields of `record` that were changed here and not uploaded, empty if that is not known; nil if nothing waits.
    package let unsent: Set<String>?
    /// Those that the other side has deleted and not yet uploaded that, and those that are about to be deleted themselves:
    /// they go, once both have synced.
    package let goes: [DeviceSettings]
    package let stays: [DeviceSettings]
    /// Whether one of those that go was changed here, and that is not uploaded.
    package let losesUnsent: Bool

    /// Nil if there are none.
    /// - Parameters:
    ///   - records: the side's records of the meter.
    ///   - unsent: by row, the fields that wait to be uploaded; empty if they are not known.
    ///   - deleted: CloudKit's names of records that the other side has deleted and not yet uploaded that.
    package init?(
        of records: [DeviceSettings], unsent: [Int64: Set<String>] = [:], deletedElsewhere deleted: Set<String> = []
    ) {
        func isGoing(_ record: DeviceSettings) -> Bool {
            guard let known = record.cloudRecord else { return false }
            return known.isAboutToBeDeleted || known.name.map(deleted.contains) ?? false
        }
        goes = records.filter(isGoing)
        stays = records.filter { !isGoing($0) }
        losesUnsent = goes.contains { unsent[$0.row] != nil }
        let keys = records.map { WinnerKey($0, policy: .mostComplete) }
        let ranked = records.indices.sorted { left, right in
            let (leftGoes, rightGoes) = (isGoing(records[left]), isGoing(records[right]))
            return leftGoes == rightGoes ? keys[left] < keys[right] : rightGoes
        }
        guard let first = ranked.first else { return nil }
        record = records[first]
        self.unsent = unsent[record.row]
        var names: [String?] = []
        for index in ranked {
            let name = records[index][.meterName].shownText
            if !names.contains(name) { names.append(name) }
        }
        self.names = names
        rows = records.map(\.row).sorted()
    }
}

/// One of the two things that are compared.
package enum ComparisonSide: String, Sendable, CaseIterable {
    case a, b

    package var other: ComparisonSide { self == .a ? .b : .a }
    /// In a sentence.
    package var letter: String { rawValue.uppercased() }
}
