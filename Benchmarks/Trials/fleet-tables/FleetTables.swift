internal import ArgumentParser
internal import FleetTrials

/// `Benchmarks/several-devices`: the tables in Documentation/several-devices.md.
@main
struct FleetTables: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet-tables", abstract: "Count in how many random fleets a repair does harm.")

    @Argument(help: "How many fleets; their seeds are the numbers from 0 on.")
    var fleets: UInt64 = 10_000

    @Option(
        name: .long,
        help: ArgumentHelp("Also print the smallest counter-examples, looked for in N fleets each.", valueName: "N"))
    var examples: Int?

    func run() async throws {
        print(await ByHandTable(fleets: fleets).text)
        let table = await FleetTable(fleets: fleets)
        print(table.text)
        print(await RuleTable(fleets: fleets).text)
        print(await NamingTable(fleets: fleets).text)
        print(await VersionTable(fleets: fleets).text, terminator: "")
        if let examples { print("\n" + (await table.examples(trying: examples)), terminator: "") }
    }
}
