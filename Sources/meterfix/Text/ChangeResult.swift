internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A change as it was asked for and made, or planned: all that its answer and its exit code are made from.
struct ChangeResult {
    let report: ChangeReport
    /// The options of the backup, as a user types them; nil where there is none.
    var backupWords: [String]?
    /// Whether something is left for a person. Errors that the store had before are `verify`'s to tell, but of a rebuild.
    private let leavesSomething: Bool
    /// The answer in the command's own words.
    private let text: (_ made: ChangeResult, _ times: ShownTimes) -> [Block]

    /// The option without which a store that lacks its log is not changed.
    static let acceptanceOfMissingLog = "--accept-missing-wal"

    /// - Parameter words: the command that does what a dry run said, without the store, as words for a shell.
    init(
        report: ChangeReport, commandWithoutDryRun words: [String], leavesSomething: Bool = false,
        text: @escaping (_ made: ChangeResult, _ times: ShownTimes) -> [Block]
    ) {
        var report = report
        // Without its log a store is not changed, unless somebody says that what is in the log is lost for good.
        let isRefused = report.alerts.missingLog != nil && !words.contains(Self.acceptanceOfMissingLog)
        if report.outcome == .planned, !isRefused {
            report.realRun = NextStep.command(words, expecting: report.fingerprint, on: report.store)
        }
        self.report = report
        self.leavesSomething = leavesSomething
        self.text = text
    }

    /// With how a command ends that changes a store.
    var exitStatus: ExitStatus {
        switch report.outcome {
        case .planned: .found
        case .applied, .unchanged: leavesSomething ? .remains : .success
        }
    }

    func blocks(_ times: ShownTimes) -> [Block] {
        let start = report.alerts.ofChanges.blocks(times)
        return start.isEmpty ? text(self, times) : start + [.group(text(self, times))]
    }

    /// The last lines of every change.
    /// - Parameters:
    ///   - numbers: what is changed.
    ///   - details: what is said of it before the backup and CloudKit.
    ///   - nothing: where nothing is changed.
    func ending(_ numbers: String, _ details: [Block] = [], nothing: @autoclosure () -> Inline) -> [Block] {
        switch report.outcome {
        case .planned:
            ["planned: \(numbers)"] + details + report.footer
                + [report.realRun.map(NextStep.line) ?? report.steps.first.map { .paragraph(Inline($0.text.pieces)) }]
                .compactMap(\.self)
        case .applied: [.paragraph(.tone(.good, "done: \(numbers)"))] + details + report.footer
        case .unchanged: [.paragraph(nothing())]
        }
    }
}

/// The last lines of every change: where the backup is, what is now pending for CloudKit, how to see that it has arrived,
/// and how to give the store back.
extension ChangeReport {
    var footer: [Block] {
        // Nothing of it is anywhere else.
        guard !createdStore else { return steps.blocks() }
        let saved = backup.map { [Block.paragraph("backup: \(.code($0))")] } ?? []
        switch outcome {
        case .planned: return saved + sync + stepsBefore.blocks(under: "before that")
        case .applied: return saved + sync + steps.blocks()
        case .unchanged: return saved
        }
    }

    private var sync: [Block] {
        guard plan.changesRecords else {
            return ["this is not in the history: CloudKit and the user's other devices do not learn about it"]
        }
        guard hasHistory else {
            return ["the store has no history: CloudKit and other programs do not learn about these changes"]
        }
        guard let (before, after) = forecast, before.total + after.total > 0 else { return [] }
        let start = outcome == .applied ? "now" : "afterwards"
        let amount = after.amount + (before.total > 0 ? " (before this change: \(before.amount))" : "")
        let obstacles = MirrorText.obstacles(after)
        let isSent =
            switch after.outcome {
            case .nothingWaits, .sent: true
            case .everythingSent, .stopped, .unknown, .rowsDeleted: false
            }
        guard outcome == .applied, isSent, self.alerts.reasonToStayClosed == nil else {
            return ["\(start) pending for CloudKit: \(amount)"] + obstacles.map(Block.paragraph)
        }
        return obstacles.map(Block.paragraph) + [
            "now pending for CloudKit, until the app opens this store: \(amount)",
            "to see on a later copy whether it has arrived: \(.command("sync", on: self.store))",
        ]
    }
}

/// What to run next.
enum NextStep {
    static func text(_ cure: Cure, asDryRun: Bool = false) -> Inline {
        switch cure {
        case .command(let command): .code((asDryRun ? command.asDryRun : command).description)
        case .question(let question, let command):
            "\(question): \(.code((asDryRun ? command.asDryRun : command).description))"
        case .advice(let sentence): Inline(sentence.pieces)
        }
    }

    /// What to run after a dry run.
    static func line(_ command: StoreCommand) -> Block { "to do it: \(.code(command.description))" }

    /// - Parameters:
    ///   - words: the command and its options, as words for a shell.
    ///   - fingerprint: of the plan that was shown; nil to carry out what is planned then.
    static func command(
        _ words: [String], expecting fingerprint: PlanFingerprint? = nil, on store: String
    ) -> StoreCommand {
        let command = StoreCommand(words.joined(separator: " "), stores: [store])
        return fingerprint.map { command.adding("--expect \($0)") } ?? command
    }
}
