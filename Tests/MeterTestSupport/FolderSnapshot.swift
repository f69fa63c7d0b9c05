internal import Foundation

/// A folder and everything in it: names, bytes, modes and times.
package struct FolderSnapshot: Equatable, Sendable {
    private struct Entry: Equatable {
        /// Nil for what is no regular file.
        let bytes: [UInt8]?
        let mode: UInt32
        /// Seconds and nanoseconds.
        let modified: [Int]
    }

    /// By path in the folder; the folder itself is the empty one.
    private let entries: [String: Entry]

    /// Opens every file: none of them may be open in SQLite in this process, for closing drops its locks.
    package init(_ folder: String) throws {
        var entries: [String: Entry] = [:]
        for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: folder)) {
            let path = name.isEmpty ? folder : folder + "/" + name
            var info = stat()
            guard lstat(path, &info) == 0 else {
                throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: path])
            }
            #if canImport(Darwin)
                let modified = [info.st_mtimespec.tv_sec, info.st_mtimespec.tv_nsec]
            #else
                let modified = [info.st_mtim.tv_sec, info.st_mtim.tv_nsec]
            #endif
            entries[name] = Entry(
                bytes: info.st_mode & S_IFMT == S_IFREG ? try FileBytes.read(path) : nil, mode: UInt32(info.st_mode),
                modified: modified)
        }
        self.entries = entries
    }

    /// The paths in it, sorted.
    package var names: [String] { entries.keys.filter { !$0.isEmpty }.sorted() }

    /// The bytes of its files by path, none for what is no regular file; without modes and times.
    package var contents: [String: [UInt8]] { entries.filter { !$0.key.isEmpty }.mapValues { $0.bytes ?? [] } }

    /// What differs, an entry each; empty where nothing does.
    /// - Parameter withFolder: whether the folder's own time counts: it changes with every name that comes or goes.
    package func differences(from other: FolderSnapshot, withFolder: Bool = true) -> [String] {
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

    /// Whether every file has the same bytes, whenever it was written.
    package func hasSameBytes(as other: FolderSnapshot) -> Bool {
        entries.mapValues(\.bytes) == other.entries.mapValues(\.bytes)
    }
}
