internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The end of what `verify` says of one store: first what must not be done, then what to do, in order, each once.
struct NextStepsText {
    private let report: VerifyReport
    private let commands: [StoreCommand]
    /// Checks whose findings only a person who knows the meters can settle, in the order of the answer.
    private let asking: [String]
    /// Checks, of more than notes, that no command cures.
    private let advising: [String]

    /// What comes before what, where a store needs several.
    private static let order = ["recover", "migrate", "rebuild", "import-kv", "fix", "unlock", "set", "delete"]
    private static let mostLines = 5

    init(_ report: VerifyReport) {
        self.report = report
        var found: [StoreCommand] = []
        var known: Set<StoreCommand> = []
        var (asking, advising, fixes) = ([String](), [String](), [String]())
        for findings in report.findings.byCheck {
            let check = findings[findings.startIndex]
            func add(_ list: inout [String]) { if !list.contains(check.id) { list.append(check.id) } }
            // Where a command cures some of its findings, the others say above what to do.
            let isCommanded = findings.contains { $0.cure.command != nil }
            for finding in findings {
                switch finding.cure {
                case .command(let command):
                    // `fix --all` leaves out what takes something away that somebody may miss.
                    if command.name == "fix", FixableCheck(rawValue: check.id)?.isOptIn != true { add(&fixes) }
                    if known.insert(command).inserted { found.append(command) }
                case .question: add(&asking)
                case .advice:
                    if check.severity != .note, !isCommanded, !StoreAlert.checks.contains(check.id) { add(&advising) }
                }
            }
        }
        if fixes.count > 1 {
            // One command for all of them.
            found.removeAll { command in fixes.contains { command.words == "fix \($0)" } }
            found.append(StoreCommand("fix --all", stores: [report.store]))
        }
        func place(_ command: StoreCommand) -> Int {
            Self.order.firstIndex { $0 == command.name } ?? Self.order.count
        }
        // Sorting is stable.
        commands = found.sorted { place($0) < place($1) }
        (self.asking, self.advising) = (asking, advising)
    }

    /// The commands that are said here alone, and not with each finding.
    var said: Set<Cure> { Set(steps.filter { $0.others == 0 }.map { .command($0.command) }) }

    /// The first command of each name, and how many more of the name there are.
    private var steps: [(command: StoreCommand, others: Int)] {
        var steps: [(command: StoreCommand, others: Int)] = []
        for command in commands {
            if let place = steps.firstIndex(where: { $0.command.name == command.name }) {
                steps[place].others += 1
            } else {
                steps.append((command, 0))
            }
        }
        return steps
    }

    /// Nothing where there is nothing to do.
    /// - Parameter isAlone: whether what must not be done is said nowhere else in the answer.
    func blocks(isAlone: Bool) -> [Block] {
        var lines: [Inline] = steps.map { step in
            let command = Inline.code(NextStep.dryRun(step.command).description)
            if step.others > 0 { return "\(command), and similar commands above" }
            let takesAway = FixableCheck.allCases.contains { $0.isOptIn && step.command.words == "fix \($0.rawValue)" }
            return takesAway ? "\(command), unless the customer misses what it takes away" : command
        }
        let rest = (asking.isEmpty ? 0 : 1) + (advising.isEmpty ? 0 : 1)
        lines = Array(lines.prefix(Self.mostLines - rest))
        if !asking.isEmpty { lines.append("ask the customer, see above: \(Phrase.list(asking))") }
        if !advising.isEmpty { lines.append("no command helps, see above: \(Phrase.list(advising))") }
        guard !lines.isEmpty else { return [] }
        return .section(
            "what to do about \(report.findings.counts), in order:", (isAlone ? prohibitions : []) + [.list(lines)])
    }

    /// What must not be done, or not yet.
    private var prohibitions: [Block] {
        let closing = report.alerts.closing.findings
        var said: Set<Cure> = []
        var blocks = closing.filter { said.insert($0.cure).inserted }.map { finding in
            Block.note(Tone(finding.severity), "\(finding.cure)")
        }
        if report.alerts.missingLog != nil {
            let missing = "do not repair this copy: its newest changes are in the missing -wal; ask for that file"
            blocks.append(.note(.warning, Inline(missing)))
        }
        let isPlaceLost = report.findings.contains {
            $0.id == Check.mirrorTokenLost.id && $0.severity == .error
        }
        guard commands.contains(where: { $0.name == "rebuild" }), closing.isEmpty, !isPlaceLost else { return blocks }
        return blocks + WritingCommand.rebuild.conditions(of: report.storeSummary, isDone: false)
    }
}
