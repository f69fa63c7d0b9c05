internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "recover", abstract: "Write a new store with every row of a damaged one that can still be read.",
        discussion: """
            For a store that no other command can open, or that SQLite's integrity check rejects. Its pages are read \
            without SQLite: the newest version of each, from the -wal or the main file. A broken page loses only the \
            rows on it, even if it is the first page. Model, metadata, row numbers, history and CloudKit's tables are \
            copied too; indexes are made again.

            The answer lists for every table the rows read, the doubtful rows left out, and the broken pages. Nothing \
            is invented: if a row has two versions, neither is used, and if a lost schema leaves open which column a value \
            stood in, it is left out. A flipped bit in a value is not noticed, because \
            pages of the main file have no checksums. The new store is verified at the end.

            The damaged store is not touched, and a whole copy of it is always better: ask for one first. Exits with 0 if \
            nothing is missing, with 2 if something is, or if the new store has errors, and with 65 if nothing can \
            be read.

            EXAMPLES
              meterfix recover CKModel.sqlite recovered.sqlite
            """)

    @Argument(help: ArgumentHelp("The damaged store's main file.", valueName: "DAMAGED"), completion: .file())
    var damaged: String

    @Argument(help: ArgumentHelp("The new store, a new file.", valueName: "OUT"), completion: .file())
    var output: String

    @OptionGroup var common: CommonOptions

    func validate() throws { try ArgumentText.validate(output: output, "OUT") }

    func run() throws {
        try common.run("recover", "recovering \(damaged)") { console throws(StoreError) in
            let damaged = try StorePlaces.store(named: damaged, orDamaged: true)
            let report = try Recovery.run(damaged, to: output, now: common.clock)
            try console.answer(report, warnings: report.salvage.warnings, report.blocks(showsAll: common.verbose))
            return report.isDone ? .success : .remains
        }
    }
}
