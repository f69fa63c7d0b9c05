internal import MeterModel

/// The result of a rehearsal.
package struct RehearsalReport: Sendable {
    package struct Device: Sendable {
        package let name: String
        package let records: Int
        /// Records with something to upload.
        package let waiting: Int
        /// Nil for a device without a store.
        package let store: Store?
    }

    /// What a store tells by itself, whatever happens on a day.
    package struct Store: Sendable {
        package let source: StoreCopy.Source
        /// Records that first aid fills.
        package let filled: Int
        /// Values that a rebuild names as given up.
        package let givenUp: Int
    }

    /// In how many of the days that were played something happens.
    package struct Days: Hashable, Sendable {
        /// The repair does no harm.
        package var well = 0
        /// Something typed is lost through the repair.
        package var lost = 0
        /// The repair leaves a meter without a record.
        package var gone = 0
        /// The repair leaves a meter with several records.
        package var several = 0
        /// The devices do not come to agree.
        package var apart = 0
        /// Something that was typed last is named as given up.
        package var givenUp = 0

        mutating func add(_ other: Days) {
            well += other.well
            lost += other.lost
            gone += other.gone
            several += other.several
            apart += other.apart
            givenUp += other.givenUp
        }
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
        /// Of the days that were played; the rest of the run is of one of them.
        package var days = Days()

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
    /// How many days were played.
    package let days: Int
    /// The day that is shown: the one with the worst harm, or the first.
    package let seed: UInt64
    /// Days on which the merge policy loses something typed without a repair.
    package let daysLostWithoutRepair: Int
    /// Days on which a sync that starts over does.
    package let daysLostInMirrorResets: Int
    /// Days on which nothing is lost at all, the devices agree, and each procedure keeps its promise.
    package let daysWell: Int
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

    /// Whether on all days nothing was lost, everything converged and each procedure kept its promise.
    package var wentWell: Bool { daysWell == days }

    /// What to do, as sentences.
    package var recommendation: [String] {
        var sentences: [String] = []
        let together = runs.first { $0.procedure == .together }
        let one = runs.first { $0.procedure == .oneAndWait }
        if let aid = runs.first(where: { $0.strategy == .firstAid }) { sentences += self.sentences(on: aid) }
        if options.strategy == .v2 {
            sentences.append("do not use v2: it deletes and uploads every record, on each device again")
        }
        if let one, one.days.well < days {
            sentences.append(
                "do not repair these devices yet: even one device alone \(harm(one)), see above; find out why first")
        } else if let together, together.days.well < days {
            sentences.append(
                "repair one device when the app can be closed on all others, never several at once: that \(harm(together))"
            )
        } else {
            sentences.append(
                "repair one device when the app can be closed on all others; all at once went well here, but only by luck: it depends on what is in transit"
            )
        }
        sentences += [
            "before the repair: update the app on every device, even on those in a drawer, open it there and wait until "
                + "`meterfix sync` says for a fresh copy that nothing is pending for CloudKit; then close it everywhere",
            "after the repair: open the app on the repaired device first and wait until it has uploaded, then on the others, "
                + "and use no meter until they have received the changes",
        ]
        if daysLostWithoutRepair > 0 {
            sentences.append(
                "the merge policy \(options.policy.rawValue) loses typed values by itself, even without a repair, if two "
                    + "devices change the same meter before they sync")
        }
        if daysLostInMirrorResets > 0 {
            sentences.append(
                "a device that starts its sync over loses what it has not uploaded: until every device has uploaded, do not "
                    + "change the iCloud account on any of them, and do not delete the app's data there")
        }
        return sentences
    }

    /// What first aid is good for here: by the stores as they are.
    private func sentences(on aid: Run) -> [String] {
        guard devices.contains(where: { ($0.store?.filled ?? 0) > 0 }) else {
            return ["rebuild --in-use has nothing to do: each app already shows every name and unit there is"]
        }
        guard aid.days.well == days else { return ["do without rebuild --in-use: even that \(harm(aid)), see above"] }
        return [
            "now, if devices must stay in use: `meterfix rebuild --in-use` on each device whose app shows a meter "
                + "without its name or unit; before it update the app on every device and let it sync, and after it "
                + "type no name and choose no unit until `meterfix sync` says that the change is uploaded"
        ]
    }

    private func harm(_ run: Run) -> String {
        let what =
            run.days.gone + run.days.lost > 0
            ? "loses something"
            : run.days.several > 0
                ? "leaves a meter with several records" : "leaves the devices with different records"
        return "\(what) in \(days - run.days.well) of \(days) days"
    }
}
