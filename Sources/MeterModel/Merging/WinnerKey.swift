/// A record's place in the total order of winners: the smallest of a group wins.
///
/// Everything but the row number is a synced value, so that every device that repairs its own copy keeps the same
/// record; the row number decides only between records that no other device can tell apart either.
package struct WinnerKey: Comparable, Sendable {
    package let policy: WinnerPolicy
    package let completeness: Int
    package let updatedAt: Timestamp?
    package let hasCloudRecord: Bool
    package let recordName: [UInt8]?
    package let createdAt: Timestamp?
    package let id: [UInt8]?
    package let row: Int64

    package init(_ record: DeviceSettings, policy: WinnerPolicy) {
        self.policy = policy
        completeness = record.completeness
        updatedAt = record.updatedAt
        hasCloudRecord = record.cloudRecord != nil
        // Without a mirror the app's own note of the record name is the same synced value.
        let noted = record[.cloudKitRecordID]
        recordName = record.cloudRecord?.name.map { Array($0.utf8) } ?? (noted.isEmpty ? nil : noted.bytes)
        createdAt = record.createdAt
        id = record[.id].isEmpty ? nil : record[.id].bytes
        row = record.row
    }

    package static func == (left: WinnerKey, right: WinnerKey) -> Bool { order(left, right) == .same }
    package static func < (left: WinnerKey, right: WinnerKey) -> Bool { order(left, right) == .before }

    private enum Order { case before, same, after }

    private static func order(_ left: WinnerKey, _ right: WinnerKey) -> Order {
        let fuller = order(right.completeness, left.completeness)
        // None is the oldest, so it is after every moment when the latest comes first.
        let newer = reversed(nilFirst(left.updatedAt, right.updatedAt))
        let leading = left.policy == .mostComplete ? [fuller, newer] : [newer, fuller]
        for step in leading where step != .same { return step }
        if left.hasCloudRecord != right.hasCloudRecord { return left.hasCloudRecord ? .before : .after }
        for step in [
            bytesNilLast(left.recordName, right.recordName), nilLast(left.createdAt, right.createdAt),
            bytesNilLast(left.id, right.id),
        ] where step != .same { return step }
        return order(left.row, right.row)
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Order {
        left < right ? .before : (right < left ? .after : .same)
    }

    private static func reversed(_ order: Order) -> Order {
        switch order {
        case .before: .after
        case .same: .same
        case .after: .before
        }
    }

    private static func nilFirst<Value: Comparable>(_ left: Value?, _ right: Value?) -> Order {
        switch (left, right) {
        case (nil, nil): .same
        case (nil, .some): .before
        case (.some, nil): .after
        case (let left?, let right?): order(left, right)
        }
    }

    private static func nilLast<Value: Comparable>(_ left: Value?, _ right: Value?) -> Order {
        left == nil || right == nil ? reversed(nilFirst(left, right)) : nilFirst(left, right)
    }

    private static func bytesNilLast(_ left: [UInt8]?, _ right: [UInt8]?) -> Order {
        guard let left, let right else { return nilLast(left == nil ? nil : 0, right == nil ? nil : 0) }
        if left == right { return .same }
        return left.lexicographicallyPrecedes(right) ? .before : .after
    }
}
