internal import CoreDataStore
package import MeterModel

/// What to do about two stores.
extension ComparisonReport {
    /// In order, eight at most. Nothing where the sides are equal.
    package var steps: [Step] {
        guard a.past == nil else { return [] }
        if [a, b].contains(where: { $0.alerts.pendingStorm != nil }) { return shelter }
        let deletions = a.alerts.deletions + b.alerts.deletions
        guard deletions.isEmpty else { return deletions.map(StoreAlert.deletion).stops() }
        if [a, b].contains(where: { !$0.alerts.vanished.isEmpty }) { return recovery }
        guard !areCopies else { return goingOn }
        guard forecasts else { return [Self.separate] }
        if let takenBack { return takenBack }
        if severalOn.a + severalOn.b > 0 { return repairs }
        if several > 0 { return arrival }
        if losing > 0 { return rescue }
        guard meters.isEmpty else { return synchronisation }
        return isEqual ? [] : stores.map { Step(running: StoreCommand("verify", stores: [$0])) }
    }

    /// Of two copies of one store, the one that counts.
    package var later: ComparisonSide { copies?.older?.other ?? .a }

    /// What to do with the later one of two copies of one store.
    private var goingOn: [Step] {
        let (path, other) = later == .a ? (a.path, b.path) : (b.path, a.path)
        let verify = StoreCommand("verify", stores: [path])
        guard copies?.isChangedByMeterfix == true else { return [Step(running: verify)] }
        guard copies?.older != nil else {
            return [
                Step(
                    .stop,
                    """
                    give only one of \(a.path) and \(b.path) back: whichever comes second would undo the other one's changes on \
                    the device
                    """),
                Step(
                    .ask,
                    "choose the copy that is to go back, and make in it what was changed in the other one, as shown above"
                ),
            ]
        }
        return [
            Step(
                .stop,
                """
                do NOT put \(other) in its place on the device that \(path) is from: what was written there since would be \
                lost
                """),
            Step(running: verify, " says what that copy needs: repair it instead"),
        ]
    }

    /// Where each side has deleted the other one's record of a meter, and meterfix can take one of both back.
    private var takenBack: [Step]? {
        let lost = meters.filter { meter in
            guard meter.a != nil, meter.b != nil else { return false }
            if meter.goesEverywhere { return true }
            // The other one's record may be deleted in iCloud already.
            guard let going = meter.going, meter.isSameRecord == false else { return false }
            return going == .a ? b.awaitsDeletes(of: a) : a.awaitsDeletes(of: b)
        }
        guard !lost.isEmpty, a.ahead != nil || b.ahead != nil else { return nil }
        let names = Phrase.start(of: lost.map { $0.address.text(in: letterCase) }, limit: 3)
        let stop = Step(
            .stop,
            """
            do NOT open the app on either device, nor give a store back: each side has deleted the other one's record of \
            \(names), and once both have synced, it is gone everywhere
            """)
        guard let side = [b, a].first(where: \.takesUndo) else {
            return [
                stop,
                Step(
                    .ask,
                    """
                    note the names and units of both, and take one of both changes back with the backup that was made before \
                    it; then compare again
                    """),
            ]
        }
        return [
            stop,
            Step(
                running: StoreCommand("undo --dry-run", stores: [side.path]),
                " takes the last change of that side back; then compare again"),
        ]
    }

    private static let separate = Step(
        .ask,
        """
        ask which account the user wants: a device that is signed in to another one deletes the app's records there, so \
        save its store before
        """)

    private var stores: [String] { [a.path, b.path] }

    /// The repair of one side is the repair of both.
    private var repairs: [Step] {
        if severalOn.b == 0, a.awaitsDeletes(of: b) { return download(on: .a) }
        if severalOn.a == 0, b.awaitsDeletes(of: a) { return download(on: .b) }
        let sides = [(a, severalOn.a), (b, severalOn.b)].filter { $0.1 > 0 }.map(\.0)
        let after: Sentence =
            "then give this store back, open the app there until all is uploaded, open it on the other device, and compare "
            + "again: "
            + (sides.count > 1 ? "some meters may still have several records there" : "it then has the deletes, too")
        // The side that takes a repair, if one does.
        let side = sides.first { $0.repair.command != nil } ?? sides[0]
        guard let repair = side.repair.command else {
            return [Step(.ask, "\(side.path) takes no repair: \(side.repair.sentence)")]
        }
        return [
            Step(running: StoreCommand("verify", stores: [side.path]), " says what comes before the repair"),
            Step(running: repair.asDryRun), Step(.giveBack, after),
        ]
    }

