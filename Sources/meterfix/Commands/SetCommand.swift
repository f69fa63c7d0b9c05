internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Correct the name or the unit of one meter by hand.",
        discussion: """
            Gives the meter's record the name or the unit, as the app does when the user changes it there. White space \
            around a name is removed; an empty one (--name "") clears it. If the record already has the value, nothing \
            changes.

            A meter with several records is refused: run rebuild first. A meter without a record is refused too: the \
            app makes one when it meets the meter, and a mistyped address would become a meter on every device.

            Exits with 1 if a dry run finds something to change.

            EXAMPLES
              meterfix set A4:C1:38:0B:7E:21 --name "Kitchen charger" CKModel.sqlite
              meterfix set --dry-run A4:C1:38:0B:7E:21 --unit fahrenheit CKModel.sqlite
              meterfix set Kitchen --name "Kitchen charger" CKModel.sqlite
            """)

    @OptionGroup var meter: MeterArgument

    @Option(
        name: .long, help: ArgumentHelp("The meter's name; empty to clear it.", valueName: "TEXT"),
        transform: ArgumentText.exact)
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The unit a TC66C shows temperatures in.", valueName: "celsius|fahrenheit"))
    var unit: UnitChoice?

    @OptionGroup var planning: PlanOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try planning.validate(writing)
        guard name != nil || unit != nil else { throw ValidationError("say what to set: --name or --unit") }
    }

    func run() throws {
        let path = try meter.path
        try common.run("set", "changing \(path)") { console throws(StoreError) in
            let address = try meter.address(in: path, now: common.clock)
            var options = writing.changeOptions(for: console, now: common.clock)
            options.planFile = planning.plan
            let planner = SetPlanner(address, name: name, unit: unit?.unit)
            let report = try ChangeRun.run(planner, on: path, options: options)
            try console.answer(
                report, warnings: report.warnings,
                RecordChangeText(report, .set, application: planning.application(writing), console.times).blocks)
            return report.outcome == .planned ? .found : .success
        }
    }
}

/// A unit as one types it.
enum UnitChoice: String, ExpressibleByArgument, CaseIterable {
    case celsius, fahrenheit

    var unit: TemperatureUnit {
        switch self {
        case .celsius: .celsius
        case .fahrenheit: .fahrenheit
        }
    }
}
