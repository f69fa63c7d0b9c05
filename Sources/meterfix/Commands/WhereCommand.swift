internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterRepair

struct WhereCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "where", abstract: "List the stores of the app on a Mac.",
        discussion: """
            Looks for CKModel.sqlite in the app containers, in the group containers and in Application Support of your \
            home folder, or of another one, such as one in a backup of a Mac. Folders that macOS protects are named. \
            On other systems, name a home folder. Nothing is touched.

            EXAMPLES
              meterfix where
              meterfix where "/Volumes/Backup/Users/ana"
            """)

    @Argument(
        help: ArgumentHelp("A home folder. Default: your own, on a Mac.", valueName: "HOME"),
        completion: .directory)
    var home: String?

    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.run("where", "looking for stores") { console throws(StoreError) in
            let found = try StorePlaces.found(inHome: home, now: common.clock)
            try console.answer(found.json, warnings: found.warnings, found.blocks)
            return .success
        }
    }
}

extension StorePlaces {
    fileprivate var blocks: [Block] {
        [
            .list(
                places.map { place in
                    var facts = [
                        place.records.map { Phrase.count($0, "record") } ?? "cannot be read: \(place.problem ?? "")"
                    ]
                    if place.backups > 0 { facts.append(Phrase.count(place.backups, "backup")) }
                    return "\(.code(ShellWord.quoted(place.path)))  \(facts.joined(separator: ", "))"
                })
        ]
    }

    fileprivate var warnings: [String] {
        closed.isEmpty
            ? [] : ["\(Phrase.count(closed.count, "folder")) could not be looked into: \(FileError.hintOnContainers)"]
    }
}
