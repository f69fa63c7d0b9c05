/// A record's place in the total order of winners: the smallest of a group wins.
///
/// Everything but the row number is a synced value, so that every device that repairs its own copy keeps the same
/// record; the row number decides only between records that no other device can tell apart either.
package struct WinnerKey: Comparable, Sendable {
    package let policy: WinnerPolicy
    /// Whether CloudKit is going to delete the record.
    private let isAboutToBeDeleted: Bool
    private let isMarked: Bool
    package let completeness: Int
    package let updatedAt: Timestamp?
    /// What the later steps compare, if they are needed.
    package let record: DeviceSettings

    package init(_ record: DeviceSettings, policy: WinnerPolicy) {
        self.policy = policy
        isAboutToBeDeleted = record.cloudRecord?.isAboutToBeDeleted ?? false
        isMarked = record.isMarked
        completeness = record.completeness
        updatedAt = record.updatedAt
        self.record = record
    }

    /// The synced name by which equal records are told apart.
    package var recordName: [UInt8]? {
        if let name = record.cloudRecord?.name { return Array(name.utf8) }
        // Without a mirror, the record name that the app keeps itself is the same synced value.
        return record.isEmpty(.cloudKitRecordID) ? nil : record[.cloudKitRecordID].bytes
    }

    private var id: [UInt8]? { record.isEmpty(.id) ? nil : record[.id].bytes }

    package static func == (left: WinnerKey, right: WinnerKey) -> Bool { compare(left, right).order == .same }
    package static func < (left: WinnerKey, right: WinnerKey) -> Bool { compare(left, right).order == .before }

    /// The first step in which `self` and a later record differ.
    package func advantage(over other: WinnerKey) -> WinnerStep { Self.compare(self, other).step }

    private enum Order { case before, same, after }

    private static func compare(_ left: WinnerKey, _ right: WinnerKey) -> (step: WinnerStep, order: Order) {
        for step in WinnerStep.inOrder(of: left.policy) {
            let order = order(of: left, and: right, in: step)
            if order != .same { return (step, order) }
        }
        return (.row, .same)
    }

    private static func order(of left: WinnerKey, and right: WinnerKey, in step: WinnerStep) -> Order {
        switch step {
        case .pendingDelete: order(left.isAboutToBeDeleted ? 1 : 0, right.isAboutToBeDeleted ? 1 : 0)
        case .mark: order(left.isMarked ? 1 : 0, right.isMarked ? 1 : 0)
        case .completeness: order(right.completeness, left.completeness)
        // Missing counts as oldest.
        case .updatedAt: nilLast(left.updatedAt, right.updatedAt) { order($1, $0) }
        case .cloudRecord: order(right.record.cloudRecord == nil ? 0 : 1, left.record.cloudRecord == nil ? 0 : 1)
        case .recordName: nilLast(left.recordName, right.recordName, bytes)
        case .createdAt: nilLast(left.record.createdAt, right.record.createdAt, order)
        case .id: nilLast(left.id, right.id, bytes)
        case .row: order(left.record.row, right.record.row)
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Order {
        left < right ? .before : (right < left ? .after : .same)
    }

    private static func bytes(_ left: [UInt8], _ right: [UInt8]) -> Order {
        left == right ? .same : left.lexicographicallyPrecedes(right) ? .before : .after
    }

    private static func nilLast<Value>(_ left: Value?, _ right: Value?, _ order: (Value, Value) -> Order) -> Order {
        switch (left, right) {
        case (nil, nil): .same
        case (nil, .some): .after
        case (.some, nil): .before
        case (let left?, let right?): order(left, right)
        }
    }
}

/// A step of the total order of winners; the first one in which two records differ decides.
package enum WinnerStep: String, CaseIterable, Hashable, Sendable {
    /// Not about to be deleted before what CloudKit is going to delete.
    case pendingDelete
    /// Not marked as gone before what the app itself regards as gone.
    case mark
    /// Most user data that can be used.
    case completeness
    /// Latest `updatedAt`.
    case updatedAt
    /// In CloudKit before not in CloudKit.
    case cloudRecord
    /// Smallest CloudKit record name.
    case recordName
    /// Earliest `createdAt`.
    case createdAt
    /// Smallest `id`.
    case id
    /// Smallest row number.
    case row

    static func inOrder(of policy: WinnerPolicy) -> [WinnerStep] {
        switch policy {
        case .mostComplete: mostComplete
        case .newest: newest
        }
    }

    private static let mostComplete: [WinnerStep] = first + [.completeness, .updatedAt] + rest
    private static let newest: [WinnerStep] = first + [.updatedAt, .completeness] + rest
    /// What is going to be deleted cannot be what stays, whatever it has.
    private static let first: [WinnerStep] = [.pendingDelete, .mark]
    private static let rest: [WinnerStep] = [.cloudRecord, .recordName, .createdAt, .id, .row]
}

/// Which record of a meter is kept.
package enum WinnerPolicy: String, Sendable, CaseIterable {
    /// The most user data first, then the latest `updatedAt`.
    case mostComplete = "most-complete"
    /// The latest `updatedAt` first, then the most user data, as in the app's own code.
    case newest
}
