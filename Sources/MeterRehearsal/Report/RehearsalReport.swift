/// The result of a rehearsal.
package struct RehearsalReport: Sendable {
    package struct Device: Sendable {
        package let name: String
        package let records: Int
        /// Records with something to upload.
        package let waiting: Int
    }

    /// A value that is lost in the end.
    package struct Loss: Sendable {
        package let value: TypedValue
        /// Whether the same day without a repair keeps it.
        package let isByRepair: Bool
        /// The step at which its last copy was lost.
        package let end: Outcome.Step?
    }

    /// The shortest schedule that shows a loss, and what happens in it.
    package struct Story: Sendable {
        package let meter: Int
        /// How many events were scheduled; the other steps follow from them.
        package let events: Int
        package let steps: [Outcome.Step]
    }

    package struct Run: Sendable {
        package let procedure: Procedure
        package let strategy: RepairStrategy
        package let outcome: Outcome
        package var lost: [Loss] = []
        package var shortest: Story?

        package var lostByRepair: Int { lost.count { $0.isByRepair } }
        /// Whether the repair itself did no harm.
        package var hasNoLoss: Bool {
            outcome.isConverged && outcome.metersWithoutRecord.isEmpty && lostByRepair == 0
        }
        /// Record operations that the repair caused, on all devices together.
        package var repairOperations: (saves: Int, deletes: Int) {
            outcome.tallies.reduce((0, 0)) { ($0.0 + $1.repairSaves, $0.1 + $1.repairDeletes) }
        }
    }

    package let stores: [String]
    package let devices: [Device]
    package let meters: [Fleet.Meter]
    /// Records in CloudKit at the beginning.
    package let records: Int
    package let options: Rehearsal.Options
    /// Values that the merge policy loses by itself on that day.
    package let lostWithoutRepair: Int
    /// For the requested strategy, by procedure.
    package let runs: [Run]
    /// The other strategy, with all devices repairing at once.
    package let otherStrategy: Run

    /// Whether nothing was lost and everything converged, in both procedures.
    package var hasNoLoss: Bool { runs.allSatisfy { $0.outcome.hasNoLoss } }

    /// What to do, as sentences.
    package var recommendation: [String] {
        var sentences: [String] = []
        let together = runs.first { $0.procedure == .together }
        let one = runs.first { $0.procedure == .oneAndWait }
        if options.strategy == .v2 {
            sentences.append("do not use v2: it deletes and uploads every record, on each device again")
        }
        if one?.hasNoLoss == false {
            sentences.append(
                "do not repair these devices yet: even one device alone loses something here, see above; find out why first"
            )
        } else if together?.hasNoLoss == false {
            sentences.append("repair one device, never several at once: that loses something here")
        } else {
            sentences.append(
                "repair one device; all at once went well here, but only by luck: it depends on what is in transit")
        }
        sentences += [
            "before it: update the app on every device, including those in a drawer, open it there and wait until "
                + "`meterfix status` shows nothing to upload; then close it everywhere",
            "after it: open the app on the repaired device first and wait until it has uploaded, then on the others, "
                + "and use no meter until they have received the changes",
        ]
        if lostWithoutRepair > 0 {
            sentences.append(
                "the merge policy \(options.policy.rawValue) loses typed values by itself, even without a repair, if two "
                    + "devices change the same meter before they sync")
        }
        return sentences
    }
}
