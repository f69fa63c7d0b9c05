internal import Foundation

/// A state of a store's files that differs from an earlier one if anything was written in between. The modification
/// time is not enough: on many file systems it is accurate only to some milliseconds.
struct StoreFingerprint: Hashable, Sendable {
    private let main: FileStatus?
    private let wal: FileStatus?
    private let journal: FileStatus?
    /// With the file change counter, which every transaction with a rollback journal increments.
    private let mainHeader: [UInt8]?
    /// Each WAL has its own salts. A commit to a WAL makes it longer, or overwrites what was there before it was
    /// restarted.
    private let logHeader: [UInt8]?
    /// With the number of records, and a random number of its own for each journal.
    private let journalHeader: [UInt8]?
    /// Changes with each transaction in a WAL, and with each checkpoint before it begins. The `-shm` as a whole does
    /// not count: readers write to it.
    private let sharedMemory: SharedMemoryHeader?

    /// Never fails: what cannot be read is nil. Not for a store that SQLite has open and locked in this process.
    init(_ path: String) {
        let path = FileReplacement.realPath(path) ?? path
        let files = StoreFingerprint.files(of: path)
        (main, wal, journal) = (files.main, files.wal, files.journal)
        func beginning(_ suffix: String, _ status: FileStatus?, _ count: Int) -> [UInt8]? {
            // Opening anything else may have side effects.
            status?.isRegular == true ? FileBeginning.read(path + suffix, count: count) : nil
        }
        mainHeader = beginning("", main, 100)
        logHeader = beginning("-wal", wal, WALHeader.size)
        journalHeader = beginning("-journal", journal, 28)
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
            && (contents(wal) == nil || logHeader == FileBeginning.read(path + "-wal", count: WALHeader.size))
    }
}
