internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

struct WhereCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "where", abstract: "List the stores of the app on a Mac.",
        discussion: """
            Looks for CKModel.sqlite in the app containers, in the group containers and in Application Support of your \
            home folder, or of another one, such as one in a backup of a Mac. Folders that macOS protects are named. \
            On other systems, name a home folder. Nothing is touched.

            Exits with 66 if there is no store.

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
        guard let home = home ?? StorePlaces.ownHome else {
            throw ValidationError("name a HOME folder; your own has no store, because the app does not run here")
        }
        try common.run("where", "looking for stores") { console throws(StoreError) in
            let found = try StorePlaces.found(inHome: home, now: common.clock)
            try console.answer(found.json, warnings: found.warnings, found.blocks(home: home))
            return found.places.isEmpty ? .notFound : .success
        }
    }
}

extension StorePlaces {
    fileprivate func blocks(home: String) -> [Block] {
        guard !places.isEmpty else {
            return [
                .paragraph(
                    "no store of the app in \(home): there is no CKModel.sqlite with meters in its Library/Containers, Library/Group Containers and Library/Application Support"
                )
            ]
        }
        return [
            .list(
                places.map { place in
                    var facts = [
                        place.records.map { Phrase.count($0, "record") } ?? "cannot be read: \(place.problem ?? "")"
                    ]
                    if place.isIncomplete {
                        facts.append("its newest changes are missing, or probably are, with its -wal file")
                    }
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
