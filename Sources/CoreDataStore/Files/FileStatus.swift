internal import Foundation

/// What the file system says of a file, without opening it.
package struct FileStatus: Hashable, Sendable {
    package let isDirectory: Bool
    package let isRegular: Bool
    /// Bytes.
    package let size: Int
    /// How many names the file has, by hard links.
    package let links: Int
    /// Whether others than its owner may read it.
    package let isOpenToOthers: Bool
    /// Device and file number: equal for two names of one file.
    fileprivate let identity: [UInt64]
    /// Seconds and nanoseconds of the last change of the contents.
    private let modified: [Int]

    /// Nil where there is no such file.
    /// - Throws: the `errno` of `stat` for everything but "no such file".
    package init?(path: String) throws(FileError) {
        var info = stat()
        guard stat(path, &info) == 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { return nil }
            throw FileError(code: code)
        }
        isDirectory = info.st_mode & S_IFMT == S_IFDIR
        isRegular = info.st_mode & S_IFMT == S_IFREG
        size = Int(info.st_size)
        links = Int(info.st_nlink)
        isOpenToOthers = info.st_mode & (S_IRGRP | S_IROTH) != 0
        identity = [UInt64(truncatingIfNeeded: info.st_dev), UInt64(truncatingIfNeeded: info.st_ino)]
        #if canImport(Darwin)
            modified = [info.st_mtimespec.tv_sec, info.st_mtimespec.tv_nsec]
        #else
            modified = [info.st_mtim.tv_sec, info.st_mtim.tv_nsec]
        #endif
    }

    /// Whether both are the same file, under whatever names, and whatever was written to it.
    package func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }
}

/// A failed call of the operating system.
package struct FileError: Error, Hashable, Sendable {
    package let code: Int32

    package init(code: Int32) { self.code = code }

    package var message: String { String(cString: strerror(code)).lowercased() }

    /// Whether a path leads into the container of an app or a group of apps, which macOS protects from other programs:
    /// opening a file there fails with EPERM until the user allows it (described, not confirmed on a Mac).
    static func isInContainer(_ path: String) -> Bool {
        let path = FileReplacement.realPath(path) ?? path
        return path.contains("/Library/Containers/") || path.contains("/Library/Group Containers/")
    }

    package static let hintOnContainers =
        "allow the program you type in Full Disk Access (System Settings, Privacy & Security), or copy the store's files "
        + "with the Finder"

    /// The store error it makes at `path`.
    package func storeError(at path: String) -> StoreError {
        switch code {
        case EPERM where Self.isInContainer(path):
            StoreError(
                .permissionDenied, at: path, "macOS keeps this program out of another app's container",
                hint: Self.hintOnContainers)
        case EACCES, EPERM:
            StoreError(.permissionDenied, at: path, "permission denied", hint: "check who owns the file and its folder")
        case EROFS:
            StoreError(.permissionDenied, at: path, "the file system is read-only", hint: "work on a copy of the store")
        case ENAMETOOLONG: StoreError(.notFound, at: path, "the path is too long")
        case ELOOP: StoreError(.notFound, at: path, "the path is a loop of symbolic links")
        case EEXIST: StoreError(.cannotCreate, at: path, "this file exists already", hint: "name a new file")
        case EMFILE:
            StoreError(
                .inputOutput, at: path, "too many files are open in this process",
                hint: "raise the limit, for example with `ulimit -n 256`")
        case ENFILE:
            StoreError(
                .inputOutput, at: path, "too many files are open on this computer",
                hint: "close other programs and run it again")
        case ENOMEM:
            StoreError(
                .inputOutput, at: path, "not enough memory", hint: "raise the limit (`ulimit -v`), or free some memory")
        case ENOSPC, EDQUOT:
            StoreError(.inputOutput, at: path, "no space left on the disk", hint: "free some space and run it again")
        default: StoreError(.inputOutput, at: path, message)
        }
    }
}
