internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What must hold on the user's other devices before and after a change (`WritingCommand.Condition`).
enum ConditionText {
    /// What the help says of a command that asks for names to be left alone.
    static let help = """
        Before the change, update the app on every device and let it sync. Until the change has reached all of them, \
        nobody may type a name or choose a unit: one of two values may be lost (Documentation/several-devices.md says \
        how often). Meters may be used.
        """

    /// Devices that are named.
    private static let most = 6

    /// Of a change of records; nothing for any other, and for first aid, which says its own.
    static func blocks(_ report: ChangeReport) -> [Block] {
        // Nothing may sync while a delete storm is pending.
        guard report.alerts.pendingStorm == nil, !report.inUse, report.plan.changesRecords,
            let command = WritingCommand(rawValue: report.command)
        else { return [] }
        // A record of no meter is found by no device.
        if command == .delete, !report.plan.deletesRecordOfMeter { return [] }
        return blocks(of: command, devices: report.devices, isDone: report.outcome == .applied)
    }

    /// - Parameters:
    ///   - devices: that the store knows.
    ///   - isDone: whether the change is made.
    static func blocks(of command: WritingCommand, devices: [String], isDone: Bool) -> [Block] {
        guard let condition = command.condition else { return [] }
        let names = devices.compactMap(MeterLabel.quoted)
        let known =
            names.isEmpty
            ? "on all of the user's devices" : "on \(Phrase.start(of: names, limit: most)), and on every other device"
        switch (condition, isDone) {
        case (.atRest, false):
            return [
                .paragraph(
                    "before the \(command.rawValue), the app must be updated, have synced and be closed \(known); otherwise what somebody types there may be lost"
                )
            ]
        case (.atRest, true):
            return [
                .paragraph(
                    "until this has arrived everywhere, keep the app closed \(known); otherwise what somebody types there may be lost"
                )
            ]
        case (.namesLeftAlone, false):
            return [
                .paragraph(
                    "before it, the app must be updated and have synced \(known); from then on nobody types a name or chooses a unit, or one of two values may be lost"
                )
            ]
        case (.namesLeftAlone, true):
            return [
                .paragraph(
                    "until this has arrived everywhere, nobody types a name or chooses a unit \(known), or one of two values may be lost"
                )
            ]
        }
    }
}

extension Plan {
    fileprivate var deletesRecordOfMeter: Bool { meters.contains { $0.address != nil && !$0.deletions.isEmpty } }
}
