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
        /// What took the last copy of a value.
        package enum Cause: String, Sendable {
            /// The same day without a repair keeps the value.
            case repair
            /// Two devices changed the same record before they synced.
            case mergePolicy = "merge-policy"
            /// The mirror of a device started over before the value was uploaded, or the zone was emptied.
            case mirrorReset = "mirror-reset"
        }

        package let value: TypedValue
        package let cause: Cause
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
        /// Meters that have no record in the end, but have one on the same day without the repair.
        package var goneByRepair: [Int] = []
        /// Meters that the repair leaves with several records, although the procedure promises that it does not.
        package var leftWithSeveral: [Int] = []
        package var shortest: Story?

        package func lost(through cause: Loss.Cause) -> [Loss] { lost.filter { $0.cause == cause } }

        /// Whether the repair itself did no harm.
        package var wentWell: Bool {
            outcome.isConverged && goneByRepair.isEmpty && lost(through: .repair).isEmpty && leftWithSeveral.isEmpty
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
    /// What makes the mirror of a device, or of all, start over on that day.
    package let mirrorResets: [Outcome.Step]
    /// Values that the merge policy loses by itself on that day.
    package let lostWithoutRepair: Int
    /// Values that are lost on that day without a repair because a mirror starts over.
    package let lostInMirrorResets: Int
    /// By procedure: the requested strategy, and first aid.
    package let runs: [Run]
    /// The other strategy, with all devices repairing at once.
    package let otherStrategy: Run

    /// Whether nothing was lost, everything converged and each procedure kept its promise.
    package var wentWell: Bool { runs.allSatisfy { $0.outcome.hasNoLoss && $0.leftWithSeveral.isEmpty } }

    /// What to do, as sentences.
    package var recommendation: [String] {
        var sentences: [String] = []
        let together = runs.first { $0.procedure == .together }
        let one = runs.first { $0.procedure == .oneAndWait }
        if let aid = runs.first(where: { $0.strategy == .firstAid }) { sentences += Self.sentences(on: aid) }
        if options.strategy == .v2 {
            sentences.append("do not use v2: it deletes and uploads every record, on each device again")
        }
        if let one, !one.wentWell {
            sentences.append(
                "do not repair these devices yet: even one device alone \(Self.harm(one)) here, see above; find out why first"
            )
        } else if let together, !together.wentWell {
            sentences.append(
                "repair one device when all can rest, never several at once: that \(Self.harm(together)) here")
        } else {
            sentences.append(
                "repair one device when all can rest; all at once went well here, but only by luck: it depends on what is in transit"
            )
        }
        sentences += [
            "before the repair: update the app on every device, including those in a drawer, open it there and wait until "
                + "`meterfix status` shows nothing to upload; then close it everywhere",
            "after the repair: open the app on the repaired device first and wait until it has uploaded, then on the others, "
                + "and use no meter until they have received the changes",
        ]
        if lostWithoutRepair > 0 {
            sentences.append(
                "the merge policy \(options.policy.rawValue) loses typed values by itself, even without a repair, if two "
                    + "devices change the same meter before they sync")
        }
        if lostInMirrorResets > 0 {
            sentences.append(
                "a device that starts its sync over forgets what it has not uploaded: change the iCloud account on none of "
                    + "them, and delete none of the app's data there, until every device has uploaded")
        }
        return sentences
    }

    /// What first aid is good for here.
    private static func sentences(on aid: Run) -> [String] {
        guard aid.outcome.repairedRecords > 0 else {
            return ["first aid has nothing to do: each app already shows the names and units there are"]
        }
        guard aid.wentWell else { return ["do without first aid: even that \(harm(aid)) here, see above"] }
        return [
            "first aid now, if the devices cannot rest: `meterfix rebuild --in-use` on each device whose app shows a meter "
                + "without its name or unit; before it update the app on every device and let it sync, and after it "
                + "type no name and choose no unit until `meterfix sync` says that the change has arrived"
        ]
    }

    private static func harm(_ run: Run) -> String {
        if !run.goneByRepair.isEmpty || !run.lost(through: .repair).isEmpty { return "loses something" }
        return run.leftWithSeveral.isEmpty
            ? "leaves the devices with different records" : "leaves a meter with several records"
    }
}
