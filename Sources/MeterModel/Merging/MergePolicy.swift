/// What a device does with a record from CloudKit that it has changed itself and not uploaded yet. The first four are
/// Apple's, as the documentation of `NSMergePolicyType` describes them with the server's version as the store's and the
/// device's as the one in memory. (Apple's fifth, `NSErrorMergePolicy`, resolves nothing: the save fails.) A record
/// without such a change always takes the server's version, and a record that was deleted on the server is deleted,
/// whatever the policy (inferred, not confirmed on a device).
package enum MergePolicy: String, Sendable, CaseIterable {
    /// `NSMergeByPropertyStoreTrumpMergePolicy`, the app's own. Property by property: what only one side changed stays;
    /// of what both changed, the server's value.
    case storeTrump = "store-trump"
    /// `NSMergeByPropertyObjectTrumpMergePolicy`. Property by property: what only one side changed stays; of what both
    /// changed, the device's value.
    case objectTrump = "object-trump"
    /// `NSOverwriteMergePolicy`: the device's version as a whole, which is uploaded over the server's.
    case overwrite
    /// `NSRollbackMergePolicy`: the server's version as a whole; the device's change is given up.
    case rollback
    /// Not Apple's: the version with the later `updatedAt` as a whole; the server's if they are equal.
    case lastWriteWins = "last-write-wins"

    /// The app's own.
    package static let ofTheApp = MergePolicy.storeTrump

    /// What a device has of a record after it has met another version in CloudKit.
    /// - Parameters:
    ///   - own: the device's version, one value for each field.
    ///   - changed: the fields that the device has changed and not uploaded.
    ///   - base: the version that both have changed; nil if that is not known.
    ///   - server: CloudKit's version.
    ///   - updatedAt: the position of the date; nil if the records have none.
    /// - Returns: the values, and the fields in which they differ from CloudKit's, which are to be uploaded.
    package func merged(
        _ own: [FieldValue], changed: FieldSet, since base: CommonVersion?, with server: [FieldValue], updatedAt: Int?
    ) -> (values: [FieldValue], differing: FieldSet) {
        let kept: FieldSet
        switch self {
        case .storeTrump: kept = changed.subtracting(base?.fieldsChanged(in: server) ?? .all)
        case .objectTrump: kept = changed
        case .overwrite: kept = .all
        case .rollback: kept = []
        case .lastWriteWins:
            let date = updatedAt.flatMap { own[$0].timestamp }
            let other = updatedAt.flatMap { server[$0].timestamp }
            kept = date.map { date in other.map { date > $0 } ?? true } == true ? .all : []
        }
        var merged = server
        var differing = FieldSet()
        for position in merged.indices where kept.contains(position: position) && own[position] != merged[position] {
            merged[position] = own[position]
            differing.insert(FieldSet(position))
        }
        return (merged, differing)
    }
}

/// The version of a record that a device and CloudKit had in common before one of them changed it.
package struct CommonVersion: Sendable {
    package let values: [FieldValue]
    /// Fields whose value is not known: they count as changed on both sides.
    package let unknown: FieldSet

    package init(values: [FieldValue], unknown: FieldSet = []) {
        self.values = values
        self.unknown = unknown
    }

    /// Of a record that a device has changed: what it has not changed it still has, and the rest is as CloudKit has it.
    package init(of own: [FieldValue], changed: FieldSet, in cloud: CommonVersion) {
        values = own.indices.map { changed.contains(position: $0) ? cloud.values[$0] : own[$0] }
        unknown = cloud.unknown
    }

    /// What differs in another version, or may differ.
    package func fieldsChanged(in other: [FieldValue]) -> FieldSet {
        FieldSet(values.indices.filter { values[$0] != other[$0] }).union(unknown)
    }
}

/// A set of fields by their positions in the layout. Attributes beyond the 64th share one bit: they count as changed
/// together.
package struct FieldSet: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package init(_ position: Int) { rawValue = 1 << UInt64(min(position, 63)) }

    package init(_ positions: some Sequence<Int>) {
        rawValue = positions.reduce(0) { $0 | 1 << UInt64(min($1, 63)) }
    }

    package func contains(position: Int) -> Bool { contains(FieldSet(position)) }

    package static let all = FieldSet(rawValue: .max)
}
