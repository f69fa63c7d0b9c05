/// What becomes of a record that two sides have in different versions, once both have synced. It is worked out as
/// a device does it: by the merge policy, and with the version that CloudKit has.
struct SyncedVersions {
    /// A version of the record, of which both sides have the same fields.
    struct Version {
        let values: [FieldValue]
        /// The fields that the side has changed and not uploaded; nil if nothing waits.
        let unsent: FieldSet?
    }

    /// The record if side A uploads first, and if side B does. Where nothing waits and the dates are the same: if
    /// CloudKit has A's version, and if it has B's.
    let first: (a: [FieldValue], b: [FieldValue])

    /// - Parameters:
    ///   - later: the side with the later `updatedAt`; nil for neither.
    ///   - updatedAt: the position of the date; nil if the records have none.
    init(_ a: Version, _ b: Version, later: ComparisonSide?, by policy: MergePolicy, updatedAt: Int?) {
        let cloud: CommonVersion
        // A change that is older than CloudKit's version was not made to that one.
        var isBehind = false
        switch (a.unsent, b.unsent) {
        case (nil, nil):
            // One of them has still to arrive on the other side.
            first = (later == .b ? b.values : a.values, later == .a ? a.values : b.values)
            return
        case (let changed?, nil):
            isBehind = later == .b
            cloud = CommonVersion(values: b.values, unknown: isBehind ? changed : [])
        case (nil, let changed?):
            isBehind = later == .a
            cloud = CommonVersion(values: a.values, unknown: isBehind ? changed : [])
        case (let changedA?, let changedB?):
            let newest = later == .b ? b.values : a.values
            cloud = CommonVersion(
                values: a.values.indices.map { position in
                    switch (changedA.contains(position: position), changedB.contains(position: position)) {
                    case (true, false): b.values[position]
                    case (false, true): a.values[position]
                    case (true, true), (false, false): newest[position]
                    }
                }, unknown: changedA.intersection(changedB))
        }
        /// CloudKit's version after a side has synced.
        func upload(_ version: Version, to current: [FieldValue], isFirst: Bool) -> [FieldValue] {
            guard let changed = version.unsent else { return current }
            let base = CommonVersion(of: version.values, changed: changed, in: cloud)
            guard !isFirst || isBehind || base.values != cloud.values else { return version.values }
            return policy.merged(version.values, changed: changed, since: base, with: current, updatedAt: updatedAt)
                .values
        }
        func result(_ one: Version, _ other: Version) -> [FieldValue] {
            upload(other, to: upload(one, to: cloud.values, isFirst: true), isFirst: one.unsent == nil)
        }
        first = (result(a, b), result(b, a))
    }
}
