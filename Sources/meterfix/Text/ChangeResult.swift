internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A change as it was asked for and made, or planned: all that its answer and its exit code are made from.
struct ChangeResult {
    let report: ChangeReport
    /// The command that does what the dry run said, without the store, as words for a shell.
    let commandWithoutDryRun: [String]
    /// The options of the backup, as a user types them; nil where there is none.
    var backupWords: [String]?
    /// Whether something is left for a person. Errors that the store had before are `verify`'s to tell, but of a rebuild.
    var leavesSomething = false
    /// The answer in the command's own words.
    let text: (_ made: ChangeResult, _ times: ShownTimes) -> [Block]

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
                + [NextStep.line(commandWithoutDryRun, expecting: report.fingerprint, on: report.store)]
        case .applied: [.paragraph(.tone(.good, "done: \(numbers)"))] + details + report.footer
        case .unchanged: [.paragraph(nothing())]
        }
    }
}
