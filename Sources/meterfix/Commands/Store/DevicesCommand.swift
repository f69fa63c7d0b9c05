internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "devices", abstract: "List the devices that a store knows.",
        discussion: """
            Shows every device that a record names, in a lock or as the last one to see the meter: its names, the \
            latest first, its id, when it was last seen by its own clock, and the meters it holds. The history shows \
            whose store this is, if a record tells; how often the app saved there; and when it last uploaded and \
            imported. Several stores make one list. With --preferences, the app's preferences show whose store it is, \
            if they have the device's id. The stores are not touched.

            Before a repair, the app must be closed on all of these devices. The user may have other devices that were \
            never near a meter.

            EXAMPLES
              meterfix devices CKModel.sqlite
              meterfix devices iPhone.sqlite Mac.sqlite
              meterfix devices --json CKModel.sqlite
            """)

    @Argument(
        help: ArgumentHelp(
            "The stores' main files, or folders with one store of the app each. Default: $METERFIX_STORE.",
            valueName: "STORE"),
        completion: .file())
    var stores: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The app's preferences on the device whose store this is, a property list.", valueName: "PLIST"),
        completion: .file())
    var preferences: String?

    @OptionGroup var common: CommonOptions

    func run() throws {
        let paths = try StoreArgument.named(stores)
        guard preferences == nil || paths.count == 1 else {
            throw ValidationError("--preferences belongs to one device; name one STORE")
        }
        let subject = paths.count == 1 ? paths[0] : Phrase.count(paths.count, "store")
        try common.run("devices", "reading \(subject)") { console throws(StoreError) in
            let known = try KnownDevices.of(
                paths.map { path throws(StoreError) in try StorePlaces.store(named: path) },
                preferences: preferences.map { path throws(StoreError) in try AppPreferences(reading: path) },
                now: common.clock)
            try console.answer(known, known.blocks(console.times))
            return .success
        }
    }
}
