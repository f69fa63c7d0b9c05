/// How a simulation ended.
package struct Outcome: Sendable {
    /// A step of a simulation, in words.
    package struct Step: Hashable, Sendable {
        /// Seconds since the beginning.
        package let time: Double
        /// Nil for what happened to all.
        package let device: Int?
        package let text: String
    }

    /// Record operations of one device.
    package struct Tally: Hashable, Sendable {
        package var saves = 0
        package var deletes = 0
        /// Of these, what a repair caused.
        package var repairSaves = 0
        package var repairDeletes = 0
        package var batches = 0
        package var conflicts = 0
        /// Records and deletions taken in.
        package var received = 0
    }

    /// Whether all devices and the zone have the same records, and nothing is waiting.
    package var isConverged = false
    /// Why not: sentences.
    package var obstacles: [String] = []
    /// Meters that had a record and have none, anywhere.
    package var metersWithoutRecord: [Int] = []
    /// Meters with more than one record in the end.
    package var metersWithSeveralRecords = 0
    /// Values that the user typed last and that are nowhere, nor named as given up in a rebuild's report.
    package var lost: [TypedValue] = []
    /// Values that the user typed last, but a rebuild found another one of the same meter with a later `updatedAt`, and
    /// said so in its report.
    package var givenUp: [TypedValue] = []
    package var tallies: [Tally] = []
    /// Versions of a record that met.
    package var conflicts = 0
    /// Those that differed in what a user types or chooses, both versions.
    package var userConflicts: [SyncConflict] = []
    /// When the last repair took place; nil where there was none. Seconds since the beginning.
    package var repairedAt: Double?
    /// When its changes were on every device; nil where they never were.
    package var quietAt: Double?
    /// The step at which the last copy of each watched value went.
    package var ends: [TypedValue: Step] = [:]
    /// Everything that happened; only where it was asked for.
    package var steps: [Step] = []

    /// From the last repair until its changes were on every device.
    package var secondsUntilQuiet: Double? {
        guard let quietAt, let repairedAt else { return nil }
        return quietAt - repairedAt
    }

    /// Whether nothing was lost and all devices agree.
    package var hasNoLoss: Bool { isConverged && metersWithoutRecord.isEmpty && lost.isEmpty }
}
