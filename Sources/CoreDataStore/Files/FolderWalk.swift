internal import Foundation
internal import Texts

/// The regular files in a folder and in the folders in it. No file is opened, and no link is followed, so that nothing
/// outside the folder is found and no loop is walked.
package struct FolderWalk: Sendable {
    package struct File: Hashable, Sendable {
        package let path: String
        /// Bytes.
        package let size: Int
    }

    /// Those of a folder before those of the folders in it; of one folder in the byte order of their names.
    package private(set) var files: [File] = []
    /// Folders that have a file of the given name in them. Nothing else in them was looked at.
    package private(set) var marked: [String] = []
    /// Folders that the system keeps closed, or what is in them.
    package private(set) var closed: [String] = []
    /// Names that are not UTF-8.
    package private(set) var unnamed = 0
    /// Symbolic links.
    package private(set) var links = 0
    /// Where it ended; nil where everything was looked at.
    package private(set) var bound: Bound?
    /// What is neither a regular file nor a folder: those links, pipes, devices.
    package private(set) var irregular: [String] = []
    /// Whether there is more than was looked at.
    package var isCut: Bool { bound != nil }

    /// What may be where nobody looked: a clause.
    package enum Bound: Hashable, Sendable, CustomStringConvertible {
        case depth(Int)
        case entries(Int)
        case databases(Int)

        package var description: String {
            switch self {
            case .depth(let count): "it was searched \(count) folders deep"
            case .entries(let count): "\(count) names in it were read"
            case .databases(let count): "\(count) databases in it were opened"
            }
        }
    }

    /// How many folders deep a file may be, and how many names are read, of files and of folders.
    package struct Limits: Sendable {
        package let depth: Int
        package let entries: Int

        package init(depth: Int = 8, entries: Int = 100_000) {
            self.depth = depth
            self.entries = entries
        }
    }

    /// - Parameters:
    ///   - root: a folder, or a link to one.
    ///   - mark: the name of a file: a folder with it is listed as `marked`. Nil for none.
    ///   - skipped: what the names of folders end with that are not looked into.
    /// - Throws: `StoreError` where `root` cannot be read, and of kind `interrupted`.
    package init(
        _ root: String, stoppingAt mark: String? = nil, skipping skipped: [String], within limits: Limits = Limits()
    ) throws(StoreError) {
        var folders = [root]
        var entries = 0
        var depth = 0
        while !folders.isEmpty {
            depth += 1
            guard depth <= limits.depth else {
                bound = .depth(limits.depth)
                return
            }
            var deeper: [String] = []
            for folder in folders {
                try Interruption.check(root)
                let names: [String]
                do throws(FileError) {
                    names = try self.names(in: folder, most: limits.entries - entries)
                } catch {
                    guard depth > 1 else { throw error.storeError(at: root) }
                    closed.append(folder)
                    continue
                }
                entries += names.count
                if let mark, names.contains(mark) {
                    marked.append(folder)
                    continue
                }
                deeper += add(names, in: folder).filter { folder in !skipped.contains { folder.hasSuffix($0) } }
                guard entries < limits.entries else {
                    bound = .entries(limits.entries)
                    return
                }
            }
            folders = deeper
        }
    }

    /// - Returns: the folders among them.
    private mutating func add(_ names: [String], in folder: String) -> [String] {
        var folders: [String] = []
        for name in names {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            var info = stat()
            guard lstat(path, &info) == 0 else {
                // It may have been removed meanwhile. Otherwise the names in the folder are all that may be seen of it.
                if errno != ENOENT, closed.last != folder { closed.append(folder) }
                continue
            }
            switch info.st_mode & S_IFMT {
            case S_IFREG: files.append(File(path: path, size: Int(info.st_size)))
            case S_IFDIR: folders.append(path)
            case S_IFLNK:
                links += 1
                irregular.append(path)
            default: irregular.append(path)
            }
        }
        return folders
    }

    /// The names in a folder, sorted. One that is not UTF-8 is left out.
    /// - Parameter most: how many are read.
    private mutating func names(in folder: String, most: Int) throws(FileError) -> [String] {
        guard let stream = opendir(folder) else { throw FileError(code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < most, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(validatingCString: $0)
                }
            }
            switch name {
            case ".", "..": break
            case let name?: names.append(name)
            case nil: unnamed += 1
            }
        }
        return names.sorted(byBytesOf: \.self)
    }
}

extension FolderWalk.File {
    /// What the first bytes of a file say that it is.
    package enum Contents: Equatable, Sendable {
        case database
        case kind(FileKind)
        case unknown
    }

    /// Opens the file: not for a database that SQLite has open in this process, for that would drop its locks.
    package var contents: Contents {
        guard let input = try? FileInput(regular: path), let bytes = try? input.bytes(at: 0, count: 512) else {
            return .unknown
        }
        if bytes.starts(with: SQLiteHeader.magic) { return .database }
        return FileKind(of: bytes).map(Contents.kind) ?? .unknown
    }
}
