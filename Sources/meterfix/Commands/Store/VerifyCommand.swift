internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterInspect
internal import MeterJournal
internal import MeterModel

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "verify", abstract: "Check every invariant of one or more stores.",
        discussion: """
            The answer begins with a verdict and the meters that are affected. Each finding has an id, a severity \
            (error, warning or note), the records it is about, and what to do. The stores are not touched.

            For several stores there is a summary: a table of checks, the worst stores, and those that could not be \
            verified; --verbose shows every finding of each store before that, in the order of the arguments. --json \
            prints one document per line. --with prints only the paths of the stores in which a check finds something, \
            one per line, quoted for xargs or a shell.

            Exits with 1 if there are errors, and with 0 if there are only warnings and notes; --strict counts \
            warnings like errors. With several stores it exits with the worst code.

            EXAMPLES
              meterfix verify CKModel.sqlite
              meterfix verify --model CKModel.momd CKModel.sqlite
              meterfix verify --preferences ro.xdev.USB-Meter.plist CKModel.sqlite
              meterfix verify --strict --ignore name-shared stores/*.sqlite
              meterfix verify --json --jobs 8 stores/*.sqlite > findings.ndjson
              meterfix verify --with lock-expired stores/*.sqlite | xargs -n 1 meterfix meters --locked
              meterfix verify --explain lock-torn
            """)

    @Argument(
        help: ArgumentHelp("The stores' main files. Default: $METERFIX_STORE.", valueName: "STORE"),
        completion: .file())
    var stores: [String] = []

    @Flag(name: .long, help: "Exit with 1 for warnings too.")
    var strict = false

    @Option(
        name: .long, help: ArgumentHelp("Skip a check; may be repeated.", valueName: "ID"),
        completion: WordCompletion.check)
    var ignore: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Print only the paths of the stores in which this check finds something.", valueName: "ID"),
        completion: WordCompletion.check)
    var with: String?

    @Option(name: .long, help: CaseChoice.help)
    var macCase: CaseChoice?

    @Option(
        name: .long, help: ArgumentHelp("Explain a check and exit.", valueName: "ID"), completion: WordCompletion.check)
    var explain: String?

    @Flag(name: .long, help: "List all checks and exit.")
    var listChecks = false

    @Option(
        name: .long,
        help: ArgumentHelp("How many stores to verify at once. Default: the number of processors.", valueName: "N"))
    var jobs: Int?

    @Option(name: .long, help: ModelOption.help, completion: .file())
    var model: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The app's preferences, a property list: show whether they and the store agree about the rebuild.",
            valueName: "PLIST"),
        completion: .file())
    var preferences: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs is the number of stores at once, 1 or more") }
        if with != nil, common.format != .text {
            throw ValidationError("--with prints paths; leave out --json and --format")
        }
        if let with, ignore.contains(with) { throw ValidationError("--with and --ignore name the same check") }
        for id in ignore + [explain, with].compactMap(\.self) where !Check.all.contains(where: { $0.id == id }) {
            throw ValidationError("no check has the id '\(Escaped.text(id))'; see meterfix verify --list-checks")
        }
    }

    func run() throws {
        guard !listChecks, explain == nil else {
            return try common.run("verify", "listing the checks") { console throws(StoreError) in
                let chosen = Check.all.filter { explain == nil || $0.id == explain }
                try console.answer(chosen.json, explain == nil ? chosen.list : chosen.explanations)
                return .success
            }
        }
        let paths = try StoreArgument.named(stores)
        guard preferences == nil || paths.count == 1 else {
            throw ValidationError("--preferences belongs to one device; name one STORE")
        }
        try common.run("verify", "verifying \(paths.count == 1 ? paths[0] : Phrase.count(paths.count, "store"))") {
            console throws(StoreError) in
            var options = VerifyOptions(now: common.clock)
            options.letterCase = macCase?.letterCase
            options.ignored = Set(ignore)
            options.isShown = console.isJSON || !common.quiet && (paths.count == 1 || common.verbose)
            options.model = try ModelOption.file(model)
            if let preferences { options.preferences = try AppPreferences(reading: preferences) }
            return paths.count == 1 && with == nil
                ? try verify(paths[0], options, console) : try verify(paths, options, console)
        }
    }

    private func verify(_ path: String, _ options: VerifyOptions, _ console: Console) throws(StoreError) -> ExitStatus {
        let report = try Verify.report(StorePlaces.store(named: path), options)
        try console.answer(report, report.blocks(console.times))
        if common.quiet, let warning = report.warning { console.warn(warning) }
        return VerifiedStore.status(of: report, strict: strict)
    }

    /// Verifies several stores, and stops at none of them.
    private func verify(
        _ paths: [String], _ options: VerifyOptions, _ console: Console
    ) throws(StoreError) -> ExitStatus {
        let isSummary = common.quiet || !common.verbose || with != nil
        let threads = min(jobs ?? ProcessInfo.processInfo.activeProcessorCount, Resources.concurrentStores)
        WorkProgress.begin("verifying", of: paths.count, .stores)
        let results = OrderedResults(of: paths, threads: threads) { [strict] path in
            // How far each of them is says less than how many are done.
            WorkProgress.$current.withValue(nil) {
                VerifiedStore(at: path, options, on: console, isSummary: isSummary, strict: strict)
            }
        }
        // Running checks remove their private copies.
        defer { results.stop() }
        var worst = ExitStatus.success
        var answers = AnswerSeries(on: console)
        var totals = VerifyTotals()
        while let store = results.next() {
            WorkProgress.advance(.stores, by: 1)
            try answers.write(pieces: store.answer)
            if let error = store.error { console.show(error) }
            if common.quiet, let warning = store.warning { console.warn(warning) }
            totals.add(store)
            if let with, !common.quiet, store.findings.contains(where: { $0.id == with }) {
                try console.write(pieces: [Array("\(ShellWord.quoted(store.path))\n".utf8)])
            }
            if store.status.rawValue > worst.rawValue { worst = store.status }
            let remaining = results.remaining
            if Interruption.isRequested, remaining > 0 {
                console.warn("interrupted; \(Phrase.count(remaining, "store")) not verified")
                worst = .interrupted
                break
            }
        }
        if !common.json && !common.quiet && with == nil { try answers.write(totals.blocks) }
        try answers.end()
        return worst
    }
}

/// `--list-checks` and `--explain`.
extension [Check] {
    var list: [Block] {
        [.table(.init(rows: map { [.code($0.id), .text($0.severity.rawValue), .text($0.title)] }))]
    }

    var explanations: [Block] {
        flatMap { check in
            [.heading("\(check.id) (\(check.severity.rawValue)): \(check.title)")]
                + check.explanation.flatMap(Self.blocks)
        }
    }

    /// A paragraph, or a sentence and a list with a dash before each entry.
    private static func blocks(of paragraph: String) -> [Block] {
        let lines = paragraph.split(separator: "\n")
        let entries = lines.dropFirst().map { Inline(String($0.dropFirst(2))) }
        return [.prose("\(lines.first ?? "")")] + (entries.isEmpty ? [] : [.list(entries, marker: .dash)])
    }

    var json: JSONValue {
        let checks = map { check -> JSONValue in
            [
                "id": check.id, "severity": check.severity.rawValue, "title": check.title,
                "explanation": check.explanation,
            ]
        }
        return .object(JSONDocument.head(command: "verify", store: nil) + [.init("checks", checks)])
    }
}
