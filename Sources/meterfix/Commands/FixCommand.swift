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
        usage: "meterfix fix <ID> ... [<STORE>] [<options>]\nmeterfix fix --all [<STORE>] [<options>]",
        discussion: """
            Name the findings by their ids, as verify does, or take --all for those whose cure loses nothing:

              primary-key-behind
                Raises Z_MAX to the largest row number. No row is touched.
              entity-number-mismatch
                Gives rows the number of the entity in whose table they are, where there
                is only one. Nothing else of the row changes, so nothing goes to CloudKit.
              unit-unknown
                Writes a unit that is understood, such as "F" or "°C", as the app does.
                Of any other, it says what to ask the user.
              lock-torn, lock-expired
                Clear the lock, as unlock does. One that was renewed less than 120 s ago
                stays, unless --force is given.
              id-missing
                Gives a record without an id one that follows from its name in CloudKit.
              id-duplicate
                Gives every record a new id but the one that a rebuild would keep.
              rebuild-marker-missing, rebuild-marker-old
                Set the marker to 3, as a rebuild does; it is never lowered. Where a
                rebuild is due, only that sets it. A store that meterfix has not rebuilt
                needs no marker.

            These are carried out only by their names, because they take something away:

              mirror-orphan
                A record is still in CloudKit although its row is gone here, because the
                row was deleted without a trace in the history. Writes the delete into the
                history, so that the mirror deletes the record in CloudKit and with it on
                all of the user's other devices. No row is touched. If the record should
                stay, use a copy of the store from before the delete instead.
              metadata-blob-malformed
                Clears JSON that nobody can read. The text stays in the report and in the
                backup.

            Every change of a record also moves its updatedAt. Where a meter has several records and that would change \
            what a rebuild keeps, the meter is left alone: rebuild first. Other findings have a cure of their own, which \
            verify shows with them.

            \(ConditionText.help)

            Exits with 1 if a dry run finds something to change, with 2 if a part of what was asked for remains.

            EXAMPLES
              meterfix fix --dry-run --all CKModel.sqlite
              meterfix fix --all CKModel.sqlite
              meterfix fix lock-torn unit-unknown CKModel.sqlite
              meterfix fix --dry-run mirror-orphan CKModel.sqlite
            """)

    @Argument(
        help: ArgumentHelp(
            "The ids of findings, and then the store's main file. Default: $METERFIX_STORE.", valueName: "ID"),
        completion: WordCompletion.cureOrStore)
    var words: [String] = []

    @Flag(name: .long, help: "Carry out all cures that lose nothing.")
    var all = false

    @OptionGroup var planning: PlanOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try planning.validate(writing)
        _ = try FixedFindings(words, all: all)
    }

    func run() throws {
        let findings = try FixedFindings(words, all: all)
        let path = try StoreArgument.path(of: findings.store)
        try common.change(.fix, "fixing \(path)", writing, planning) { options throws(StoreError) in
            let planner =
                all ? FixPlanner.all(force: options.force) : FixPlanner(findings.cures, force: options.force)
            let words = ["fix"] + (all ? ["--all"] : planner.cures.map(\.rawValue)) + writing.words
            var made = MadeChange(try ChangeRun.run(planner, on: path, options: options), .fix, realRun: words)
            (made.cures, made.isAll) = (planner.cures, all)
            return made
        }
    }
}

/// What `fix` is to cure, and where: the words of its command line.
struct FixedFindings {
    /// Empty where all are asked for that lose nothing.
    let cures: [FixableCheck]
    /// Nil where none is named.
    let store: String?

    /// - Parameters:
    ///   - words: ids, and then perhaps a store. A last word that could be an id is one unless there is such a file.
    ///   - all: whether `--all` stands for the ids.
    /// - Throws: `ValidationError` for no id, and for one that has no cure here.
    init(_ words: [String], all: Bool = false) throws {
        let isStoreLast = words.last.map { !Self.isID($0) } ?? false
        store = isStoreLast ? words.last : nil
        let known = Phrase.list(FixableCheck.allCases.map(\.rawValue))
        let ids = isStoreLast ? words.dropLast() : words[...]
        guard !all else {
            guard ids.isEmpty else {
                throw ValidationError("--all stands for the ids; name the ones you want, or leave them out")
            }
            cures = []
            return
        }
        guard !ids.isEmpty else {
            throw ValidationError("name the finding to fix by its id, or use --all; fix knows \(known)")
        }
        let place = (isStoreLast ? words.last : StoreArgument.fromEnvironment).map(ShellWord.quoted) ?? "STORE"
        cures = try ids.map { id in
            if let cure = FixableCheck(rawValue: id) { return cure }
            let shown = Escaped.text(id)
            guard CheckCatalogue.descriptions.contains(where: { $0.id == id }) else {
                throw ValidationError(
                    "no check has the id '\(shown)'; fix knows \(known), meterfix verify --list-checks lists every id")
            }
            guard id != "wal-missing" else {
                throw ValidationError(
                    "nothing cures wal-missing: the changes in the -wal file are not in this store, and no command can "
                        + "bring them back; ask for the store again, with its -wal file")
            }
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
