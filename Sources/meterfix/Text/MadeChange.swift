internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A change as it was asked for and made, or planned: all that its answer and its exit code are made from.
struct MadeChange {
    let report: Report
    let command: WritingCommand
    /// The command that does what the dry run said, without the store, as words for a shell.
    var realRun: [String]
    /// The options of the backup, as a user types them; nil where there is none.
    var backupWords: [String]?
    /// The cures that `fix` was asked for, and whether as all that lose nothing.
    var cures: [FixableCheck] = []
    var isAll = false
    /// Whether `unlock` was asked for all that one device holds.
    var isOfOneDevice = false
    /// What `import-kv` read.
    var source: ImportText.Source?

    init(_ report: Report, _ command: WritingCommand, realRun: [String]) {
        self.report = report
        self.command = command
        self.realRun = realRun
    }

    /// With how a command ends that changes a store.
    var exitStatus: ExitStatus {
        switch report.outcome {
        case .planned: .found
        case .applied, .unchanged, nil: leavesSomething ? .remains : .success
        }
    }

    /// Whether something is left for a person. Errors that the store had before are `verify`'s to tell, but of a rebuild.
    private var leavesSomething: Bool {
        switch command {
        case .importKV: report.plan?.rejects.isEmpty == false
        case .fix: report.hasFindings(of: cures)
        case .rebuild: report.leavesRepairs
        case .migrate, .unlock, .set, .delete, .restoreRecord: false
        }
    }

    func blocks(_ times: ShownTimes, showsAll: Bool) -> [Block] {
        let start = AlertText.blocks(report.alerts.ofChanges, times)
        guard start.isEmpty else { return start + [.group(answer(times, showsAll: showsAll))] }
        return answer(times, showsAll: showsAll)
    }

    private func answer(_ times: ShownTimes, showsAll: Bool) -> [Block] {
        switch command {
        case .rebuild: RebuildText(made: self, times: times, showsAll: showsAll).blocks
        case .importKV: ImportText(made: self, times: times, showsAll: showsAll).blocks
        case .migrate: MigrateText(made: self, times: times, showsAll: showsAll).blocks
        case .fix: FixText(made: self, times: times, showsAll: showsAll).blocks
        case .unlock, .set, .delete, .restoreRecord: RecordChangeText(made: self, times: times).blocks
        }
    }

    /// The last lines of every change.
    /// - Parameters:
    ///   - numbers: what is changed.
    ///   - details: what is said of it before the backup and CloudKit.
    ///   - nothing: where nothing is changed.
    func ending(_ numbers: String, _ details: [Block] = [], nothing: @autoclosure () -> Inline) -> [Block] {
        switch report.outcome {
        case .planned:
            [.paragraph("planned: \(numbers)")] + details + ClosingText.blocks(report)
                + [NextStep.line(realRun, expecting: report.fingerprint, on: report.store)]
        case .applied: [.paragraph(.tone(.good, "done: \(numbers)"))] + details + ClosingText.blocks(report)
        case .unchanged, nil: [.paragraph(nothing())]
        }
    }
}
