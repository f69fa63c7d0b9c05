package import CoreDataStore
internal import Foundation
package import JSON
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// `where`: the stores of the app in a folder, and what else is in it.
package struct StorePlaces: Sendable {
    package struct Place: Hashable, Sendable {
        package let path: String
        /// The bundle of the app that saved it last, where its history names one.
        package fileprivate(set) var app: String?
        package fileprivate(set) var uuid: String?
        /// Of the app's model; nil where it is not known.
        package fileprivate(set) var schemaVersion: Int?
        /// Nil where the store could not be read.
        package fileprivate(set) var records: Int?
        /// The latest `updatedAt` of a record.
        package fileprivate(set) var newest: Timestamp?
        /// Whether the newest changes are missing from it, or probably are.
        package fileprivate(set) var isIncomplete = false
        /// Why it could not be read: lower case, no full stop.
        package fileprivate(set) var problem: String?
        /// Entries in the folder with its backups.
        package let backups: Int

        fileprivate init(path: String, backups: Int) {
            self.path = path
            self.backups = backups
        }

        /// - Parameter problem: why it could not be read.
        fileprivate init(unreadable path: String, _ problem: String) {
            self.init(path: path, backups: 0)
            self.problem = problem
        }
    }

    package struct Others: Hashable, Sendable {
        package let path: String
        /// What it is, with its article: `a JPEG picture`.
        package let kind: String
        package let isArchive: Bool
        package fileprivate(set) var count = 1

        static let ofAnotherApp = "a store of another app"
        static let keyValueStore = "a key-value store, which import-kv reads"
        static let notDownloaded = "not downloaded from iCloud Drive"
    }

    /// Whether all of a home folder's usual places were looked at, and nothing else.
    package private(set) var isHome = false
    /// Whether the places of apps in the file system of a phone, or of Xcode's simulators, were looked at, and nothing else.
    package private(set) var isOfContainers = false
    package private(set) var places: [Place] = []
    /// Folders in it, or itself, that are backups of an iPhone or iPad.
    package private(set) var deviceBackups: [String] = []
    package private(set) var others: [Others] = []
    /// A key-value store, which may have the old names; nil where none was found.
    package var keyValueStore: Others? { others.first { $0.kind == Others.keyValueStore } }
    /// Folders that may have a store in them and that the system keeps closed, as paths.
    package private(set) var closed: [String] = []
    /// Names that are not UTF-8, as a program makes them that unpacks an old archive: what has them is left out.
    package private(set) var unnamed = 0
    /// Symbolic links, which are not followed.
    package private(set) var links = 0
    /// Where the search ended, if there is more in the folder than was looked at.
    package private(set) var bound: FolderWalk.Bound?
    package var isCut: Bool { bound != nil }

    package static let storeName = "CKModel.sqlite"

    private static let mostDatabases = 1_000

    /// The user's own home folder, where this is a Mac; nil elsewhere, for the app runs nowhere else that meterfix does.
    package static var ownHome: String? {
        #if os(macOS)
            FileManager.default.homeDirectoryForCurrentUser.path
        #else
            nil
        #endif
    }

    /// The one store of the app in the user's own home folder; nil where there is none, or several.
    package static var only: String? {
        guard let home = ownHome, let found = try? StorePlaces(in: home), found.places.count == 1 else { return nil }
        return found.places[0].path
    }

    /// Looks for stores and leaves no trace.
    ///
    /// In a home folder, the file system of a phone and the simulators' folder where the app may have put one; in any other
    /// folder, and where there is none, everywhere, within `limits`.
    /// - Throws: `StoreError` where `folder` is no folder, or when interrupted.
    package init(in folder: String, within limits: FolderWalk.Limits = .init()) throws(StoreError) {
        guard !folder.isEmpty else {
            throw StoreError(.notFound, at: folder, "an empty path", hint: "name the folder it is in")
        }
        guard let status = try? FileStatus(path: folder) else {
            throw StoreError(.notFound, at: folder, "no such folder")
        }
        guard status.isDirectory else {
            throw StoreError(.notFound, at: folder, "not a folder", hint: "name the folder it is in")
        }
        let known = KnownPlaces(in: folder)
        (isHome, closed) = (known.isHome, known.closed)
        try look(in: known, folder)
        isOfContainers = !isHome && !places.isEmpty
        if !isHome, places.isEmpty { try search(folder, limits) }
    }

    private mutating func look(in known: KnownPlaces, _ root: String) throws(StoreError) {
        for folder in known.folders {
            try Interruption.check(root)
            let path = "\(folder)/\(Self.storeName)"
            guard (try? FileStatus(path: path))?.isDirectory == false else { continue }
            if let place = Self.look(at: path).place { places.append(place) }
        }
        for folder in known.keyValueFolders {
            try Interruption.check(root)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.sorted() where name.hasSuffix(".sqlite") {
                if let other = Self.look(at: "\(folder)/\(name)").other { add("\(folder)/\(name)", other) }
            }
        }
    }

    private mutating func search(_ folder: String, _ limits: FolderWalk.Limits) throws(StoreError) {
        let walk = try FolderWalk(
            folder, stoppingAt: DeviceBackup.manifestName, skipping: [BackupFolder.suffix], within: limits)
        (deviceBackups, closed, links, bound) = (walk.marked, walk.closed, walk.links, walk.bound)
        others = []
        unnamed = walk.unnamed
        let paths = Set(walk.files.map(\.path))
        var databases = 0
        // What has the store's name and is no file that can be read. Above another store it counts: otherwise every command
        // would take that one without a word.
        var claims = walk.irregular.filter(Self.hasName).map { Place(unreadable: $0, "a link, or no file") }
        for file in walk.files {
            try Interruption.check(folder)
            let belongsToStore = ["-wal", "-shm", "-journal"].contains {
                file.path.hasSuffix($0) && paths.contains(String(file.path.dropLast($0.count)))
            }
            guard !belongsToStore else { continue }
            if let original = CloudPlaceholder.original(of: file.path) {
                add(file.path, Others.notDownloaded)
                if original == Self.storeName { claims.append(Place(unreadable: file.path, Others.notDownloaded)) }
                continue
            }
            if file.path.hasSuffix("/\(Self.storeName)-wal") {
                claims.append(Place(unreadable: file.path, "the log of a store whose main file is missing"))
            }
            let contents = file.contents
            // An empty main file's contents may be in its log.
            let isOnlyLog = file.size == 0 && paths.contains(file.path + "-wal")
            let isDamaged = contents == .unknown && Self.hasName(file.path)
            guard contents == .database || isOnlyLog || isDamaged else {
                switch contents {
                case .kind(let kind):
                    add(file.path, kind.name, isArchive: kind.isArchive)
                    if Self.hasName(file.path) { claims.append(Place(unreadable: file.path, kind.name)) }
                case .database, .unknown: add(file.path, file.size == 0 ? "an empty file" : "a file of another kind")
                }
                continue
            }
            databases += 1
            guard databases <= Self.mostDatabases else {
                bound = .databases(Self.mostDatabases)
                return
            }
            let (place, other) = Self.look(at: file.path)
            if let place { places.append(place) }
            if let other { add(file.path, other) }
        }
        // What is beside a store, or deeper, is no claim to be the one that is meant.
        func depth(_ place: Place) -> Int { place.path.utf8.count { $0 == UInt8(ascii: "/") } }
        if let depthOfStores = places.lazy.map(depth).min() {
            places += claims.filter { depth($0) < depthOfStores }
        }
    }

    static func hasName(_ path: String) -> Bool { path.hasSuffix("/" + storeName) }

    /// Whether a path is that of the app's store by its name, or of what stands for it.
    static func isOfStore(_ path: String) -> Bool {
        hasName(path) || path.hasSuffix("/\(storeName)-wal") || path.hasSuffix("/.\(storeName).icloud")
    }

    private mutating func add(_ path: String, _ kind: String, isArchive: Bool = false) {
        if let index = others.firstIndex(where: { $0.kind == kind }) {
            others[index].count += 1
        } else {
            others.append(Others(path: path, kind: kind, isArchive: isArchive))
        }
    }

    /// A store of the app, or what it is instead, with its article.
    private static func look(at path: String) -> (place: Place?, other: String?) {
        var place = Place(path: path, backups: (try? BackupFolder(for: path, named: nil).entryCount) ?? 0)
        do throws(StoreError) {
            let other: String? = try StoreConnection.look(at: path) { connection, database in
                // No date of it is compared with now.
                let request = StoreRequest(path, now: Timestamp(secondsSince2001: 0))
                let store = try InspectedStore(describing: request, files: connection.files, database)
                guard store.description.schema.tables["ZSYDMANAGEDKEYVALUE"] == nil else { return Others.keyValueStore }
                guard store.description.isCoreData else { return "a database, but not a Core Data store" }
                guard let settings = store.settings else { return Others.ofAnotherApp }
                let app = try store.description.history?.lastBundle(notBy: HistoryWriter.author, database)
                (place.records, place.newest) = try settings.overview(database)
                (place.app, place.uuid) = (app, store.description.metadata.uuid)
                (place.schemaVersion, place.isIncomplete) = (store.schemaVersion, store.missingLog != nil)
                return nil
            }
            if let other { return (nil, other) }
        } catch {
            place.problem = error.message
        }
        return (place, nil)
    }
}

