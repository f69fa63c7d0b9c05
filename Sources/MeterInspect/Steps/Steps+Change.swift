package import MeterModel

/// What comes before a change that is planned, and after one that was made.
extension ChangeReport {
    /// With the change itself, where it is planned, or what has to be asked for before; nothing where nothing is changed.
    package var steps: [Step] {
        switch outcome {
        case .planned:
            if let first = checkForPersonFirst { return [.keepingCopy(because: first)] }
            return realRun.map { closing.stops() + stepsBefore + [Step(running: $0)] } ?? self.alerts.questions
        case .applied: return createdStore ? [stepOfNewStore] : stepsAfter
        case .unchanged: return []
        }
    }

    /// What comes before it, where anything may; nothing for first aid, which says its own.
    package var stepsBefore: [Step] {
        guard closing.isEmpty, let condition else { return [] }
        let steps = storeSummary.steps(before: condition, own: ownDevice)
        // What the mirror does until all has synced takes them away.
        return (forecast?.before.going ?? 0) > 0 && condition == .atRest ? [.notingGoingRecords] + steps : steps
    }

    /// What forbids to open the app before the change, or after it.
    private var closing: [StoreAlert] { alertsBefore.closing.isEmpty ? self.alerts.closing : alertsBefore.closing }

    private var stepsAfter: [Step] {
        if let check = self.alerts.reasonToStayClosed { return [.keepingCopy(because: check)] }
        if let first = checkForPersonFirst { return [.keepingCopy(because: first)] }
        // First aid is given while the other devices are in use.
        let waiting = inUse && plan.changesRecords ? .namesLeftAlone : condition ?? conditionOfWork
        return stepsToWholeRepair + Step.givingBack(filesToReturn, to: ownDevice)
            + (waiting.map { storeSummary.steps(after: $0, own: ownDevice) } ?? [])
    }

    /// What is left for the whole repair, which is made before the store goes back; first aid leaves it for later.
    private var stepsToWholeRepair: [Step] {
        let isLeft = self.findings.contains {
            $0.severity != .note && $0.cure.command != nil && $0.isCuredByWholeRepair
        }
        guard isLeft, !inUse else { return [] }
        let whole = StoreCommand("fix --all", stores: [self.store])
        return [
            Step(
                running: whole.asDryRun, " shows the rest of the repair: make it in this copy, before you give it back")
        ]
    }

    /// The check that says what a person has to do before anything else; nil where there is none.
    private var checkForPersonFirst: String? { self.findings.first(where: \.isForPersonFirst)?.id }

    /// What has to hold because of what meterfix wrote before.
    private var conditionOfWork: WritingCommand.Condition? {
        if case .upload(let condition) = self.ahead { condition } else { nil }
    }

    private var stepOfNewStore: Step {
        Step(
            .giveBack,
            "to use it: close the app on the device, move its store, all three files, into a folder and keep them, then put \(Phrase.list(filesToReturn)) in their place, under their names"
        )
    }

    /// What must hold on the user's devices; nil where it does not matter what is done there, and for first aid.
    private var condition: WritingCommand.Condition? {
        guard !inUse, plan.changesRecords, let command = WritingCommand(rawValue: command) else { return nil }
        // Whichever command it is a part of.
        if plan.meters.contains(where: { $0.winner != nil }) { return .atRest }
        // A record of no meter is found by no device.
        let deletesOfMeter = plan.meters.contains { $0.address != nil && !$0.deletions.isEmpty }
        return command == .delete && !deletesOfMeter ? nil : command.condition
    }
}

extension [StoreAlert] {
    /// The check that says why nobody may open the app, let it sync or give the store back; nil where nothing forbids it.
    package var reasonToStayClosed: String? { closing.findings.first?.id }
}

extension Step {
    /// Before the app is opened that takes them away.
    static let notingGoingRecords = Step(
        .ask,
        "note the names and units of the records that are about to be deleted, which \(command: "meterfix verify") lists: \(Check.deletePendingAlive.id)"
    )

    /// Where nobody may give a store back yet.
    /// - Parameter check: which says why.
    package static func keepingCopy(because check: String) -> Step {
        let explanation = "meterfix verify --explain \(check)"
        return Step(.stop, "keep this copy, and put it on no device before that is dealt with: \(command: explanation)")
    }

    /// How to put a changed store back where it came from. Nothing is deleted there: what is moved away can be sent again.
    /// - Parameters:
    ///   - files: the names of all that belong to it now.
    ///   - device: the name of the device whose store it is; nil where it is not known.
    package static func givingBack(_ files: [String], to device: String? = nil) -> [Step] {
        guard let name = files.first else { return [] }
        let own = Phrase.list([name, name + "-wal", name + "-shm"])
        let place = device.map(StoreSummary.named) ?? "the device"
        return [
            Step(
                .giveBack, on: [device].compactMap(\.self),
                "close the app on \(place), move its \(own) into a folder and keep them, then put \(Phrase.list(files)) in their place; only if the app has not been opened there since this copy was made: otherwise ask for a new copy"
            )
        ]
    }
}
