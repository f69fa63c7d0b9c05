internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

struct FixCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "fix", abstract: "Repair the whole store, or single findings.",
        usage: "meterfix fix <ID> ... [<STORE>] [<options>]\nmeterfix fix --all [<STORE>] [<options>]",
        discussion: """
            --all is the whole repair, as one change with one backup: it does what migrate and rebuild do, and fixes \
            whatever else can be fixed without losing anything. --keep, --keep-unit, --winner and --mac-case are \
            those of rebuild. --except-check leaves a finding as it is, also \(Phrase.list(WholeRepair.otherChecks)).

            Or name the findings by their ids, as verify shows them. --all fixes these too:

            \(help { !$0.isOptIn })

            These run only if they are named, because they remove something:

            \(help { $0.isOptIn })

            Every change of a record also sets its updatedAt. If a meter has several records and this would change \
            what a rebuild keeps, the meter is not changed: use --all, or rebuild first. For other findings, verify \
            shows what to do.

            \(WritingCommand.namesLeftAlone)

            Exits with 1 if a dry run finds something to change, with 2 if some of the findings remain.

            EXAMPLES
              meterfix fix --dry-run --all CKModel.sqlite
              meterfix fix --all CKModel.sqlite
              meterfix fix --all --except-check lock-expired CKModel.sqlite
              meterfix fix lock-torn unit-unknown CKModel.sqlite
              meterfix fix --dry-run mirror-orphan CKModel.sqlite
            """)

    @Argument(
        help: ArgumentHelp(
            "The ids of findings, and then the store's main file. Default: $METERFIX_STORE.", valueName: "ID"),
        completion: WordCompletion.cureOrStore)
    var words: [String] = []

    @Flag(name: .long, help: "Migrate, rebuild and fix everything that can be fixed without losing anything.")
    var all = false

    @Option(
        name: .long,
        help: ArgumentHelp("With --all: leave what this check finds as it is. Repeatable.", valueName: "ID"))
    var exceptCheck: [String] = []

    @OptionGroup var merging: MergeOptions
    @OptionGroup var meters: MeterFilterOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        _ = try asked
        guard all else {
            guard merging.isEmpty else {
                throw ValidationError("--keep, --keep-unit, --winner and --mac-case belong to --all, or to rebuild")
            }
            guard exceptCheck.isEmpty else { throw ValidationError("--except-check belongs to --all") }
            return
        }
        guard merging.isEmpty || !exceptCheck.contains(Check.duplicateMAC.id) else {
            throw ValidationError(
                "--keep, --keep-unit, --winner and --mac-case belong to the rebuild, which --except-check "
                    + "\(Check.duplicateMAC.id) leaves out")
        }
        let known = FixPlanner.idsOfAll + WholeRepair.otherChecks
        if let id = exceptCheck.first(where: { [Check.macNotCanonical.id, Check.rebuildMarkerLies.id].contains($0) }) {
            throw ValidationError(
                "'\(id)' is fixed by the rebuild: --except-check \(Check.duplicateMAC.id) leaves that out")
        }
        if let id = exceptCheck.first(where: { !known.contains($0) }) {
            throw ValidationError(
                "--all does not fix '\(Escaped.text(id))' in any case; --except-check takes \(Phrase.list(known))")
        }
    }

    func run() throws {
        let asked = try asked
        let path = try StoreArgument.path(of: asked.store)
        let filter = try common.filter(meters, for: .fix, in: path)
        try common.change(.fix, "fixing \(path)", writing) { options throws(StoreError) in
            if all { return try repair(path, filter, options) }
            let planner = FixPlanner(asked.cures, force: options.force, filter)
            let report = try ChangeRun.run(planner, on: path, options: options)
            return ChangeResult(
                report: report,
                commandWithoutDryRun: ["fix"] + planner.cures.map(\.rawValue) + filter.words(in: report.letterCase)
                    + writing.words,
                leavesSomething: report.hasFindings(of: planner.cures)
            ) { $0.blocks(of: planner.cures, filter, $1) }
        }
    }

    private func repair(
        _ path: String, _ filter: MeterFilter, _ options: ChangeOptions
    ) throws(StoreError) -> ChangeResult {
        var options = options
        options.letterCase = merging.macCase?.letterCase
        let chosen = try merging.chosen(in: path, filter, options)
        let planner = WholeRepair(
            policy: merging.policy, choosing: chosen, force: options.force, except: Set(exceptCheck), filter)
        var report = try ChangeRun.run(planner, on: path, options: options)
        let exceptions = exceptCheck.flatMap { ["--except-check", $0] }
        let words = exceptions + filter.words(in: report.letterCase) + merging.words + writing.words
        report.rebuildRequest = RebuildRequest(by: "fix --all", words, chosen)
        return ChangeResult(
            report: report, commandWithoutDryRun: ["fix --all"] + chosen.words(in: report.letterCase) + words,
            leavesSomething: report.leavesRepairs || report.hasFindings(of: planner.cures)
        ) { $0.blocksOfWholeRepair(planner.cures, filter, $1) }
    }
}

