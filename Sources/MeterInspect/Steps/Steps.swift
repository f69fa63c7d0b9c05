internal import CoreDataStore
package import MeterModel

/// What to do about a store that was looked at: first what must not be done, then what to do, in order, each once.
package struct StepPlan: Sendable {
    /// Nothing where there is nothing to do.
    package let steps: [Step]
    /// The cures that are said by them, and need not be said with each finding.
    package let said: Set<Cure>

    package init(_ report: VerifyReport) {
        let cures = Cures(report)
        var steps = report.alerts.stops(on: report.devices)
        steps += report.alerts.questions
        if report.findings.contains(where: { $0.id == Check.deletePendingAlive.id }) {
            steps.append(.notingGoingRecords)
        }
        let isUnsaid = report.findings.contains { $0.id == Check.writtenWithoutHistory.id && !$0.rows.isEmpty }
        if isUnsaid, cures.advisingFirst.isEmpty, !cures.commands.isEmpty {
            steps.append(
                Step(
                    .ask,
                    "first change once more what another tool wrote and is to stay, see above: no later answer knows these rows (\(Check.writtenWithoutHistory.id))"
                ))
        }
        if !cures.advisingFirst.isEmpty {
            steps.append(Step(.ask, "for a person, before any change, see above: \(Phrase.list(cures.advisingFirst))"))
        }
        if report.alerts.closing.isEmpty, report.alerts.questions.isEmpty, cures.advisingFirst.isEmpty,
            let condition = cures.condition
        {
            steps += report.storeSummary.steps(before: condition)
        }
        // Nothing is changed before that, nor without the newest changes.
        if cures.advisingFirst.isEmpty, report.alerts.missingLog == nil { steps += cures.commands }
        var asked: [Step] = []
        if !cures.asking.isEmpty {
            asked.append(Step(.ask, "ask the customer, see above: \(Phrase.list(cures.asking))"))
        }
        if !cures.advising.isEmpty {
            asked.append(Step(.ask, "for a person, see above: \(Phrase.list(cures.advising))"))
        }
        // Where nothing is left to be done in this copy.
        let isReady =
            report.alerts.closing.isEmpty && report.alerts.questions.isEmpty && cures.advisingFirst.isEmpty
            && cures.commands.isEmpty
        let last = asked + (isReady ? report.stepsOfReturn : [])
        // These are not cut off.
        self.steps = Array(steps.prefix(Step.most - last.count)) + last
        said = cures.said
    }
}

extension VerifyReport {
    /// How a change by meterfix that is not uploaded goes back to its device; nothing where there is none.
    fileprivate var stepsOfReturn: [Step] {
        guard case .upload(let condition) = self.ahead, let verified, verified.past == nil else { return [] }
        return Step.givingBack(StoreFiles.names(of: verified.path)) + storeSummary.steps(after: condition, own: nil)
    }
}

extension [StoreAlert] {
    /// What nobody may do.
    package func stops(on devices: [String] = []) -> [Step] {
        var said: Set<Cure> = []
        return closing.findings.filter { said.insert($0.cure).inserted }.map {
            Step(.stop, on: devices, $0.cure.sentence)
        }
    }

    /// What has to be asked for before anything else.
    package var questions: [Step] {
        guard missingLog != nil else {
            let mixed = damage.flatMap { $0.id == Check.filesMixed.id ? $0.cure.sentence : nil }
            return mixed.map { [Step(.ask, $0)] } ?? []
        }
        return [
            Step(.ask, "ask for the -wal file: its changes are missing in this copy, so it is not to be repaired")
        ]
    }

    /// For an answer about the store at `path` that makes some of the checks: `verify` makes all of them.
    func steps(beforeVerifying path: String, on devices: [String] = []) -> [Step] {
        stops(on: devices) + questions + [Step(running: StoreCommand("verify", stores: [path]))]
    }
}

extension Step {
    /// Steps of one answer.
    static let most = 8

    /// How long the app stays open on a repaired device, alone.
    static let untilUploaded: Sentence =
        "until \(command: "meterfix sync") on a later copy shows that all is uploaded"
}

/// What the findings of a store ask for.
private struct Cures {
    /// Each command once, the whole repair first.
    private(set) var commands: [Step] = []
    /// Checks whose findings only a person who knows the meters can settle, in the order of the answer.
    private(set) var asking: [String] = []
    /// Checks, of more than notes, that no command cures.
    private(set) var advising: [String] = []
    /// Of these, the ones to settle before anything is changed.
    private(set) var advisingFirst: [String] = []
    /// Those that a command among them carries out.
    private(set) var said: Set<Cure> = []
    /// What must hold on the user's devices before the first command; nil for nothing.
    private(set) var condition: WritingCommand.Condition?

    /// What comes before what, where a store needs several.
    private static let order = ["fix --all", "recover", "migrate", "import-kv", "fix", "set", "delete"]

    init(_ report: VerifyReport) {
        var found: [StoreCommand] = []
        var known: Set<StoreCommand> = []
        for findings in report.findings.byCheck {
            let check = findings[findings.startIndex]
            // Where a command cures some of its findings, the others say above what to do.
            let isCommanded = findings.contains { $0.cure.command != nil }
            var last: Cure?
            // Most findings of a check ask for the same.
            for finding in findings where finding.cure != last {
                last = finding.cure
                switch finding.cure {
                case .command(let command):
                    let whole = finding.isCuredByWholeRepair ? report.wholeRepair : nil
                    let step = whole ?? command
                    if step == report.wholeRepair { said.insert(finding.cure) }
                    if known.insert(step).inserted { found.append(step) }
                    if let needed = finding.condition, condition != .atRest { condition = needed }
                case .question where !asking.contains(check.id): asking.append(check.id)
                case .advice where finding.isForPersonFirst:
                    if !advisingFirst.contains(check.id) { advisingFirst.append(check.id) }
                case .advice where check.severity != .note && !isCommanded && !advising.contains(check.id):
                    if !report.alerts.findings.contains(where: { $0.id == check.id }) { advising.append(check.id) }
                case .question, .advice: break
                }
            }
        }
        func place(_ command: StoreCommand) -> Int {
            Self.order.firstIndex { command.words.hasPrefix($0) } ?? Self.order.count
        }
        // Sorting is stable.
        add(found.sorted { place($0) < place($1) })
    }

