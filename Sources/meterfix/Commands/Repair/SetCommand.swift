internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "set", abstract: "Correct the name, the unit or the address of one meter.",
        usage: "meterfix set <MAC|NAME> [<STORE>] [<options>]\nmeterfix set --row <N> [<STORE>] [<options>]",
        discussion: """
            Gives the meter's record the name or the unit, as the app does when the user changes it there. White space \
            around a name is removed; an empty one (--name "") clears it. If the record already has the value, nothing \
            changes.

            A meter with several records is refused: run rebuild first. A meter without a record is refused too: the \
            app makes a record when it first sees the meter, and a mistyped address would become a meter on every \
            device. If another meter has the same name, the answer says so.

            --row names a record whose address is missing, invalid or a placeholder; with --address, the invalid text \
            names it too. --address gives such a record the address of its meter, unless another record has this \
            address: that would be a duplicate. A record with a usable address keeps it.

            \(WritingCommand.namesLeftAlone)

            Exits with 1 if a dry run finds something to change.

            EXAMPLES
              meterfix set A4:C1:38:0B:7E:21 --name "Kitchen charger" CKModel.sqlite
              meterfix set --dry-run A4:C1:38:0B:7E:21 --unit fahrenheit CKModel.sqlite
              meterfix set --row 13 --address A4:C1:38:0B:7E:22 CKModel.sqlite
              meterfix set Kitchen --name "Kitchen charger" CKModel.sqlite
            """)

    @OptionGroup var meter: RecordArgument

    @Option(
        name: .long, help: ArgumentHelp("The meter's name; empty to clear it.", valueName: "TEXT"),
        transform: ArgumentText.exact)
    var name: String?

    @Option(name: .long, help: ArgumentHelp("The unit a TC66C shows temperatures in.", valueName: "celsius|fahrenheit"))
    var unit: TemperatureUnit?

    @Option(
        name: .long,
        help: ArgumentHelp("The address, for a record without a usable one.", valueName: "MAC"), transform: Self.address
    )
    var address: MACAddress?

    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard name != nil || unit != nil || address != nil else {
            throw ValidationError("say what to set: --name, --unit or --address")
        }
    }

    private static func address(_ text: String) throws -> MACAddress {
        guard let (address, _) = MACAddress.parse(text) else {
            throw ValidationError("'\(Escaped.text(text))' is not an address; write it as A4:C1:38:0B:7E:21")
        }
        return address
    }

    /// What the user typed in the place of a meter names a record by what is stored there, if that is no address.
    private func named(in path: String, _ record: RecordReference) throws(StoreError) -> NamedRecords {
        switch record {
        case .row(let row): return .row(row)
        case .meter(let meter):
            if address != nil, let word = self.meter.word,
                let row = try RecordReference.row(ofUnusableAddress: word, in: path, now: common.clock)
            {
                return .row(row)
            }
            return .meter(try meter.address(in: path, folder: writing.backupDir, now: common.clock))
        }
    }

    /// The command, without the store, as words for a shell.
    private func words(_ named: NamedRecords, _ letterCase: LetterCase) -> [String] {
        let values = [
            name.map { ShellWord.option("--name", $0) }, unit.map { "--unit \($0.rawValue)" },
            address.map { "--address \($0.text(in: letterCase))" },
        ].compactMap(\.self)
        switch named {
        case .meter(let address): return ["set"] + values + writing.words + [address.text(in: letterCase)]
        case .row(let row): return ["set", "--row \(row)"] + values + writing.words
        }
    }

    func run() throws {
        let (path, record) = (try meter.path, try meter.record)
        try common.change(.set, "changing \(path)", writing) { options throws(StoreError) in
            let named = try named(in: path, record)
            let planner = SetPlanner(named, name: name, unit: unit, address: address)
            let report = try ChangeRun.run(planner, on: path, options: options)
            return ChangeResult(report: report, commandWithoutDryRun: words(named, report.letterCase)) {
                $0.blocksOfRecords(nothing: "the record has these values already", $1)
            }
        }
    }
}

extension TemperatureUnit: Choice {}