/// What the help says about each id.
extension FixCommand {
    private static func help(of isShown: (FixableCheck) -> Bool) -> String {
        var entries: [(ids: [String], effect: String)] = []
        for check in FixableCheck.allCases where isShown(check) {
            let effect = Self.effect(of: check)
            if entries.last?.effect == effect {
                entries[entries.count - 1].ids.append(check.rawValue)
            } else {
                entries.append(([check.rawValue], effect))
            }
        }
        return entries.map { entry in
            "  \(entry.ids.joined(separator: ", "))\n    " + entry.effect.replacing("\n", with: "\n    ")
        }.joined(separator: "\n")
    }

    /// In lines: the parser does not wrap what is indented.
    private static func effect(of check: FixableCheck) -> String {
        switch check {
        case .indexDamaged:
            """
            Makes the indexes again that do not agree with their tables, before anything
            else is planned. No row is touched.
            """
        case .primaryKeyBehind: "Raises Z_MAX to the largest row number. No row is touched."
        case .entityNumberMismatch:
            """
            Gives rows the number of the entity in whose table they are, where there
            is only one. Nothing else in the row changes, so nothing is sent to
            CloudKit.
            """
        case .foreignIndex: "Drops a unique index of another tool. No row is touched."
        case .foreignTrigger:
            """
            Drops a trigger of another tool, and one that needs a missing table. No row
            is touched.
            """
        case .valueType:
            """
            Writes an id as bytes where its text is there, and NULL for an empty text in
            the place of a date, as values are that went through CSV. Whatever else is of
            another type is left.
            """
        case .unitUnknown:
            """
            Writes a unit that can be understood, such as "F" or "°C", as the app does.
            For anything else, ask the user.
            """
        case .lockTorn, .lockExpired:
            """
            Clear the lock, as unlock does. A lock renewed less than 120 s ago is kept,
            unless --force is given.
            """
        case .idMissing: "Gives a record without an id a new one, derived from its name in CloudKit."
        case .idDuplicate: "Gives every record a new id, except the one that a rebuild would keep."
        case .rebuildMarkerMissing, .rebuildMarkerOld:
            """
            Set the marker to 3, as a rebuild does; it is never lowered. If a
            rebuild is due, only the rebuild sets it. A store that meterfix has
            not rebuilt needs no marker.
            """
        case .mirrorOrphan:
            """
            A record is still in CloudKit although its row is missing here, because the
            row was deleted without a trace in the history. Writes the delete into the
            history, so that the mirror deletes the record in CloudKit and with it on
            all of the user's other devices. No row is touched. To keep the record,
            use a copy of the store from before the delete instead.
            """
        case .metadataBlobMalformed:
            """
            Clears JSON that nobody can read. The text is kept in the report and in the
            backup.
            """
        }
    }
}

extension FixCommand {
    /// What is to be cured, nothing for `--all`, and the store if one is named. A last word that could be an id is one
    /// unless there is such a file.
    /// - Throws: `ValidationError` for no id, and for one that has no cure here.
    private var asked: (cures: [FixableCheck], store: String?) {
        get throws {
            let isStoreLast = words.last.map { !Self.isID($0) } ?? false
            let store = isStoreLast ? words.last : nil
            let known = Phrase.list(FixableCheck.allCases.map(\.rawValue))
            let ids = isStoreLast ? words.dropLast() : words[...]
            guard !all else {
                guard ids.isEmpty else {
                    throw ValidationError("--all and ids exclude each other; name the ids you want, or use --all")
                }
                return ([], store)
            }
            guard !ids.isEmpty else {
                throw ValidationError("name the finding to fix by its id, or use --all; fix knows \(known)")
            }
            let place = (store ?? StoreArgument.fromEnvironment).map(ShellWord.quoted) ?? "STORE"
            let cures = try ids.map { id -> FixableCheck in
                if let cure = FixableCheck(rawValue: id) { return cure }
                let shown = Escaped.text(id)
                guard Check.all.contains(where: { $0.id == id }) else {
                    throw ValidationError(
                        "no check has the id '\(shown)'; fix knows \(known), meterfix verify --list-checks lists every id"
                    )
                }
                guard id != Check.walMissing.id else {
                    throw ValidationError(
                        "\(id) cannot be fixed: the changes in the -wal file are not in this store, and no command "
                            + "can bring them back; ask for the store again, with its -wal file")
                }
                throw ValidationError(
                    "fix cannot fix '\(shown)', only \(known); the finding itself says what to do: "
                        + "meterfix verify \(place), or meterfix verify --explain \(shown)")
            }
            return (cures, store)
        }
    }

    private static func isID(_ word: String) -> Bool {
        if Check.all.contains(where: { $0.id == word }) { return true }
        let letters = Set("abcdefghijklmnopqrstuvwxyz-")
        return word.contains("-") && word.allSatisfy(letters.contains)
            && !FileManager.default.fileExists(atPath: word)
    }
}