    /// The first command of each name, and whether there are more of the name.
    private mutating func add(_ commands: [StoreCommand]) {
        var names: [String] = []
        var first: [String: (command: StoreCommand, others: Int)] = [:]
        for command in commands {
            let name = command.words.hasPrefix("fix --all") ? "fix --all" : String(command.name)
            if first[name] == nil { names.append(name) }
            first[name, default: (command, -1)].others += 1
        }
        for (command, others) in names.compactMap({ first[$0] }) {
            let takesAway = FixableCheck.allCases.contains { $0.isOptIn && command.words == "fix \($0.rawValue)" }
            if others > 0 {
                self.commands.append(Step(running: command.asDryRun, ", and similar commands above"))
            } else {
                said.insert(.command(command))
                self.commands.append(
                    Step(
                        running: command.asDryRun, takesAway ? ", unless the customer misses what it takes away" : ""))
            }
        }
    }
}

extension StoreCommand {
    /// As its first step: one that changes a store as a dry run, which ends with the command itself.
    package var asDryRun: StoreCommand {
        WritingCommand(rawValue: String(name)) == nil ? self : adding("--dry-run")
    }
}

extension StoreSummary {
    /// What comes before a change so that it harms nothing that somebody does on another device.
    package func steps(before condition: WritingCommand.Condition, own: String? = nil) -> [Step] {
        guard isMirrored else {
            return [
                Step(
                    .syncAndClose, on: [own].compactMap(\.self),
                    "keep the app closed on \(own.map(Self.named) ?? "the device") until this file is back there")
            ]
        }
        switch (ahead, condition) {
        case (.upload(of: .atRest), _):
            return [
                Step(
                    .syncAndClose, on: devices,
                    """
                    keep the app closed on \(everywhere): this copy has a repair that is not uploaded, so make the next \
                    changes in it, too, before you give it back; if it was given back before, open the app there first, alone, \
                    and take a new copy once all is uploaded
                    """)
            ]
        case (.upload(of: .namesLeftAlone), .atRest):
            return [
                Step(
                    .giveBack, on: [own].compactMap(\.self),
                    "give this store back first: what meterfix has written into it is not uploaded"),
                opening(own, "online"),
            ] + stepsToRest(own)
        case (.uploadOfEverything, _):
            return [
                Step(
                    .ask, on: devices,
                    """
                    ask which device has the most complete data, keep the app closed on \(everywhere), and repair the store of \
                    that one: whichever device is opened first uploads all that it has, and its version counts
                    """)
            ]
        case (nil, .atRest): return stepsToRest(own)
        case (.upload(of: .namesLeftAlone), .namesLeftAlone), (nil, .namesLeftAlone):
            return [
                Step(
                    .update, on: devices,
                    "update the app on \(everywhere), and let it sync; from then on nobody types a name or chooses a unit there, or one of two values may be lost"
                )
            ]
        }
    }

    /// All devices have what the others wrote, and the app is closed on them.
    private func stepsToRest(_ own: String?) -> [Step] {
        [
            Step(.update, on: devices, "update the app on \(everywhere)"),
            Step(.syncAndClose, on: devices, "open it on each of them, online, until it has synced, and close it"),
            Step(
                .copyAgain, on: [own].compactMap(\.self),
                "copy the store again after that and repair that copy, or what somebody types there may be lost"),
        ]
    }

    /// What comes after it.
    /// - Parameter own: the name of the repaired device; nil where it is not known.
    package func steps(after condition: WritingCommand.Condition, own: String?) -> [Step] {
        guard isMirrored else { return [] }
        switch ahead == .upload(of: .atRest) || ahead == .uploadOfEverything ? .atRest : condition {
        case .atRest:
            let others = devices.filter { $0 != own }
            return [
                opening(own, "alone and online"),
                Step(
                    .thenOthers, on: others,
                    "only then on \(others.isEmpty ? "all other devices of the user" : Self.all(others, "every other device")): what somebody types there before may be lost"
                ),
            ]
        case .namesLeftAlone:
            return [
                opening(own, "online"),
                Step(
                    .thenOthers, on: devices,
                    "until this has arrived everywhere, nobody types a name or chooses a unit on \(everywhere), or one of two values may be lost"
                ),
            ]
        }
    }

    private func opening(_ own: String?, _ how: String) -> Step {
        Step(
            .openHereFirst, on: [own].compactMap(\.self),
            "open the app on \(own.map(Self.named) ?? "that device"), \(how), \(Step.untilUploaded)"
        )
    }

    private var everywhere: String {
        devices.isEmpty ? "all of the user's devices" : Self.all(devices, "every other device")
    }

    /// Devices that are named.
    private static let most = 6

    private static func all(_ names: [String], _ others: String) -> String {
        Phrase.list(names.prefix(most).map(named) + [others])
    }

    /// In quotation marks, cut where it is long.
    static func named(_ device: String) -> String {
        device.count > 32 ? "\"\(device.prefix(31))…\"" : "\"\(device)\""
    }
}
