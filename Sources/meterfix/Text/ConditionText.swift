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
    ///   - store: which devices it knows, and whether it is mirrored.
    ///   - own: the name of the device whose store it is; nil where it is not known.
    ///   - isDone: whether the change is made.
    func conditions(of store: StoreSummary, own: String? = nil, isDone: Bool) -> [Block] {
        guard let condition else { return [] }
        guard store.isMirrored else {
            // No other device learns of it, and afterwards `givingBack` says it.
            return isDone
                ? [] : ["keep the app closed on \(FieldText.name(own) ?? "the device") until this file is back there"]
        }
        let names = store.devices.compactMap(FieldText.name)
        let known =
            names.isEmpty
            ? "on all of the user's devices"
            : "on \(Phrase.start(of: names, limit: Self.most)), and on every other device"
        let words: Block =
            switch (condition, isDone) {
            case (.atRest, false):
                "before the \(rawValue), the app must be updated, have synced and be closed \(known); repair a copy made after that, or what somebody types there may be lost"
            case (.atRest, true): Self.openingFirst(own, among: names)
            case (.namesLeftAlone, false):
                "before it, the app must be updated and have synced \(known); from then on nobody types a name or chooses a unit, or one of two values may be lost"
            case (.namesLeftAlone, true):
                "until this has arrived everywhere, nobody types a name or chooses a unit \(known), or one of two values may be lost"
            }
        return [words]
    }

    /// What is uploaded only by an open app: on the repaired device, and on no other one before that.
    private static func openingFirst(_ own: String?, among names: [String]) -> Block {
        let own = FieldText.name(own)
        let others = names.filter { $0 != own }
        let rest =
            others.isEmpty
            ? "all other devices of the user"
            : "\(Phrase.start(of: others, limit: most)) and every other device"
        return
            "then open the app on \(own ?? "that device"), alone and online, until \(.code("meterfix sync")) on a later copy shows that all is uploaded; until then keep it closed on \(rest), or what somebody types there may be lost"
    }
}

extension ChangeReport {
    /// Of a change of records; nothing for any other, and for first aid, which says its own.
    var conditions: [Block] {
        guard reasonToStayClosed == nil, !inUse, plan.changesRecords, let command = WritingCommand(rawValue: command)
        else { return [] }
        // A record of no meter is found by no device.
        if command == .delete, !plan.deletesRecordOfMeter { return [] }
        return command.conditions(of: storeSummary, own: ownDevice, isDone: outcome == .applied)
    }

    /// The check that says why nobody may open the app, let it sync or give the store back; nil where nothing forbids it.
    var reasonToStayClosed: String? {
        if let finding = self.alerts.closing.findings.first { return finding.id }
        return forecast.map { $0.after.deletions.isEmpty } ?? true ? nil : Check.mirrorTokenLost.id
    }
}

extension Plan {
    fileprivate var deletesRecordOfMeter: Bool { meters.contains { $0.address != nil && !$0.deletions.isEmpty } }
}