    /// Where one side has deleted records, perhaps in a repair, and the other one has not looked into iCloud since.
    private func download(on side: ComparisonSide) -> [Step] {
        let (path, other) = side == .a ? (a.path, b.path) : (b.path, a.path)
        return [
            Step(
                .syncAndClose,
                """
                repair nothing yet: \(other) has deleted records since \(path) last downloaded from iCloud, so open the \
                app on the device of \(side.letter), \(path), online, until `meterfix status` on a later copy has a \
                download since then, and close it
                """),
            Step(.copyAgain, "copy its store again, and compare again"),
        ]
    }

    /// Where one side is repaired, and the other one gets that from iCloud.
    private var arrival: [Step] {
        let isOnA = meters.contains { !($0.b?.goes.isEmpty ?? true) }
        let repaired = isOnA ? a.path : b.path
        let kept = settings { meter, loss in
            // What a repair has discarded was decided there.
            meter[loss.side]?.losesUnsent == true || meter.fills(loss)
        }
        .filter { $0.stores == [repaired] }.prefix(Step.most - 3)
        let choice = Step(
            .ask,
            """
            have the user choose whether the values that would be lost are to stay: unless \(repaired) has been given back, \
            the commands below write them into it
            """)
        return (kept.isEmpty ? [] : [choice] + kept.map { Step(running: $0.asDryRun) })
            + inTurn(
                from: isOnA ? .a : .b, "repair nothing more: ",
                "which gets the deletes of its other records from iCloud")
    }

    /// The app is opened on one device alone, and only then on the other.
    private func inTurn(from first: ComparisonSide, _ before: Sentence, _ after: Sentence) -> [Step] {
        let path = first == .a ? a.path : b.path
        return [
            Step(
                .openHereFirst,
                before
                    + "open the app on the device of \(first.letter), \(path), alone and online, \(Step.untilUploaded)"),
            Step(.thenOthers, "only then on the device of \(first.other.letter), " + after),
        ]
    }

    /// What can be saved from the other side while the deletes of a delete storm are pending on one.
    private var shelter: [Step] {
        let sides = [("A", a, b), ("B", b, a)]
        return sides.flatMap { name, side, other -> [Step] in
            guard side.alerts.pendingStorm != nil else { return [] }
            let (word, store) = (ShellWord.quoted(other.path), ShellWord.quoted(side.path))
            return [
                Step(
                    .stop,
                    "do NOT open the app on the device of \(name), \(side.path), and keep the copy of the other side"),
                Step(
                    .run,
                    """
                    `meterfix meters \(word)` lists the names and units of the other side; what \(name) lacks of them, \
                    write into a file NAMES.json as MeterNames and TC66TemperatureUnits: `meterfix import-kv NAMES.json \
                    \(store)` brings it in
                    """),
            ]
        }
    }

    /// How meters come back that were deleted together on one side. A device that has them loses them, too, as soon as it
    /// syncs.
    private var recovery: [Step] {
        let sides = [("A", a, b, count(.onlyB)), ("B", b, a, count(.onlyA))]
        return sides.flatMap { name, side, other, lacking -> [Step] in
            guard !side.alerts.vanished.isEmpty else { return [] }
            guard lacking > 0 else {
                return [
                    Step(
                        .ask,
                        "the other side has no meter that \(name) lacks: look for a device, a backup or an older copy that has them"
                    )
                ]
            }
            let meters = "\(Phrase.count(lacking, "meter")) that \(name) lacks"
            let (word, store) = (ShellWord.quoted(other.path), ShellWord.quoted(side.path))
            return [
                Step(
                    .stop,
                    "do NOT open the app on the device that has them, and take it offline: \(other.path) has \(meters); keep that copy"
                ),
                Step(
                    .run,
                    """
                    `meterfix meters \(word)` lists their names and units; write them into a file NAMES.json as MeterNames \
                    and TC66TemperatureUnits: `meterfix import-kv NAMES.json \(store)` creates the records again
                    """),
                Step(.run, "what comes after that: \(command: "meterfix verify --explain mass-delete")"),
            ]
        }
    }

