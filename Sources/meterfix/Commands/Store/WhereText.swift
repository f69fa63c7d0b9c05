internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What `where` found.
struct WhereText {
    let found: StorePlaces
    let folder: String
    let backup: DeviceBackup?
    let copies: [[DeviceBackup.Copy]]
    let times: ShownTimes

    var blocks: [Block] {
        if let backup { return copies.isEmpty ? blocks(of: backup) : blocksOfCopies }
        guard !found.places.isEmpty || !found.deviceBackups.isEmpty else {
            return ["\(nothing)"] + (oldNames.isEmpty ? [] : [.list(oldNames)])
        }
        let places = found.places.map { place in
            var facts = [times.sentence(place.facts)]
            if place.backups > 0 { facts.append(Phrase.count(place.backups, "backup")) }
            if let app = place.app { facts.append("app \(app)") }
            if let uuid = place.uuid { facts.append("UUID \(uuid)") }
            return "\(.code(ShellWord.quoted(place.path)))  \(facts.joined(separator: ", "))" as Inline
        }
        let backups = found.deviceBackups.map { path in
            "\(.code(ShellWord.quoted(path)))  a backup of a device: \(.command("where", on: path))"
                as Inline
        }
        return [.list(places + backups + oldNames)] + (found.comparison.map { ["\($0)"] } ?? [])
            + (found.isOfContainers
                ? [.remark("only the containers of apps were searched; name a folder in it to search all of that")]
                : [])
    }

    /// Where the names may be that the app kept before Core Data.
    private var oldNames: [Inline] {
        found.keyValueStore.map { ["\(.code(ShellWord.quoted($0.path)))  \($0.kind)"] } ?? []
    }

    private var nothing: String {
        let none = "no store of the app in \(folder): "
        guard found.isHome else { return none + found.seen }
        return none
            + "there is no CKModel.sqlite with meters in its Library/Containers, Library/Group Containers and Library/Application Support"
    }

    private func blocks(of backup: DeviceBackup) -> [Block] {
        if let reason = backup.reasonWithoutStore {
            return ["no store of the app in \(folder): it is a backup of a device, and \(reason)"]
        }
        return backup.stores.map { store in
            let rows: [[Block.Cell]] = store.files.map { file in
                [.code(file.name), .number(Phrase.size(ofBytes: file.size)), .code(file.pathOnDevice)]
            }
            let log: [Block] =
                switch store.log {
                case .there, .missing, .cut, .unknown: []
                case .notListed: ["the backup lists no -wal: there was none, and the store is complete without it"]
                }
            return .section("\(store.domain)", [.table(.init(rows: rows))] + log)
        } + [.list([.code(DeviceBackup.copyCommand(folder))], marker: .arrow)]
    }

    private var blocksOfCopies: [Block] {
        let files = copies.joined().map { copy in
            "\(.code(ShellWord.quoted(copy.path)))  \(Phrase.size(ofBytes: copy.file.size)), was \(copy.file.pathOnDevice)"
                as Inline
        }
        let next = copies.compactMap(\.first).map { Inline.command("status", on: $0.path) }
        return [.list(files), .list(next, marker: .arrow)]
    }

    /// What is wrong with the log of a store in a backup; nil where nothing is.
    private static func warning(about store: DeviceBackup.Store) -> String? {
        switch store.log {
        case .there, .notListed: nil
        case .missing:
            "the -wal of the store in \(store.domain) is listed, but not in the backup: its newest changes are missing"
        case .cut:
            "the -wal of the store in \(store.domain) has fewer bytes than the backup lists, and is left out: its newest "
                + "changes are missing; ask for the backup's folder again, packed as a whole"
        case .unknown:
            "the list of this backup was shortened, for it names no folder of \(store.domain), as a device does: its "
                + "store probably had a -wal, and the newest changes are missing; ask for the backup's folder as the "
                + "Finder made it"
        }
    }

    var warnings: [String] {
        var warnings: [String] = backup?.problems ?? []
        warnings += backup?.stores.compactMap(Self.warning) ?? []
        if !found.closed.isEmpty {
            let way =
                found.isHome ? FileError.hintOnContainers : "check who owns them: \(Phrase.start(of: found.closed))"
            warnings.append("\(Phrase.count(found.closed.count, "folder")) could not be looked into: \(way)")
        }
        if found.unnamed > 0 {
            warnings.append(
                "\(Phrase.count(found.unnamed, "name")) in \(folder) could not be read as UTF-8: rename what has such a name, "
                    + "and search again")
        }
        if let bound = found.bound {
            warnings.append("\(folder) has more than was searched: \(bound); name a folder in it")
        }
        return warnings
    }
}
