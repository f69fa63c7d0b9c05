internal import Foundation

/// The files that make up a store: the main file and what SQLite keeps beside it. They belong together: a copy of the
/// main file alone may not have a single row (seen in real stores).
package struct StoreFiles: Hashable, Sendable {
    /// As the user gave it.
    package let path: String
    /// Absolute and free of symbolic links, because SQLite looks for the other files beside the real one.
    package let resolvedPath: String
    package let main: FileStatus
    package let wal: FileStatus?
    package let shm: FileStatus?
    package let journal: FileStatus?
    package let header: SQLiteHeader
    /// Of the `-shm`; nil if there is none, or a damaged one.
    let sharedMemory: SharedMemoryHeader?
    /// What SQLite reads of the `-wal`, once it has been read.
    package internal(set) var frames: WALFrames?
    /// The main file that is read, the store's own or that of a private copy, where it stays as it is and may be opened
    /// once more. Nil while it may change: closing it would drop the locks that SQLite has on it.
    package internal(set) var pathOfContents: String?
    /// Taken before everything else was read.
    let fingerprint: StoreFingerprint

    /// Examines the files; opens the main file for its first 100 bytes, and the others for their headers.
    /// - Throws: `StoreError` where the files cannot be read.
    package init(path: String) throws(StoreError) { try self.init(path: path, StoreFingerprint(path)) }

    /// - Parameter fingerprint: of the files at `path`, taken before.
    init(path: String, _ fingerprint: StoreFingerprint) throws(StoreError) {
        self.fingerprint = fingerprint
        let found = try FilesOnDisk(path: path)
        (resolvedPath, main, wal, shm, journal) =
            (found.resolvedPath, found.main, found.wal, found.shm, found.journal)
        self.path = path
        header = try SQLiteHeader(path: path, size: main.size, fingerprint.mainHeader, hasLog: found.hasLog)
        sharedMemory = header.isWAL && shm?.isRegular == true ? SharedMemoryHeader(path: resolvedPath + "-shm") : nil
        if main.size == 0 && !hasLog {
            throw StoreError(
                .damaged, at: path, "an empty file, 0 bytes",
                hint: orphanWALs().isEmpty
                    ? "ask for the store again, with its -wal file" : adviceOnMissingLog)
        }
        if header.isWAL, let wal, wal.size > 0, let version = WALHeader(path: resolvedPath + "-wal")?.version,
            version != WALHeader.knownVersion
        {
            throw StoreError(
                .damaged, at: path, "its -wal is damaged: there is no version \(version) of the format",
                hint: "ask for the store again, with its -wal file")
        }
    }

    /// Examines the files of a store that another process may be writing to.
    /// - Throws: like `init(path:)`; `inUse` if the store does not stop changing.
    package static func steady(_ path: String) throws(StoreError) -> StoreFiles {
        try StableSnapshot.at(path) { look throws(StoreError) in try StoreFiles(path: path, look.before) }
    }

    /// The same files for a change, of which nothing but what SQLite shows is read.
    package var withoutPast: StoreFiles {
        var files = self
        files.pathOfContents = nil
        return files
    }

    /// Whether part of the contents is, or may be, outside the main file.
    package var hasLog: Bool { logSize > 0 }

    /// Of all files that have contents, in bytes.
    package var size: Int { main.size + logSize }

    /// Bytes.
    private var logSize: Int { (wal?.size ?? 0) + (journal?.size ?? 0) }

    package var name: String { String(path.split(separator: "/").last ?? "") }

    /// Which of the files has other names too, by hard links: the main file (empty) or its `-wal`; nil where none has.
    /// SQLite finds the log by the main file's name: under another one it does without, and mixes two states.
    package var suffixWithOtherNames: String? {
        if main.links > 1 { return "" }
        return (wal?.links ?? 0) > 1 ? "-wal" : nil
    }

    /// The names of the files of the store at `path` that are there, the main file's first; none where it cannot be
    /// examined.
    package static func names(of path: String) -> [String] {
        guard let files = try? StoreFiles(path: path) else { return [] }
        return ["", "-wal", "-shm", "-journal"].filter(files.has).map { files.name + $0 }
    }

    /// What to ask for besides the main file, by the journal mode. A store in rollback mode has a journal only during a
    /// change, or after a crash in one: then the main file has half of that change.
    package var withItsLog: String {
        header.isWAL ? "with its -wal file" : "with its -journal file, if there is one beside it"
    }

    package func has(_ suffix: String) -> Bool {
        switch suffix {
        case "": true
        case "-wal": wal != nil
        case "-shm": shm != nil
        case "-journal": journal != nil
        default: false
        }
    }

    package func hasSameContents(as other: StoreFiles) -> Bool { fingerprint == other.fingerprint }
}

