internal import ArgumentParser
internal import CoreDataStore
internal import JSON
internal import MeterModel
internal import MeterRepair

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check every invariant of one or more stores.",
        discussion: """
            Each finding has an id, a severity (error, warning or note), the records it is about and what to do. \
            Exits with 1 when there are errors; with several stores, with the code of the worst. The stores are not \
            touched.

            EXAMPLES
              meterfix verify CKModel.sqlite
              meterfix verify --model CKModel.momd CKModel.sqlite
              meterfix verify --strict --ignore name-shared stores/*.sqlite
              meterfix verify --explain lock-torn
            """)

    @Argument(
        help: ArgumentHelp("The stores' main files. Left out: $METERFIX_STORE.", valueName: "STORE"),
        completion: .file())
    var stores: [String] = []

    @Flag(name: .long, help: "Let warnings count as problems.")
    var strict = false

    @Option(name: .long, help: ArgumentHelp("Leave a check out; may be repeated.", valueName: "ID"))
    var ignore: [String] = []

    @OptionGroup var spelling: SpellingOption

    @Option(name: .long, help: ArgumentHelp("Explain a check and end.", valueName: "ID"))
    var explain: String?

    @Flag(name: .long, help: "List all checks and end.")
    var listChecks = false

    @OptionGroup var appModel: ModelOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        for id in ignore + [explain].compactMap(\.self)
        where !CheckCatalogue.descriptions.contains(where: { $0.id == id }) {
            throw ValidationError("no check has the id '\(Escaped.text(id))'; see meterfix verify --list-checks")
        }
    }

    func run() throws {
        if listChecks || explain != nil {
            try common.run("verify", "listing the checks") { console throws(StoreError) in
                let chosen = CheckCatalogue.descriptions.filter { explain == nil || $0.id == explain }
                if common.json {
                    try console.write(.array(chosen.map(\.json)), onOneLine: false)
                } else {
                    try console.write(
                        explain == nil ? ChecksText.list(chosen) : chosen.flatMap(ChecksText.explanation))
                }
                return .success
            }
            return
        }
        let paths = stores.isEmpty ? [StoreArgument.fromEnvironment].compactMap(\.self) : stores
        guard !paths.isEmpty else { throw ValidationError("name a STORE, or set METERFIX_STORE") }
        try common.run("verify", "verifying \(paths.count == 1 ? paths[0] : counted(paths.count, "store"))") {
            console throws(StoreError) in
            let model = try appModel.file()
            var worst = ExitStatus.success
            for path in paths {
                let status = try verify(path, model, console, isAlone: paths.count == 1)
                if status.rawValue > worst.rawValue { worst = status }
                if Interruption.isRequested { break }
            }
            return worst
        }
    }

    private func verify(
        _ path: String, _ model: ModelFile?, _ console: Console, isAlone: Bool
    ) throws(StoreError) -> ExitStatus {
        var options = VerifyOptions(now: common.clock)
        options.letterCase = spelling.macCase.letterCase
        options.ignored = Set(ignore)
        options.model = model
        let report: Report
        do {
            report = try Verify.report(path, options)
        } catch {
            if common.json {
                try console.write(ErrorDocument.json(error, command: "verify"), onOneLine: !isAlone)
            }
            console.show(error)
            return ExitStatus(error.kind)
        }
        if common.json {
            try console.write(report.json, onOneLine: !isAlone)
        } else {
            try console.write(VerifyText(report, console.style, showsAll: common.verbose).lines)
        }
        let threshold: Severity = strict ? .warning : .error
        return report.worst.map { $0 >= threshold } == true ? .found : .success
    }
}
