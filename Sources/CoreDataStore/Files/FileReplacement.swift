internal import Foundation

/// Files that replace others, completely or not at all, even if the power fails.
package enum FileReplacement {
    /// Gives `path` new contents (mode 0600), which `fill` writes to the new file `path.new`: a reader finds either the
    /// old contents or the new ones.
    /// - Throws: `StoreError`; the old contents are still there then, and `path.new` may be.
    package static func write(
        to path: String, _ fill: (FileOutput) throws(StoreError) -> Void
    ) throws(StoreError) {
        let new = path + ".new"
        try FileOutput.create(new, fill)
        try move(new, to: path)
    }

    /// Renames the file `source` to `target`, replacing any file of that name, and waits until the names in `target`'s
    /// folder are on the disk.
    /// - Throws: `StoreError`.
    package static func move(_ source: String, to target: String) throws(StoreError) {
        guard rename(source, target) == 0 else { throw FileError(code: errno).storeError(at: target) }
        try FileCopy.synchronize(folder: folder(of: target))
    }

    /// Gives the file `path` the mode of `model`, and its owner if that is allowed.
    /// - Throws: `StoreError`.
    package static func takeAccess(of model: String, for path: String) throws(StoreError) {
        var info = stat()
        guard stat(model, &info) == 0 else { throw FileError(code: errno).storeError(at: model) }
        // Only root may give files away; anybody else owns both.
        _ = chown(path, info.st_uid, info.st_gid)
        guard chmod(path, info.st_mode & 0o7777) == 0 else { throw FileError(code: errno).storeError(at: path) }
    }

    /// Absolute and free of symbolic links; nil if there is nothing at the path, or if it is not UTF-8.
    package static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }

    /// Where the symbolic link at `path` leads to, as it says; nil if there is none, or if it is not UTF-8.
    package static func linkTarget(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlink(path, &target, Int(PATH_MAX)) >= 0 else { return nil }
        return target.withUnsafeBufferPointer { String(validatingCString: $0.baseAddress!) }
    }

    /// The folder that `path` is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
