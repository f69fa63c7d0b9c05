internal import MeterModel

/// What to do after a comparison.
extension ComparisonReport {
    /// In order: command lines, which begin with `meterfix`, and sentences. Nothing where the sides are equal.
    package var next: [String] {
        if [a, b].contains(where: { !$0.alerts.vanished.isEmpty }) { return recovery }
        if several > 0 { return repairs }
        if losing > 0 { return rescue }
        guard meters.isEmpty else { return synchronisation }
        return isEqual ? [] : stores.map { "meterfix verify \($0)" }
    }

    /// The sides that are stores, as words for a shell.
    private var stores: [String] { [a, b].filter { $0.kind == .store }.map { ShellWord.quoted($0.path) } }

    private var repairs: [String] {
        let sides = [(a, severalOn.a), (b, severalOn.b)].filter { $0.1 > 0 }.map(\.0)
        let repaired = sides.filter { $0.kind == .store }.map { ShellWord.quoted($0.path) }
        guard let first = repaired.first else {
            // Only CloudKit has them, so far.
            return [
                "let the device sync, so that its store has the records too, then rebuild it: the deletes go up from there"
            ] + stores.map { "meterfix sync \($0)" }
        }
        let rehearsal = repaired.count > 1 ? ["meterfix rehearse \(repaired.joined(separator: " "))"] : []
        let again =
            "give this store back and let it sync, then compare again: "
            + (sides.count > 1
                ? "what the other side still has several records of goes with a rebuild there"
                : "the other side has its deletes then")
        return rehearsal + ["meterfix rebuild \(first)", again]
    }

    /// How meters come back that were deleted together on one side. A device that has them loses them, too, as soon as it
    /// syncs.
    private var recovery: [String] {
        let sides = [("A", a, b, count(.onlyB)), ("B", b, a, count(.onlyA))]
        return sides.flatMap { name, side, other, lacking -> [String] in
            guard !side.alerts.vanished.isEmpty else { return [] }
            guard lacking > 0 else {
                return [
                    "the other side has no meter that \(name) lacks: look for a device, a backup or an older copy that has them"
                ]
            }
            let meters = "\(Phrase.count(lacking, "meter")) that \(name) lacks"
            let (word, store) = (ShellWord.quoted(other.path), ShellWord.quoted(side.path))
            let source = other.kind == .store ? "`meterfix meters \(word)` lists their names and units; " : ""
            return [
                "do NOT open the app on the device that has them, and take it offline: \(other.path) has \(meters); keep that copy",
                "\(source)write them into a file NAMES.json as MeterNames and TC66TemperatureUnits: "
                    + "`meterfix import-kv NAMES.json \(store)` makes the records again",
                "give \(side.path) back and let the app upload there; only when `meterfix sync` says \"arrived\" of a fresh "
                    + "copy, open the app on the other device",
            ]
        }
    }

    /// What brings values back that would be lost in any case, where a command can: on the side whose value stays. Of the
    /// others, which device has to sync first.
    private var rescue: [String] {
        var commands: [String] = []
        for meter in meters {
            for loss in meter.losses {
                guard loss.first == nil, let option = SetOption.words(for: loss.field, loss.value) else { continue }
                let side = loss.side == .a ? b : a
                guard side.kind == .store, meter[loss.side.other] != nil else { continue }
                commands.append(
                    "meterfix set \(meter.address.text(in: letterCase)) \(option) \(ShellWord.quoted(side.path))")
            }
        }
        let choice =
            "before the devices sync, have the user choose between the values that would be lost and those that stay"
        let orders = ComparisonSide.allCases.compactMap { first -> String? in
            let losses = meters.lazy.filter { $0.hasUnsent && $0.isSameRecord != false }.flatMap(\.losses)
            guard let loss = losses.first(where: { $0.first == first }) else { return nil }
            return "to keep the values of \(loss.side.letter), let \(first.other.letter) sync first, alone"
        }
        let deleted = meters.compactMap(takingBack)
        guard deleted.count < losing else { return deleted }
        guard !commands.isEmpty else {
            return deleted + [choice] + orders + [
                "once they have synced, the user types a value that was lost again in the app"
            ]
        }
        return deleted + [choice] + orders + ["to have a value that would be lost in any case:"] + commands
    }

    /// What keeps a meter that one side has deleted, and the other has; nil for every other.
    private func takingBack(_ meter: MeterComparison) -> String? {
        guard let side = meter.going, meter[side.other] == nil else { return nil }
        let mac = meter.address.text(in: letterCase)
        let (keeping, deleting) = side == .a ? (a, b) : (b, a)
        return
            "\(side.other.letter) has deleted \(mac): if the user wants it back, keep \(keeping.path), and after both have "
            + "synced `meterfix import-kv` or the app makes the record again; `meterfix log \(mac) "
            + "\(ShellWord.quoted(deleting.path))` says who deleted it"
    }

    private var synchronisation: [String] {
        [
            "leave the app open on \(stores.count > 1 ? "both devices" : "the device") until all has arrived, then compare again"
        ]
            + stores.map { "meterfix sync \($0)" }
    }
}
