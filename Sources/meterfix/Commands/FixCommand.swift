internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

struct FixCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fix", abstract: "Carry out the cure of a finding that no other command cures.",
        usage: "meterfix fix <ID> ... [<STORE>] [<options>]",
        discussion: """
            Name the finding by its id, as verify does:

              mirror-orphan  A record is still in CloudKit although its row is gone here, because the row was deleted \
            without a trace in the history. Writes the delete into the history, so that the mirror deletes the record \
            in CloudKit and with it on all of the user's other devices. No row is touched. If the record should stay, \
            use a copy of the store from before the delete instead.

            Other findings have a cure of their own, which verify shows with them.

            Exits with 1 if a dry run finds something to change, with 2 if a part cannot be cured yet.

            EXAMPLES
              meterfix fix --dry-run mirror-orphan CKModel.sqlite
              meterfix fix mirror-orphan CKModel.sqlite
            """)

    @Argument(
        help: ArgumentHelp(
            "The ids of findings, and then the store's main file. Default: $METERFIX_STORE.", valueName: "ID"),
        completion: WordCompletion.cureOrStore)
    var words: [String] = []

    @OptionGroup var planning: PlanOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try planning.validate(writing)
        _ = try FixedFindings(words)
    }

    func run() throws {
        let findings = try FixedFindings(words)
        guard let path = findings.store ?? StoreArgument.fromEnvironment else {
            throw ValidationError("name a STORE, or set METERFIX_STORE")
        }
        try common.run("fix", "fixing \(path)") { console throws(StoreError) in
            var options = writing.changeOptions(for: console, now: common.clock)
            options.planFile = planning.plan
            let planner = FixPlanner(findings.cures)
            let report = try ChangeRun.run(planner, on: path, options: options)
            let command = ["fix"] + planner.cures.map(\.rawValue) + writing.words
            try console.answer(
                report, warnings: report.warnings,
                FixText(
                    report, of: planner.cures, showsAll: common.verbose,
                    command: planning.application(writing) ?? command
                ).blocks)
            guard report.outcome != .planned else { return .found }
            let ids = Set(planner.cures.map(\.rawValue))
            return report.findings.contains { ids.contains($0.id) } ? .remains : .success
        }
    }
}

/// What `fix` is to cure, and where: the words of its command line.
struct FixedFindings {
    let cures: [Cure]
    /// Nil where none is named.
    let store: String?

    /// - Parameter words: ids, and then perhaps a store. A last word that could be an id is one unless there is such a file.
    /// - Throws: `ValidationError` for no id, and for one that has no cure here.
    init(_ words: [String]) throws {
        let isStoreLast = words.last.map { !Self.isID($0) } ?? false
        store = isStoreLast ? words.last : nil
        let known = Phrase.list(Cure.allCases.map(\.rawValue))
        let ids = isStoreLast ? words.dropLast() : words[...]
        guard !ids.isEmpty else { throw ValidationError("name the finding to fix by its id; fix knows \(known)") }
        cures = try ids.map { id in
            if let cure = Cure(rawValue: id) { return cure }
            let shown = Escaped.text(id)
            guard CheckCatalogue.descriptions.contains(where: { $0.id == id }) else {
                throw ValidationError(
                    "no check has the id '\(shown)'; fix knows \(known), meterfix verify --list-checks lists every id")
            }
            let place = (isStoreLast ? words.last : StoreArgument.fromEnvironment).map(ShellWord.quoted) ?? "STORE"
            throw ValidationError(
                "fix has no cure for '\(shown)', only for \(known); the finding itself says what to do: "
                    + "meterfix verify \(place), or meterfix verify --explain \(shown)")
        }
    }

    private static func isID(_ word: String) -> Bool {
        if CheckCatalogue.descriptions.contains(where: { $0.id == word }) { return true }
        let letters = Set("abcdefghijklmnopqrstuvwxyz-")
        return word.contains("-") && word.allSatisfy(letters.contains)
            && !FileManager.default.fileExists(atPath: word)
    }
}