    /// What brings values back that would be lost in any case, where a command can: on the side whose value stays. Of the
    /// others, which device has to sync first.
    private var rescue: [Step] {
        let settings = settings()
        let deleted = meters.compactMap(takingBack)
        guard deleted.count < losing else { return Array(deleted.prefix(Step.most)) }
        let commands: Sentence =
            settings.isEmpty ? "" : "; the commands below keep those that would be lost in any case"
        let choice = Step(
            .ask,
            "before the devices sync, have the user choose between the values that would be lost and those that are kept"
                + commands)
        let orders = ComparisonSide.allCases.compactMap { first -> Step? in
            let losses = meters.lazy.filter { $0.hasUnsent && $0.isSameRecord != false }.flatMap(\.losses)
            guard let loss = losses.first(where: { $0.first == first }) else { return nil }
            return Step(
                .syncAndClose,
                "to keep the values of \(loss.side.letter), let \(first.other.letter) sync first, before the other")
        }
        let first = deleted.prefix(2) + [choice] + orders
        guard !settings.isEmpty else {
            return first + [Step(.syncAndClose, "once they have synced, the user types a lost value again in the app")]
        }
        let shown = settings.prefix(Step.most - first.count)
        let others = settings.count - shown.count
        return first
            + shown.enumerated().map { place, command in
                let isCut = others > 0 && place == shown.count - 1
                return Step(running: command.asDryRun, isCut ? ", and the same for \(others) more values above" : "")
            }
    }

    /// What writes each value that would be lost in any case, on the side whose value stays.
    private func settings(
        of isMeant: (MeterComparison, MeterComparison.Loss) -> Bool = { _, _ in true }
    ) -> [StoreCommand] {
        meters.flatMap { meter in
            meter.losses.compactMap { loss in
                guard loss.first == nil, !meter.goesEverywhere, isMeant(meter, loss),
                    let option = loss.field.setOption(loss.value),
                    meter[loss.side.other] != nil
                else { return nil }
                let side = loss.side == .a ? b : a
                let words = "set \(meter.address.text(in: letterCase)) \(option)"
                return side.takesNames ? StoreCommand(words, stores: [side.path]) : nil
            }
        }
    }

    /// What keeps a meter that one side has deleted, and the other has; nil for every other.
    private func takingBack(_ meter: MeterComparison) -> Step? {
        guard let side = meter.going, meter.goesEverywhere else { return nil }
        let mac = meter.address.text(in: letterCase)
        let (keeping, deleting) = side == .a ? (a, b) : (b, a)
        guard meter[side.other] == nil else {
            return Step(
                .ask,
                "\(mac) is about to be deleted on both sides: note its name and unit, and if the user wants it back, "
                    + "\(command: "meterfix import-kv") or the app creates the record again after that")
        }
        return Step(
            .ask,
            """
            \(side.other.letter) has deleted \(mac): if the user wants it back, keep \(keeping.path), and after both have \
            synced, \(command: "meterfix import-kv") or the app creates the record again; \
            \(StoreCommand("log \(mac)", stores: [deleting.path])) shows who deleted it
            """)
    }

    private var synchronisation: [Step] {
        let both = Step(
            .syncAndClose,
            "leave the app open on both devices until everything is uploaded and downloaded, then compare again")
        let repaired = ComparisonSide.allCases.filter { ($0 == .a ? a : b).ahead == .upload(of: .atRest) }
        let first = repaired.first ?? (a.hasPending == b.hasPending ? nil : a.hasPending ? .a : .b)
        let steps = first.map { inTurn(from: $0, "", "then compare again") } ?? [both]
        return steps + stores.map { Step(running: StoreCommand("sync", stores: [$0])) }
    }
}
