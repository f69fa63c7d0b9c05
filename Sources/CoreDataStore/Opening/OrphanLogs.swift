internal import Foundation

extension StoreFiles {
    /// Names of files in the store's folder that may be its WAL under another name, such as `CKModel-1.sqlite-wal`
    /// beside `CKModel.sqlite`: those that begin like a WAL, have pages of the store's size, and are not the WAL of
    /// another file there. If there is a `-shm`, its salts must match too.
    /// - Returns: at most three, sorted by name.
    package func orphanLogs() -> [String] {
        let folder = FileReplacement.folder(of: resolvedPath)
        let own = name(of: resolvedPath) + "-wal"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        let known = Set(names)
        let found = names.lazy.filter { name in
            guard name.contains("-wal"), name != own,
                !(name.hasSuffix("-wal") && known.contains(String(name.dropLast(4)))),
                (try? FileStatus(path: folder + "/" + name))?.isRegular == true,
                let log = LogHeader(path: folder + "/" + name), log.isValid,
                // An empty file does not say its page size.
                main.size == 0 || log.pageSize == header.pageSize
            else { return false }
            return sharedMemory.map { log.salts == $0.salts || log.isLater(than: $0.salts) } ?? true
        }
        return Array(found.sorted().prefix(3))
    }

    /// What to do if the WAL is missing: a hint without a full stop.
    package var adviceOnMissingLog: String {
        let log = name + "-wal"
        guard let stray = orphanLogs().first else { return "ask for the store again, with its -wal file, \(log)" }
        return
            "\(stray) beside it may be its -wal file: copy it to \(log); or ask for the store again, with its -wal file"
    }

    private func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }
}
