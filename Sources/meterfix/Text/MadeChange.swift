internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A change as it was asked for and made, or planned: all that its answer and its exit code are made from.
struct MadeChange {
    /// Of a plan that is carried out, with the name of the command that planned it.
    let report: Report
    /// The command that planned it.
    let command: WritingCommand
    /// The command that does what the dry run said, without the store, as words for a shell; nil where it takes the words
    /// that the user typed.
    var realRun: [String]?
    /// The options of the backup, as a user types them; nil where there is none.
    var backupWords: [String]?
    /// The cures that `fix` was asked for, and whether as all that lose nothing.
    var cures: [Cure] = []
    var isAll = false
    /// What `import-kv` read; nil where a plan is carried out that was made from it.
    var source: ImportText.Source?
    /// Where a plan from a file is carried out.
    var document: PlanDocument?
    /// What is said after the answer.
    var complaint: StoreError?

    init(_ report: Report, _ command: WritingCommand, realRun: [String]? = nil) {
        var report = report
        report.command = command.rawValue
        self.report = report
        self.command = command
        self.realRun = realRun
    }

    /// With how a command ends that changes a store.
    var exitStatus: ExitStatus {
        switch report.outcome {
        case .planned: .found
        case .stale: ExitStatus(StoreError.Kind.stale)
        case .applied, .unchanged, nil: leavesSomething ? .remains : .success
        }
    }

    /// Whether something is left for a person. Errors that the store had before are `verify`'s to tell, but of a rebuild.
    private var leavesSomething: Bool {
        switch command {
        case .importKV: report.plan?.rejects.isEmpty == false
        case .fix: report.hasFindings(of: cures)
        case .rebuild, .apply: report.leavesRepairs
        case .migrate, .unlock, .set, .delete, .restoreRecord: false
        }
    }

    func blocks(_ times: ShownTimes, showsAll: Bool) -> [Block] {
        let origin = document.map { ApplyText.origin($0, times) } ?? []
        if let staleness = report.staleness { return origin + ApplyText.moved(staleness, times, showsAll: showsAll) }
        guard document == nil || report.plan?.isEmpty == false else {
            return origin + [.paragraph(.tone(.good, "nothing to do: the plan is empty"))]
                + (report.plan?.notes ?? []).map { .note(.warning, "\(times.sentence($0))") }
        }
        let body =
            switch command {
            case .rebuild, .apply: RebuildText(self, times, showsAll: showsAll).blocks
            case .importKV: ImportText(self, times, showsAll: showsAll).blocks
            case .migrate: MigrateText(self, times, showsAll: showsAll).blocks
            case .fix: FixText(self, times, showsAll: showsAll).blocks
            case .unlock, .set, .delete, .restoreRecord: RecordChangeText(self, times).blocks
            }
        return document == nil ? body : origin + [.group(body)]
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
                + [NextStep.line(realRun, on: report.store)]
        case .applied: [.paragraph(.tone(.good, "done: \(numbers)"))] + details + ClosingText.blocks(report)
        case .unchanged, .stale, nil: [.paragraph(nothing())]
        }
    }
}

extension OptionsOfAnswer {
    /// Makes the change that a command asks for, or plans it, and answers with it.
    /// - Parameters:
    ///   - activity: what is being done, for a person who waits.
    ///   - model: the option with the store's model, which is in no plan, as words for a shell.
    func change(
        _ command: WritingCommand, _ activity: String, _ writing: WritingOptions, _ planning: PlanOptions? = nil,
        model: [String] = [], _ make: (ChangeOptions) throws(StoreError) -> MadeChange
    ) throws {
        try run(command.rawValue, activity) { console throws(StoreError) in
            var options = writing.changeOptions(for: console, now: clock)
            options.planFile = planning?.plan
            var made = try make(options)
            made.realRun = planning?.application(writing, model: model) ?? made.realRun
            made.backupWords = writing.backupFolderWords
            var document = made.report
            document.command = command.rawValue
            try console.answer(
                document, warnings: document.warnings, made.blocks(console.times, showsAll: verbose))
            if let complaint = made.complaint { console.show(complaint) }
            return made.exitStatus
        }
    }
}