extension StorePlaces {
    /// One document, keys in their fixed order.
    package func json(_ backup: DeviceBackup? = nil, copies: [[DeviceBackup.Copy]] = []) -> JSONValue {
        .object(
            JSONDocument.head(command: "where", store: nil) + [
                .init("stores", places.map(\.json)), .init("closed", closed),
                .init("others", others.map { ["path": $0.path, "kind": $0.kind, "count": $0.count] as JSONValue }),
                .init("deviceBackups", deviceBackups), .init("complete", !isCut && !isOfContainers),
                .init("deviceBackup", backup?.json(copies)),
            ])
    }
}

extension StorePlaces.Place {
    fileprivate var json: JSONValue {
        [
            "path": path, "app": app, "uuid": uuid, "schemaVersion": schemaVersion, "records": records,
            "newest": newest, "walMissing": isIncomplete, "problem": problem, "backups": backups,
        ]
    }
}

extension DeviceBackup {
    fileprivate func json(_ copies: [[Copy]]) -> JSONValue {
        let paths = Dictionary(copies.joined().map { ($0.file, $0.path) }, uniquingKeysWith: { first, _ in first })
        return [
            "stores": stores.map { store -> JSONValue in
                [
                    "domain": store.domain, "walMissing": store.log.isMissing,
                    "files": store.files.map { file -> JSONValue in
                        [
                            "name": file.name, "pathOnDevice": file.pathOnDevice, "path": file.path, "bytes": file.size,
                            "copy": paths[file],
                        ]
                    },
                ]
            },
            "problems": problems,
        ]
    }
}
