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
            Each device gets a private copy of a store, with a simulated CloudKit zone between them. A day in use is \
            simulated, with a repair at noon: once on all devices at once, once on one device alone while the others \
            rest, and once as first aid (rebuild --in-use) on all devices while they are in use. The answer shows \
            whether the devices agree in the end, which meters end up without a record or with several, what is lost of what the user typed, at which step and through what, and what it costs; \
            for harm that the repair did it shows the shortest schedule. The same stores and the same seed give the \
            same answer. The stores are not touched.

            The simulated day has crashes, lost networks, a full account, waits that CloudKit asks for, and now and \
            then a device that is signed in to another account and back, or whose sync starts over for another reason. \
            How CloudKit and its mirror behave is known from Apple's documentation and from descriptions of Apple's code, \
            not from measurements; Documentation/rehearsal.md says what is simulated and what is not.

            Exits with 0 if nothing was lost, all devices agree and the repair left no meter with several records, \
            otherwise with 1.

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

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            What stays if a device and the cloud both changed a record. Property by property: the cloud's value of what \
            both changed (store-trump, the app's own), or the device's (object-trump). As a whole: the device's \
            version, the cloud's, or the later one.
            """,
            valueName: "store-trump|object-trump|overwrite|rollback|last-write-wins"))
    var policy: MergePolicy = .ofTheApp

    @Option(
        name: .long,
        help: ArgumentHelp("The rebuild: v3, or v2, which deletes and recreates everything.", valueName: "v3|v2"))
    var strategy: RebuildVersion = .v3

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Which record a rebuild keeps, as in meterfix rebuild.", valueName: "most-complete|newest"))
    var winner: WinnerPolicy = .mostComplete

    @Option(name: .long, help: ArgumentHelp("Which day is simulated.", valueName: "S"))
    var seed: UInt64 = 1

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard let devices else { return }
        guard (2...50).contains(devices) else { throw ValidationError("--devices takes a number from 2 to 50") }
        guard devices >= stores.count else {
            throw ValidationError("--devices \(devices) is fewer than the \(stores.count) stores")
        }
    }

    func run() throws {
        let paths = stores.isEmpty ? [StoreArgument.fromEnvironment].compactMap(\.self) : stores
        guard !paths.isEmpty else { throw ValidationError("name a STORE, or set METERFIX_STORE") }
        try common.run("rehearse", "playing a day of \(Phrase.count(max(2, paths.count, devices ?? 0), "device"))") {
            console throws(StoreError) in
            var options = Rehearsal.Options(start: common.clock)
            options.devices = devices
            options.policy = policy
            options.strategy = strategy.strategy
            options.winner = winner
            options.seed = seed
            let report = try Rehearsal.report(paths, options)
            for path in paths {
                guard let obstacle = try MirrorForecast.of(path)?.obstacle else { continue }
                console.warn("\(path): \(obstacle); the rehearsal plays a day on which the device syncs")
            }
            try console.answer(report.json, RehearseText(report, showsAll: common.verbose).blocks)
            return report.wentWell ? .success : .found
        }
    }
}

extension MergePolicy: Choice {}

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
