package import MeterModel

/// How a simulation ended.
package struct Outcome: Sendable {
    /// A step of a simulation, in words.
    package struct Step: Hashable, Sendable {
        /// Seconds since the beginning.
        package let time: Double
        /// Nil for what happened to all devices.
        package let device: Int?
        package let text: String
        /// Whether a mirror that started over deleted or replaced records in it, or the zone was emptied.
        package var isMirrorReset = false
    }

    /// Record operations of one device.
    package struct Tally: Hashable, Sendable {
        package var saves = 0
        package var deletes = 0
        /// Of these, the ones that a repair caused.
        package var repairSaves = 0
        package var repairDeletes = 0
        package var batches = 0
        package var conflicts = 0
        /// Records and deletions received.
        package var received = 0
    }

    /// Whether all devices and the zone have the same records, and nothing waits.
    package var isConverged = false
    /// Why not: sentences.
    package var obstacles: [String] = []
    /// Meters that had a record and have none, anywhere.
    package var metersWithoutRecord: [Int] = []
    /// Meters with more than one record in the end.
    package var severalRecords: [Int] = []
    /// Meters with more than one record in CloudKit when the changes of the last repair had reached every device; nil if
    /// they never did.
    package var severalRecordsWhenQuiet: [Int]?
    /// Values that the user typed last and that are nowhere, and not in a rebuild's report as given up.
    package var lost: [TypedValue] = []
    package var tallies: [Tally] = []
    /// The conflicts in what a user types or chooses, with both versions.
    package var userConflicts: [SyncConflict] = []
    /// How many records the repairs changed, deleted or created, on all devices together.
    package var repairedRecords = 0
    /// When the last repair took place, in seconds since the beginning; nil if there was none.
    package var repairedAt: Double?
    /// When its changes had reached every device; nil if they never did.
    package var quietAt: Double?
    /// Whether the user deleted the app's data in iCloud after a repair. What is gone then is not the repair's doing, and
    /// when each device learns of it depends on what it happens to have to upload.
    package var isDeletedByUserAfterRepair = false
    /// The step at which the last copy of each watched value was lost.
    package var ends: [TypedValue: Step] = [:]
    /// Everything that happened; only if requested.
    package var steps: [Step] = []

    /// Whether nothing was lost and all devices agree.
    package var hasNoLoss: Bool { isConverged && metersWithoutRecord.isEmpty && lost.isEmpty }
}

/// A value that a user typed or chose.
package struct TypedValue: Hashable, Sendable {
    package let meter: Int
    package let field: SettingsField
    package let value: String
    /// Seconds since the beginning; negative for one that was there before.
    package let time: Double
    /// Nil for one that was there before.
    package let device: Int?
}

/// What the user typed last for each meter and must find again. What was typed earlier, the user has replaced.
struct TypedValues {
    /// A value in the app's words: a unit may be written in another way.
    static func inAppsWords(_ value: FieldValue, of field: SettingsField) -> FieldValue {
        guard field == .tc66TemperatureUnit, let unit = value.text.flatMap(TemperatureUnit.init(understanding:)) else {
            return value
        }
        return .text(unit.rawValue)
    }

    private struct Key: Hashable {
        let meter: Int
        let field: SettingsField
    }

    /// Several only if their times are equal.
    private var latest: [Key: [TypedValue]] = [:]

    mutating func note(_ typed: TypedValue) {
        let key = Key(meter: typed.meter, field: typed.field)
        guard let known = latest[key], let time = known.first?.time, time >= typed.time else {
            latest[key] = [typed]
            return
        }
        if time == typed.time, !known.contains(where: { $0.value == typed.value }) { latest[key]!.append(typed) }
    }

    /// The last values for each meter and field, of which one must be left.
    var groups: [[TypedValue]] {
        latest.values.sorted { left, right in
            (left[0].meter, left[0].field.rawValue) < (right[0].meter, right[0].field.rawValue)
        }
    }
}
