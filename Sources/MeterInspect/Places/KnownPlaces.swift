internal import CoreDataStore
internal import Foundation

/// The folders in which the system keeps what apps save: in a home folder on a Mac, in the file system of a phone as
/// forensic tools extract it, and in the folder of Xcode's simulators. They lie deep, among hundreds of thousands of files.
struct KnownPlaces {
    /// Folders in which Core Data may have put the app's store, some of which may not be there.
    private(set) var folders: [String] = []
    /// Folders in which the system keeps key-value stores, some of which may not be there: beside what it syncs, or in a
    /// container of its own (described for Macs, phones and the simulator).
    private(set) var keyValueFolders: [String] = []
    /// Those that the system keeps closed, sorted.
    private(set) var closed: [String] = []
    private(set) var isHome = false

    private var known: Set<String> = []

    private static let support = "Library/Application Support"
    private static let keyValues = "com.apple.kvs"
    private static let synced = "Library/SyncedPreferences/\(keyValues)"

    /// - Parameter folder: a home folder, or one in which the file system of a phone or the simulators' folder is, at most two
    ///   folders down.
    init(in folder: String) {
        let root = String(folder.reversed().drop { $0 == "/" }.reversed())
        if Self.isFolder(root + "/Library/Containers") {
            isHome = true
            addHome(root)
        }
        for base in isHome ? [root] : bases(of: root) {
            for devices in ["Library/Developer/CoreSimulator/Devices", "CoreSimulator/Devices", "Devices"] {
                for device in list("\(base)/\(devices)") { addContainers(in: "\(device)/data") }
            }
            for mobile in ["private/var/mobile", "var/mobile", "mobile", "data"] {
                addContainers(in: "\(base)/\(mobile)")
            }
            addContainers(in: base)
        }
        // Each folder that may have a store, and those in it: an app without a container has one of its own.
        folders = folders.flatMap { [$0] + list($0) }
        closed.sort()
    }

    /// Core Data puts a store into `Library/Application Support` of the app's container, an app without one into a folder
    /// of its name in the user's. An iPad app on a Mac has a container named by a UUID. Described, not confirmed on a Mac.
    private mutating func addHome(_ home: String) {
        folders.append("\(home)/\(Self.support)")
        folders += list("\(home)/Library/Containers").map { "\($0)/Data/\(Self.support)" }
        addGroups("\(home)/Library/Group Containers")
        keyValueFolders.append("\(home)/\(Self.synced)")
        keyValueFolders += list("\(home)/Library/Daemon Containers").map { "\($0)/Data/\(Self.keyValues)" }
    }

    private mutating func addContainers(in folder: String) {
        let containers = "\(folder)/Containers"
        guard Self.isFolder(containers), known.insert(containers).inserted else { return }
        folders += list("\(containers)/Data/Application").map { "\($0)/\(Self.support)" }
        addGroups("\(containers)/Shared/AppGroup")
        keyValueFolders.append("\(folder)/\(Self.synced)")
        keyValueFolders += list("\(containers)/Data/InternalDaemon").map { "\($0)/\(Self.keyValues)" }
    }

    private mutating func addGroups(_ groups: String) {
        folders += list(groups).flatMap { [$0, "\($0)/\(Self.support)"] }
    }

    /// A folder, those in it, and those in these.
    private mutating func bases(of root: String) -> [String] {
        var bases = [root]
        var level = [root]
        for _ in 0..<2 {
            level = level.flatMap { list($0) }.filter(Self.isFolder)
            bases += level.prefix(Self.mostBases - bases.count)
        }
        return bases
    }

    /// The first folders of a phone's file system are fewer.
    private static let mostBases = 5_000

    /// What is in a folder, sorted; nothing where it is not there, or is no folder.
    private mutating func list(_ folder: String) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
        } catch CocoaError.fileReadNoPermission {
            if !closed.contains(folder) { closed.append(folder) }
        } catch {
            // Not there, or no folder: nothing lies in it.
        }
        return []
    }

    private static func isFolder(_ path: String) -> Bool {
        !FileStatus.isLink(path) && (try? FileStatus(path: path))?.isDirectory == true
    }
}
