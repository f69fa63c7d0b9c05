import Foundation
import MeterTestSupport

/// A folder and everything in it: names, bytes, modes and times.
struct FolderSnapshot: Equatable {
    private struct Entry: Equatable {
        let mode: UInt32
        let modified: [Int]
        let bytes: [UInt8]
    }

    /// By path in the folder; the folder itself is the empty one.
    private let entries: [String: Entry]

    /// Opens every file: none of them may be open in SQLite in this process, for closing drops its locks.
    init(of folder: String) throws {
        var entries: [String: Entry] = [:]
        for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: folder)) {
            let path = name.isEmpty ? folder : folder + "/" + name
            var info = stat()
            guard lstat(path, &info) == 0 else {
                throw MeterfixProcess.Failure(description: "\(name): \(String(cString: strerror(errno)))")
            }
            let isFile = info.st_mode & S_IFMT == S_IFREG
            #if canImport(Darwin)
                let modified = [info.st_mtimespec.tv_sec, info.st_mtimespec.tv_nsec]
            #else
                let modified = [info.st_mtim.tv_sec, info.st_mtim.tv_nsec]
            #endif
            entries[name] = Entry(
                mode: UInt32(info.st_mode), modified: modified, bytes: isFile ? try FileBytes.read(path) : [])
        }
        self.entries = entries
    }

    /// The paths in it, sorted.
    var names: [String] { entries.keys.filter { !$0.isEmpty }.sorted() }

    /// The bytes of its files by path, without modes and times.
    var contents: [String: [UInt8]] { entries.filter { !$0.key.isEmpty }.mapValues(\.bytes) }

    /// What differs, an entry each; empty where nothing does.
    /// - Parameter withFolder: whether the folder's own time counts: it changes with every name that comes or goes.
    func differences(from other: FolderSnapshot, withFolder: Bool = true) -> [String] {
        Set(entries.keys).union(other.entries.keys).sorted().filter { withFolder || !$0.isEmpty }.compactMap { name in
            let shown = name.isEmpty ? "the folder" : name
            switch (entries[name], other.entries[name]) {
            case (let entry?, let old?) where entry == old: return nil
            case (let entry?, let old?):
                if entry.bytes != old.bytes { return "\(shown): other bytes" }
                return "\(shown): other \(entry.mode == old.mode ? "time" : "mode")"
            case (nil, _): return "\(shown) is gone"
            case (_, nil): return "\(shown) is new"
            }
        }
    }
}
