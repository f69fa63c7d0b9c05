internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What must hold on the user's other devices before and after a change (`WritingCommand.Condition`).
extension WritingCommand {
    /// What the help says of a command that asks for names to be left alone.
    static let namesLeftAlone = """
        Before the change, update the app on every device and let it sync. Until the change has reached all of them, \
        nobody may type a name or choose a unit: one of two values may be lost (Documentation/several-devices.md says \
        how often). Meters may be used.
        """

    /// Devices that are named.
    private static let most = 6

    /// - Parameters:
    ///   - devices: that the store knows.
    ///   - isDone: whether the change is made.
    func conditions(devices: [String], isDone: Bool) -> [Block] {
        guard let condition else { return [] }
        let names = devices.compactMap(FieldText.name)
        let known =
            names.isEmpty
            ? "on all of the user's devices"
            : "on \(Phrase.start(of: names, limit: Self.most)), and on every other device"
        let words: Block =
            switch (condition, isDone) {
            case (.atRest, false):
                "before the \(rawValue), the app must be updated, have synced and be closed \(known); otherwise what somebody types there may be lost"
            case (.atRest, true):
                "until this has arrived everywhere, keep the app closed \(known); otherwise what somebody types there may be lost"
            case (.namesLeftAlone, false):
                "before it, the app must be updated and have synced \(known); from then on nobody types a name or chooses a unit, or one of two values may be lost"
            case (.namesLeftAlone, true):
                "until this has arrived everywhere, nobody types a name or chooses a unit \(known), or one of two values may be lost"
            }
        return [words]
    }
}

extension ChangeReport {
    /// Of a change of records; nothing for any other, and for first aid, which says its own.
    var conditions: [Block] {
        // Nothing may sync while a delete storm is pending.
        guard self.alerts.pendingStorm == nil, !inUse, plan.changesRecords,
            let command = WritingCommand(rawValue: command)
        else { return [] }
        // A record of no meter is found by no device.
        if command == .delete, !plan.deletesRecordOfMeter { return [] }
        return command.conditions(devices: self.devices, isDone: outcome == .applied)
    }
}

extension Plan {
    fileprivate var deletesRecordOfMeter: Bool { meters.contains { $0.address != nil && !$0.deletions.isEmpty } }
}
