internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

struct WhereCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "where", abstract: "List the stores of the app in a folder, in a device's backup or on a Mac.",
        discussion: """
            Searches FOLDER and the folders in it, eight levels deep, and shows what tells the stores of the app \
            apart. It does not follow links. In a home folder it searches the app containers, the group containers, \
            Application Support and Xcode's simulators, and names the folders that macOS protects. In the file system of \
            a phone, or the simulators' folder, at most two folders down, it searches the apps' containers. Nothing is \
            touched.

            A backup of an iPhone or iPad, which the Finder keeps in ~/Library/Application Support/MobileSync/Backup, has \
            the app's files under other names. --copy-to copies the store, its -wal and the app's preferences out of it. \
            A store without a listed -wal is complete only if the backup lists the app's folders too: otherwise another \
            tool shortened the list. An encrypted backup cannot be read. This follows the documented layout; no backup of a device was tried.

            Exits with 66 if there is no store.

            EXAMPLES
              meterfix where
              meterfix where customer
              meterfix where "/Volumes/Backup/Users/ana"
              meterfix where --copy-to ana 00008030-001A2D3E0C38802E
            """)

    @Argument(
        help: ArgumentHelp("Any folder. Default: your home folder, on a Mac.", valueName: "FOLDER"),
        completion: .directory)
    var folder: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Copy the app's files out of a device's backup into this folder, which must be new or empty.",
            valueName: "DIR"),
        completion: .directory)
    var copyTo: String?

    @OptionGroup var common: CommonOptions

    func validate() throws { try ArgumentText.validate(output: copyTo, "--copy-to") }

    func run() throws {
        guard let folder = folder ?? StorePlaces.ownHome else {
            throw ValidationError("name a FOLDER; your home folder has no store, because the app does not run here")
        }
        try common.run("where", "looking for stores") { console throws(StoreError) in
            let found = try StorePlaces(in: folder)
            var backup: DeviceBackup?
            if found.deviceBackups == [folder] { backup = try DeviceBackup(at: folder) }
            var copies: [[DeviceBackup.Copy]] = []
            if let copyTo {
                guard let backup else {
                    throw StoreError(
                        .unsuitable, at: folder, "not a backup of a device, of which --copy-to makes copies",
                        hint: found.deviceBackups.first.map { "name the backup in it: \(DeviceBackup.copyCommand($0))" }
                            ?? "a store in a folder needs no copy: every command takes it where it is")
                }
                if !backup.stores.isEmpty { copies = try backup.copy(to: copyTo) }
            }
            let text = WhereText(found: found, folder: folder, backup: backup, copies: copies, times: console.times)
            try console.answer(found.json(backup, copies: copies), warnings: text.warnings, text.blocks)
            return found.places.isEmpty && backup?.stores.isEmpty ?? true ? .notFound : .success
        }
    }
}
