internal import Foundation

/// The stores in a folder that somebody named in the place of a store.
enum StoresInFolder {
    /// What their files are called. Nothing is opened to see: closing a file drops the locks that SQLite has on it in
    /// this process.
    private static let suffixes = [".sqlite", ".sqlite3", ".sqlitedb", ".db", ".store", ".storedata"]

    /// Where a store lies in the container of an app, in the download of one that Xcode makes, and in a copy of either.
    private static let places = [
        "", "Library/Application Support/", "Data/Library/Application Support/",
        "AppData/Library/Application Support/", "Documents/",
    ]

    /// Names of a folder that are looked at.
    private static let most = 10_000

    /// Their paths, in the order of the places and of their names, the app's own name first.
    static func paths(in folder: String) -> [String] {
        let folder = folder.hasSuffix("/") ? folder : folder + "/"
        return places.flatMap { place -> [String] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + place)) ?? []
            return names.prefix(most).filter { name in
                let lower = name.lowercased()
                guard suffixes.contains(where: { lower.hasSuffix($0) }) else { return false }
                return (try? FileStatus(path: folder + place + name))?.isRegular ?? false
            }
            .sorted { ($0 == appName ? 0 : 1, $0) < ($1 == appName ? 0 : 1, $1) }
            .map { folder + place + $0 }
        }
    }

    private static let appName = "CKModel.sqlite"

    /// Stores that a hint names.
    private static let mostNamed = 5

    /// What to do for somebody who named the folder.
    static func hint(on folder: String) -> String {
        let paths = paths(in: folder)
        guard let first = paths.first else {
            let start = folder.hasSuffix("/") ? folder : folder + "/"
            guard (try? FileStatus(path: start + "Library/Containers"))?.isDirectory ?? false else {
                return "name the SQLite file in it, for example \(start)\(appName)"
            }
            return "it is a home folder: `meterfix where` lists the app's stores in it"
        }
        guard paths.count > 1 else {
            return "\(first.split(separator: "/").last ?? "") is in it: name \(first)"
        }
        let rest = paths.count - mostNamed
        return "\(paths.count) files in it look like stores; name one of them: "
            + paths.prefix(mostNamed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
