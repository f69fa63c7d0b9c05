import CFaultyVFS
import MeterTestSupport

/// A disk under SQLite that fails when it is told to. Other files of this process are none of its business.
enum FaultyDisk {
    enum Fault: CaseIterable {
        /// One write fails.
        case once
        /// The disk is full from one write on.
        case full
        /// The disk is gone from one write on.
        case gone
        /// Likewise, and of that write the first half arrives.
        case torn
        /// The power fails: from one write on nothing arrives, though all seems well.
        case dropped

        fileprivate var kind: faulty_vfs_kind {
            switch self {
            case .once: FAULTY_VFS_ONCE
            case .full: FAULTY_VFS_FULL
            case .gone: FAULTY_VFS_GONE
            case .torn: FAULTY_VFS_TORN
            case .dropped: FAULTY_VFS_DROPPED
            }
        }
    }

    private static let isInstalled = faulty_vfs_install() == 0

    /// Runs `body` while the disk takes `text` for `other`, of as many bytes, and says that it has written it. Not to be
    /// called twice at one time, nor beside `run`.
    static func altering(
        _ text: String, to other: String, in folder: TemporaryFolder, _ body: () throws -> Void
    ) rethrows {
        precondition(isInstalled && text.utf8.count == other.utf8.count)
        faulty_vfs_arm(folder.path, .max, Int32(FAULTY_VFS_ONCE.rawValue))
        faulty_vfs_alter(text, other)
        defer { _ = faulty_vfs_disarm() }
        try body()
    }

    /// Runs `body` while write number `failing` to files in `folder` fails; writes are numbered from 1.
    /// - Returns: how many writes there were. Not to be called twice at one time.
    static func run(
        _ fault: Fault, atWrite failing: Int, in folder: TemporaryFolder, _ body: () throws -> Void
    ) rethrows -> Int {
        precondition(isInstalled)
        faulty_vfs_arm(folder.path, Int64(failing), Int32(fault.kind.rawValue))
        var count = 0
        defer { _ = faulty_vfs_disarm() }
        try body()
        count = Int(faulty_vfs_disarm())
        return count
    }
}
