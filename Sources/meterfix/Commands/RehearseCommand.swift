internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRehearsal
internal import MeterRepair

struct RehearseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse", abstract: "Rehearse the repair of several devices before doing it.",
        discussion: """
            Each device gets a private copy of a store, with a simulated CloudKit zone between them. 200 days in use \
            are simulated, each with a repair at noon: once on all devices at once, once on one device while the app \
            is closed on the others, and once with rebuild --in-use on all devices while they are in use. The answer \
            says in how many of the days the repair does harm: what the user typed is lost, a meter ends up without a \
            record or with several, or the devices do not agree. The worst day is shown in full: what is lost, when, \
            and why, and the shortest schedule that shows it. --seed plays one day. The same stores give the same \
            answer. The stores are not touched.

            Some numbers come from the stores and not from chance: which records rebuild --in-use fills, and how many \
            values a rebuild discards. In a simulated day, a value counts as discarded if it was typed last for its \
            meter and the rebuild names it; it counts as lost if no record has it and nothing names it.

            A simulated day has crashes, lost networks, a full account, delays that CloudKit asks for, and sometimes a \
            device that signs in to another account and back, or whose sync starts over for another reason. How \
            CloudKit and its mirror behave is known from Apple's documentation and from descriptions of Apple's code, \
            not from measurements; Documentation/rehearsal.md says what is simulated and what is not.

            Exits with 0 if nothing was lost on any day, all devices agree and no meter has several records after the \
            repair, otherwise with 1.

            EXAMPLES
              meterfix rehearse phone.sqlite mac.sqlite
              meterfix rehearse --devices 5 --policy store-trump CKModel.sqlite
              meterfix rehearse --strategy v2 --seed 7 --json CKModel.sqlite
            """)

    @Argument(
        help: ArgumentHelp(
            "The stores' main files, one for each device. Default: $METERFIX_STORE.", valueName: "STORE"),
        completion: .file())
    var stores: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            How many devices, 2 to 50. Default: one for each store, at least two. Additional devices have what the \
            cloud has; every third of them is new and empty.
            """, valueName: "N"))
    var devices: Int?

    @OptionGroup var merging: MergePolicyOption

    @Option(
        name: .long,
        help: ArgumentHelp("The rebuild: v3, or v2, which deletes and recreates everything.", valueName: "v3|v2"))
    var strategy: RebuildVersion = .v3

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Which record a rebuild keeps, as in meterfix rebuild.", valueName: "most-complete|newest"))
    var winner: WinnerPolicy = .mostComplete

    @Option(name: .long, help: ArgumentHelp("Play only this day. Default: 200 days.", valueName: "S"))
    var seed: UInt64?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard let devices else { return }
        guard (2...50).contains(devices) else { throw ValidationError("--devices takes a number from 2 to 50") }
        guard devices >= stores.count else {
            throw ValidationError("--devices \(devices) is fewer than the \(stores.count) stores")
        }
    }

    func run() throws {
        let paths = try StoreArgument.named(stores)
        try common.run(
            "rehearse",
            "playing \(seed == nil ? "days" : "a day") of \(Phrase.count(max(2, paths.count, devices ?? 0), "device"))"
        ) {
            console throws(StoreError) in
            var options = Rehearsal.Options(start: common.clock)
            options.devices = devices
            options.policy = merging.policy
            options.strategy = strategy.strategy
            options.winner = winner
            options.seed = seed
            let report = try Rehearsal.report(
                paths.map { path throws(StoreError) in try StorePlaces.store(named: path) }, options)
            try console.answer(
                report.json, RehearseText(report: report, times: console.times, showsAll: common.verbose).blocks)
            return report.wentWell ? .success : .found
        }
    }
}

/// The rebuilds that can be rehearsed.
enum RebuildVersion: String, Choice {
    case v3, v2

    var strategy: RepairStrategy {
        switch self {
        case .v3: .v3
        case .v2: .v2
        }
    }
}
