package import CoreDataStore
package import MeterModel

extension StorePlaces {
    /// The store that `path` stands for: the file itself, or, where it is a folder, the one store of the app in it. All
    /// commands ask here.
    /// - Parameter damaged: whether a database that cannot be read is wanted as much as any other; otherwise it counts only
    ///   with the name of the app's store, or where there is nothing else, and the command says what is wrong with it.
    /// - Throws: `StoreError`, `notFound` for a folder with no store of the app, or several.
    package static func store(named path: String, orDamaged damaged: Bool = false) throws(StoreError) -> String {
        guard !path.utf8.contains(0), (try? FileStatus(path: path))?.isDirectory == true else { return path }
        let found = try StorePlaces(in: path)
        let likely = found.places.filter { $0.problem == nil || isOfStore($0.path) }
        let fitting = damaged || likely.isEmpty ? found.places : likely
        guard !fitting.isEmpty else { throw try found.refusalWithoutStore(path) }
        guard fitting.count == 1 else {
            throw StoreError(
                .notFound, at: path, "a folder with \(fitting.count) stores of the app",
                hint: "name one of them: "
                    + Phrase.start(of: fitting.map { "\(ShellWord.quoted($0.path)) (\($0.facts))" })
                    + "; meterfix where \(ShellWord.quoted(path)) says more")
        }
        // Beside what a home folder keeps closed, the app's usual places were looked at.
        guard !found.isCut, found.isHome || found.isOfContainers || !found.hasUnseen else {
            throw StoreError(
                .notFound, at: path,
                found.bound.map { "a folder with more in it than was searched: \($0)" }
                    ?? "a folder of which a part was not seen",
                hint: "name the store; this one was found: \(ShellWord.quoted(fitting[0].path))")
        }
        return fitting[0].path
    }

    /// - Throws: `StoreError` for a backup of a device that cannot be read.
    private func refusalWithoutStore(_ path: String) throws(StoreError) -> StoreError {
        if let backup = deviceBackups.first {
            let what = backup == path ? "a backup of a device" : "a folder with a backup of a device"
            let contents = try DeviceBackup(at: backup)
            if let reason = contents.reasonWithoutStore {
                return StoreError(
                    .notFound, at: path, "\(what) without a store of the app: \(reason)",
                    hint: "`meterfix where \(ShellWord.quoted(backup))` says more")
            }
            return StoreError(
                .notFound, at: path, what,
                hint: "copy the app's store out of it: \(DeviceBackup.copyCommand(backup))")
        }
        if isHome {
            return StoreError(
                .notFound, at: path, "a home folder without a store of the app",
                hint: "on a Mac on which the app has run, `meterfix where` lists its stores")
        }
        if let other = others.first(where: { $0.kind == Others.ofAnotherApp }) {
            return StoreError(
                .notFound, at: path, "a folder without a store of USB Meter; \(seen)",
                hint: "name the file to look at another app's store: \(ShellWord.quoted(other.path))")
        }
        if others.contains(where: { $0.kind == Others.notDownloaded }) {
            return StoreError(
                .notFound, at: path, "a folder without a store of the app; \(seen)", hint: CloudPlaceholder.advice)
        }
        if let names = keyValueStore {
            return StoreError(
                .notFound, at: path, "a folder without a store of the app; \(seen)",
                hint: "it may have the old names: meterfix import-kv \(ShellWord.quoted(names.path)) CKModel.sqlite")
        }
        return StoreError(
            .notFound, at: path, "a folder without a store of the app; \(seen)",
            hint: others.first(where: \.isArchive).map { archive in
                let path = ShellWord.quoted(archive.path)
                return archive.path.lowercased().hasSuffix(".zip")
                    ? "unpack it into a new folder, and name that folder: unzip \(path) -d FOLDER"
                    : "unpack \(path) into a new folder, and name that folder"
            } ?? FileKind.askForStore)
    }

    private var hasUnseen: Bool { !closed.isEmpty || unnamed > 0 }

    /// What is in the folder instead of a store, as a clause.
    package var seen: String {
        var parts: [String] = []
        if others.isEmpty {
            parts.append(hasUnseen || isCut ? "not all of it was seen" : "there is no file in it")
        } else {
            let kinds = others.map { other in
                let more = other.count > 1 ? ", and \(other.count - 1) more" : ""
                return "\(other.path.split(separator: "/").last ?? "") (\(other.kind)\(more))"
            }
            parts.append("in it: \(Phrase.start(of: kinds))")
        }
        if links > 0 { parts.append("\(Phrase.count(links, "link")) not followed") }
        if !closed.isEmpty { parts.append("\(Phrase.count(closed.count, "folder")) could not be looked into") }
        if unnamed > 0 { parts.append("\(Phrase.count(unnamed, "name")) could not be read as UTF-8") }
        if let bound { parts.append("not everything was looked at: \(bound)") }
        return parts.joined(separator: "; ")
    }
}

extension StorePlaces {
    /// What tells two stores of one folder apart at first sight, where a later one has fewer records: an old version of the
    /// app makes a new store beside one that it cannot open.
    package var comparison: String? {
        let readable = places.filter { $0.newest != nil }
        guard let newest = readable.max(by: { $0.newest! < $1.newest! }),
            let fullest = readable.max(by: { ($0.records ?? 0) < ($1.records ?? 0) }),
            (newest.records ?? 0) < (fullest.records ?? 0), newest.newest! > fullest.newest!
        else { return nil }
        let version = fullest.schemaVersion.map { ", and is of schema v\($0)" } ?? ""
        return "\(newest.path) is the newer one, but \(fullest.path) has more records\(version): ask for both"
    }
}

extension StorePlaces.Place {
    /// What tells it apart from others.
    package var facts: Sentence {
        if let problem { return "cannot be read: \(problem)" }
        var facts: [Sentence] = ["\(Phrase.count(records ?? 0, "record"))"]
        if let schemaVersion { facts.append("schema v\(schemaVersion)") }
        if let newest { facts.append("last changed \(newest)") }
        facts.append(isIncomplete ? "without its log, so probably not the newest changes" : "complete")
        return facts.joined(separator: ", ")
    }
}
