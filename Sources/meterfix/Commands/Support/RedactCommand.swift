internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

struct RedactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "redact", abstract: "Write a copy without personal data that shows the same findings.",
        usage: "meterfix redact [<STORE>] <OUT> [<options>]",
        discussion: """
            The copy is for a developer who has to see the problem and not the customer. Names, addresses, ids, names \
            of devices, record names, tokens and the texts of every other entity are replaced; equal values remain \
            equal: "Meter 1", "Device 2", addresses and ids by number. Everything that checks look at is kept: dates, \
            whether a text is an address and how it is written, whether a name is empty or machine-made, units, the \
            schema, row numbers, the history and what is pending for CloudKit. The copy is a new file, written row by row, so it has nothing from deleted rows or the WAL. The \
            store is not touched.

            A value that may not be harmless, such as a BLOB of another app, is replaced and listed. With --map, \
            values that are in several stores get the same replacement in each.

            Finally `verify`, `rebuild --dry-run` and `sync` run on both. Exits with 2 if their answers differ, if \
            a part of the store, such as a search index, cannot be copied, or if the copy keeps names or types that \
            somebody gave the schema by hand.

            EXAMPLES
              meterfix redact CKModel.sqlite redacted.sqlite
              meterfix redact --map who.json CKModel.sqlite redacted.sqlite
              meterfix redact --map who.json iPad.sqlite iPad-redacted.sqlite
            """)

    @Argument(
        help: ArgumentHelp("The store's main file. Default: $METERFIX_STORE.", valueName: "STORE"), completion: .file())
    var first: String

    @Argument(help: ArgumentHelp("The copy, a new file.", valueName: "OUT"), completion: .file())
    var second: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write who is who to this file, and go on with what is in it, so that the stores of one ticket agree. Keep "
                + "it to yourself.", valueName: "FILE"),
        completion: .file())
    var map: String?

    @OptionGroup var common: CommonOptions

    /// The last word is the copy; the store may be left out.
    private var output: String { second ?? first }

    private var store: String {
        get throws {
            if let store = second == nil ? StoreArgument.fromEnvironment : first { return store }
            throw ValidationError("name a STORE and OUT; only if METERFIX_STORE is set, STORE may be left out")
        }
    }

    func validate() throws {
        _ = try store
        try ArgumentText.validate(output: output, "OUT")
        try ArgumentText.validate(output: map, "--map")
    }

    func run() throws {
        let store = try store
        try common.run("redact", "redacting \(store)") { console throws(StoreError) in
            let store = try StorePlaces.store(named: store)
            let report = try Redaction.run(store, to: output, map: map, now: common.clock)
            try console.answer(report, warnings: report.warnings, report.blocks)
            return report.isDone ? .success : .remains
        }
    }
}
