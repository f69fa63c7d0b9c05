internal import Foundation

/// Why a WAL's committed frames are missing, or probably are: they are neither in the main file nor in what SQLite reads
/// of the `-wal`.
package struct MissingWAL: Hashable, Sendable {
    /// What there is of the WAL.
    package enum Log: Hashable, Sendable {
        /// There is none, and no sign of what was in it. Core Data keeps a `-wal` beside its store also when the app is
        /// closed (https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlpersistwal), so somebody left it
        /// behind.
        case alone
        /// It is in iCloud Drive, and was not downloaded.
        case notDownloaded
        case absent
        case empty
        /// Something that SQLite ignores: its header is damaged, or it is none.
        case unreadable
        /// Of another store, or an earlier one of this store.
        case foreign
        /// The store's own, but incomplete.
        case cut
        /// Commits follow a frame that is damaged, and no `-shm` says whether there were more.
        case damaged
        /// It ends in zeros, and no `-shm` says whether anything was there.
        case zeros

        package var isAbsent: Bool {
            switch self {
            case .alone, .notDownloaded, .absent, .empty: true
            case .unreadable, .foreign, .cut, .damaged, .zeros: false
            }
        }
    }

    package let log: Log
    /// 0 if nothing says how many there were, as the others are then. The last committed frame of the WAL, counted from one.
    package internal(set) var lastFrame = 0
    /// Frames that are in the main file.
    package internal(set) var checkpointedFrames = 0
    /// Frames that SQLite reads from the WAL.
    package internal(set) var readableFrames = 0

    /// Frames that are nowhere. 0 if all are in the main file, but SQLite reads older versions of their pages from what
    /// is left of the WAL.
    package var missingFrames: Int { lastFrame - max(readableFrames, checkpointedFrames) }
}

extension StoreFiles {
    /// What says that frames of the WAL are missing. Nil if nothing does, also if the WAL was not read (`frames`).
    ///
    /// The `-shm` says how many frames the WAL had when the `-shm` was written, and how many of them were in the main
    /// file: SQLite writes the second number only when they are. It may be stale, because SQLite makes a new one after
    /// a crash. It proves nothing if the WAL is a later one, since SQLite restarts a WAL only if all of it is in the
    /// main file; nor if it knows of no frame, since a WAL that was restarted keeps its old header until the next
    /// commit. A WAL never becomes shorter without a restart.
    package func missingWALEvidence() -> MissingWAL? {
        guard header.isWAL else { return nil }
        guard let wal, wal.size > 0 else {
            guard !hasLog else { return nil }
            // Whoever opens the main file alone makes an empty one.
            if isLogNotDownloaded { return MissingWAL(log: .notDownloaded) }
            let log: MissingWAL.Log = self.wal == nil ? .absent : .empty
            return index(ofPageSize: header.pageSize).flatMap { missing(from: log, by: $0, readable: 0) }
                ?? (self.wal == nil ? MissingWAL(log: .alone) : nil)
        }
        guard let frames else { return nil }
        guard let log = frames.header else {
            // A `-shm` that knows of no missing frame may be one that SQLite made after the damage.
            return index(ofPageSize: header.pageSize).flatMap { missing(from: .unreadable, by: $0, readable: 0) }
                // A commit takes a frame at least: a WAL that a power failure cut off in its header had none.
                ?? (wal.size < WALHeader.size + WALFrame.headerSize + header.pageSize && !frames.isForeign
                    ? nil : MissingWAL(log: .unreadable))
        }
        if let index = index(ofPageSize: log.pageSize) {
            if index.salts == log.salts {
                let isBehindMainFile = frames.last > 0 && frames.last < index.lastFrame
                return missing(from: .cut, by: index, readable: frames.last, orElseIf: isBehindMainFile)
            }
            // What SQLite reads from a foreign WAL does not replace anything.
            if !log.isLater(than: index.salts) { return missing(from: .foreign, by: index, readable: 0) }
        }
        if frames.endsInZeros {
            return MissingWAL(log: .zeros, lastFrame: frames.frames.count, readableFrames: frames.last)
        }
        return frames.lastUnreadable.map { MissingWAL(log: .damaged, lastFrame: $0, readableFrames: frames.last) }
    }

    /// Whether the WAL ends in the middle of a page that follows on what SQLite reads, and no `-shm` says that this was all.
    package var hasBrokenLog: Bool {
        guard header.isWAL || main.size == 0, let frames, frames.breaksOff, let log = frames.header else {
            return false
        }
        return index(ofPageSize: log.pageSize).map { $0.salts != log.salts || frames.last < $0.lastFrame } ?? true
    }

    /// Whether there is a WAL of which SQLite reads nothing.
    package var hasLogWithoutCommit: Bool { wal.map { $0.size > 0 } ?? false && frames.map { $0.last == 0 } ?? false }

    private func index(ofPageSize pageSize: Int) -> SharedMemoryHeader? {
        sharedMemory.flatMap { $0.pageSize == pageSize ? $0 : nil }
    }

    private func missing(
        from log: MissingWAL.Log, by index: SharedMemoryHeader, readable: Int, orElseIf isMissing: Bool = false
    ) -> MissingWAL? {
        let missing = MissingWAL(
            log: log, lastFrame: Int(index.lastFrame), checkpointedFrames: Int(index.checkpointedFrames),
            readableFrames: readable)
        return missing.missingFrames > 0 || isMissing ? missing : nil
    }
}

extension StoreFiles {
    /// Names of files in the store's folder that may be its WAL under another name, such as `CKModel-1.sqlite-wal`
    /// beside `CKModel.sqlite`: those that begin like a WAL, have pages of the store's size, and are not the WAL of
    /// another file there. If there is a `-shm`, its salts must match too.
    /// - Returns: at most three, sorted by name.
    package func orphanWALs() -> [String] {
        let folder = FileReplacement.folder(of: resolvedPath)
        let own = name(of: resolvedPath) + "-wal"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        let known = Set(names)
        let found = names.lazy.filter { name in
            guard name.contains("-wal"), name != own,
                !(name.hasSuffix("-wal") && known.contains(String(name.dropLast(4)))),
                (try? FileStatus(path: folder + "/" + name))?.isRegular == true,
                let log = WALHeader(path: folder + "/" + name), log.isValid,
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
        if isLogNotDownloaded { return CloudPlaceholder.advice }
        guard let orphan = orphanWALs().first else { return "ask for the store again, with its -wal file, \(log)" }
        return
            "\(orphan) beside it may be its -wal file: copy it to \(log); or ask for the store again, with its -wal file"
    }

    private var isLogNotDownloaded: Bool { CloudPlaceholder.name(ofMissing: resolvedPath + "-wal") != nil }

    private func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }
}
