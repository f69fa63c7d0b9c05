internal import AppChecks
internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

struct CheckAppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "check-app",
        abstract: "Say what an app lacks that the mirroring of its store needs.",
        discussion: """
            Reads what the app's developer can hand over: an .app, .ipa or .xcarchive; or .entitlements, Info.plist, \
            .xcdatamodeld or .momd, and the build settings as xcodebuild -showBuildSettings -json prints them; or a \
            folder with any of them. Holds entitlements, background modes and the model against what CloudKit asks \
            for, says how to fix what is wrong, and what no file shows. What a build says counts more than its \
            source. A project is not read: its settings say what it comes to. With --store, says of which version of \
            the model a store is. Nothing is run, unpacked or changed, and of a provisioning profile only the \
            entitlements are read.

            Exits with 1 if there is an error or a warning.

            EXAMPLES
              xcodebuild -showBuildSettings -json -scheme NAME -configuration Release > settings.json
              meterfix check-app settings.json "USB Meter.entitlements" Info.plist
              meterfix check-app "USB Meter.ipa"
              meterfix check-app "USB Meter.xcarchive" --store CKModel.sqlite
              meterfix check-app "USB Meter.entitlements" Info.plist CKModel.xcdatamodeld
            """)

    @Argument(
        help: ArgumentHelp("An app, an archive, a file of its sources, or a folder.", valueName: "PATH"),
        completion: .file())
    var paths: [String]

    @Option(
        name: .long, help: ArgumentHelp("A store, to be held against the model.", valueName: "STORE"),
        completion: .file())
    var store: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The iCloud container that the app asks for. Default: \(AppCheck.container).", valueName: "ID"))
    var container: String = AppCheck.container

    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.run("check-app", "reading \(paths[0])") { console throws(StoreError) in
            let store = try store.map { path throws(StoreError) in try StorePlaces.store(named: path) }
            let check = try AppCheck(paths, store: store, container: container)
            try console.answer(check, check.blocks)
            return check.findings.contains { $0.severity > .note } ? .found : .success
        }
    }
}