/// A state of a store's files that differs from an earlier one if anything was written in between. The modification
/// time is not enough: on many file systems it is accurate only to some milliseconds.
struct StoreFingerprint: Hashable, Sendable {
    private let main: FileStatus?
    private let wal: FileStatus?
    private let journal: FileStatus?
    /// With the file change counter, which every transaction with a rollback journal increments.
    let mainHeader: [UInt8]?
    /// Each WAL has its own salts. A commit to a WAL makes it longer, or overwrites what was there before it was
    /// restarted.
    private let logHeader: [UInt8]?
    /// With the number of records, and a random number of its own for each journal.
    let journalHeader: [UInt8]?
    /// Changes with each transaction in a WAL, and with each checkpoint before it begins. The `-shm` as a whole does
    /// not count: readers write to it.
    private let sharedMemory: SharedMemoryHeader?

    static let journalHeaderSize = 28

    /// Never fails: what cannot be read is nil. Not for a store that SQLite has open and locked in this process.
    init(_ path: String) {
        let path = FileReplacement.realPath(path) ?? path
        let files = StoreFingerprint.files(of: path)
        (main, wal, journal) = (files.main, files.wal, files.journal)
        func beginning(_ suffix: String, _ status: FileStatus?, _ count: Int) -> [UInt8]? {
            // Opening anything else may have side effects.
            status.map { $0.isRegular && $0.size > 0 } == true
                ? FileInput.beginning(of: path + suffix, count: count) : nil
        }
        mainHeader = beginning("", main, 100)
        logHeader = beginning("-wal", wal, WALHeader.size)
        journalHeader = beginning("-journal", journal, Self.journalHeaderSize)
        sharedMemory = SharedMemoryHeader(path: path + "-shm")
    }

    private static func files(of path: String) -> (main: FileStatus?, wal: FileStatus?, journal: FileStatus?) {
        func status(_ suffix: String) -> FileStatus? { (try? FileStatus(path: path + suffix)).flatMap(\.self) }
        return (status(""), status("-wal"), status("-journal"))
    }

    /// Whether copies of the main file and then of the WAL, made between this state and `later`, are a consistent
    /// store. A WAL that only became longer does no harm: everything a checkpoint wrote to the main file meanwhile is
    /// in the WAL too, until that is restarted.
    func allowsCopies(until later: StoreFingerprint) -> Bool {
        if self == later { return true }
        guard let main, let laterMain = later.main, let wal, let laterWal = later.wal,
            main.isSameFile(as: laterMain), wal.isSameFile(as: laterWal), wal.size <= laterWal.size,
            journal == nil, later.journal == nil, let logHeader, logHeader == later.logHeader,
            let header = WALHeader(logHeader), header.isValid
        else { return false }
        // A process that uses no `-shm` may be in the middle of a frame.
        return sharedMemory?.salts == header.salts && later.sharedMemory?.salts == header.salts
    }

    /// Whether the store is in this state, apart from an empty WAL that was created since. Does not open the main file,
    /// so this connection's locks on it stay.
    /// - Parameter path: absolute and free of symbolic links.
    func isCurrent(at path: String) -> Bool {
        func contents(_ status: FileStatus?) -> FileStatus? { status.flatMap { $0.size > 0 ? $0 : nil } }
        let now = StoreFingerprint.files(of: path)
        return main == now.main && contents(wal) == contents(now.wal) && contents(journal) == contents(now.journal)
            && (contents(wal) == nil || logHeader == FileInput.beginning(of: path + "-wal", count: WALHeader.size))
    }
}

/// Reads a store that another process may be writing to. What was read counts only if nobody wrote meanwhile; otherwise
/// the store is read again, for a limited time.
package struct StableSnapshot {
    /// How often it was read before.
    package let attempt: Int
    /// The state of the files before they are read.
    let before: StoreFingerprint
    /// Whether the reading does not depend on the store's files any more, because it uses a copy that is known to be
    /// consistent, or because nobody else can write to them. Then the result counts.
    package var isSettled = false

    /// Reads the store at `path`.
    /// - Parameters:
    ///   - patience: for how long it is tried again; at least once.
    ///   - look: leaves no connection open to the store, unless it is settled.
    /// - Throws: what `look` throws, if nobody wrote meanwhile; otherwise `StoreError` of kind `inUse`.
    package static func at<Value>(
        _ path: String, patience: Duration = .seconds(1), _ look: (inout StableSnapshot) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let end = ContinuousClock.now + patience
        var attempt = 0
        while true {
            var state = StableSnapshot(attempt: attempt, before: StoreFingerprint(path))
            let result = Result { () throws(StoreError) in try look(&state) }
            if case .failure(let error) = result {
                // The error is about something else, such as the folder for private copies; or another process has a
                // lock, for an unknown time.
                let isLocked = error.kind == .inUse && error != .changedMeanwhile(path)
                guard error.path == path, error.kind != .interrupted, !isLocked else { throw error }
            }
            if state.isSettled || StoreFingerprint(path) == state.before { return try result.get() }
            guard attempt == 0 || ContinuousClock.now < end else { throw .changedMeanwhile(path) }
            try Interruption.check(path)
            // 1 ms at first, then twice as long each time, up to 64 ms.
            usleep(1_000 << UInt32(min(attempt, 6)))
            attempt += 1
        }
    }
}

extension StoreError {
    static func changedMeanwhile(_ path: String) -> StoreError {
        StoreError(.inUse, at: path, "the store changed while it was read", hint: "close the app and run it again")
    }
}
