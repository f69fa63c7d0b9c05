/// Proof that a log had committed frames which are neither in the main file nor in what SQLite reads of the `-wal`.
package struct MissingLog: Hashable, Sendable {
    /// What there is of the log.
    package enum Log: Hashable, Sendable {
        case absent
        case empty
        /// Something that SQLite ignores.
        case unreadable
        /// Of another store, or an earlier one of this store.
        case foreign
        /// The store's own, but not all of it is there.
        case cut
        /// Commits follow a frame that is damaged, and no `-shm` says whether there were more.
        case damaged

        package var isAbsent: Bool {
            switch self {
            case .absent, .empty: true
            case .unreadable, .foreign, .cut, .damaged: false
            }
        }
    }

    package let log: Log
    /// The last committed frame of the log, from one.
    package let lastFrame: Int
    /// Frames that are in the main file.
    package let checkpointedFrames: Int
    /// Frames that SQLite reads from the log.
    package let readableFrames: Int

    /// Frames that are nowhere. 0 where all are in the main file, but SQLite reads older versions of their pages from
    /// what is left of the log.
    package var missingFrames: Int { lastFrame - max(readableFrames, checkpointedFrames) }
}

extension StoreFiles {
    /// What tells that frames of the log are missing. Nil where there is no such sign, also where the log was not read
    /// (`frames`).
    ///
    /// The `-shm` says how many frames the log had when it was written, and how many of them were in the main file: SQLite
    /// writes the second number only when they are. It may be out of date, for SQLite makes a new one after a crash. It
    /// proves nothing if the log is a later one, since SQLite restarts a log only if all of it is in the main file; nor if
    /// it knows of no frame, since a log that was restarted keeps its old header until the next commit. A log never
    /// becomes shorter without a restart.
    package func traceOfMissingLog() -> MissingLog? {
        guard header.isWAL else { return nil }
        guard let wal, wal.size > 0 else {
            guard !hasLog, let index = index(ofPageSize: header.pageSize) else { return nil }
            return missing(from: self.wal == nil ? .absent : .empty, by: index, readable: 0)
        }
        guard let frames else { return nil }
        guard let log = frames.header else {
            return index(ofPageSize: header.pageSize).flatMap { missing(from: .unreadable, by: $0, readable: 0) }
        }
        if let index = index(ofPageSize: log.pageSize) {
            if index.salts == log.salts {
                let isBehindMainFile = frames.last > 0 && frames.last < index.lastFrame
                return missing(from: .cut, by: index, readable: frames.last, orElseIf: isBehindMainFile)
            }
            // What SQLite reads from a foreign log makes up for nothing.
            if !log.isLater(than: index.salts) { return missing(from: .foreign, by: index, readable: 0) }
        }
        return frames.lastUnreadable.map {
            MissingLog(log: .damaged, lastFrame: $0, checkpointedFrames: 0, readableFrames: frames.last)
        }
    }

    private func index(ofPageSize pageSize: Int) -> SharedMemoryHeader? {
        sharedMemory.flatMap { $0.pageSize == pageSize ? $0 : nil }
    }

    private func missing(
        from log: MissingLog.Log, by index: SharedMemoryHeader, readable: Int, orElseIf isMissing: Bool = false
    ) -> MissingLog? {
        let missing = MissingLog(
            log: log, lastFrame: Int(index.lastFrame), checkpointedFrames: Int(index.checkpointedFrames),
            readableFrames: readable)
        return missing.missingFrames > 0 || isMissing ? missing : nil
    }
}
