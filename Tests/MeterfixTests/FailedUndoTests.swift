import Foundation
import MeterTestSupport
import Testing

@Suite("an undo that fails leaves every file of the store byte for byte:")
struct FailedUndoTests {
    private static let store = "CKModel.sqlite"

    /// What is beside the main file when the undo begins.
    enum Start: CaseIterable {
        case emptyLog, noLog
        /// The app's log, with past states.
        case log
        /// Likewise, and the pages have another size than those that are put back.
        case otherPageSize
        case rollbackJournal

        /// A store that was changed, and its backup.
        func folder() throws -> ScratchFolder {
            let (folder, store) = (try ScratchFolder(), FailedUndoTests.store)
            try folder.copyStore(self == .rollbackJournal ? "rollback-journal" : "duplicates", as: store)
            #expect(try folder.meterfix("rebuild", "-q", store).code == 0)
            switch self {
            case .emptyLog, .rollbackJournal: break
            case .noLog: try folder.remove(store + "-wal")
            case .log: try folder.moveIntoLog(store)
            case .otherPageSize:
                try folder.execute(
                    "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM; PRAGMA journal_mode = WAL",
                    in: store)
                try folder.moveIntoLog(store)
            }
            return folder
        }
    }

    static func files(in folder: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let path = "\(folder)/\(store)\(suffix)"
            if FileManager.default.fileExists(atPath: path) { files[suffix] = try FileBytes.read(path) }
        }
        return files
    }

    /// - Parameters:
    ///   - files: those of the store before the undo.
    ///   - after: the folder after it.
    private static func check(
        _ answer: MeterfixProcess.Answer, _ files: [String: [UInt8]], in after: String, _ comment: Comment
    ) throws {
        #expect([0, 73, 74, 77].contains(answer.code), "\(comment): \(answer.stderr)")
        guard answer.code != 0 else { return }
        #expect(try Self.files(in: after) == files, "\(comment): \(answer.stderr)")
        #expect(!FileManager.default.fileExists(atPath: "\(after)/\(store).meterfix-restoring"), comment)
        #expect(answer.stderr.contains("hint: "), "\(comment): \(answer.stderr)")
    }

    // A store with a rollback journal fits into all of these limits.
    @Test("a limit on the size of files", arguments: Start.allCases.filter { $0 != .rollbackJournal })
    func fileSizeLimit(_ start: Start) throws {
        let folder = try start.folder()
        let files = try Self.files(in: folder.path)
        var codes: Set<Int32> = []
        for kilobytes in [200, 256, 257, 259, 290, 330, 400, 2_000] {
            let copy = try folder.copy()
            let answer = try MeterfixProcess.shell(
                "\(FileSizeLimit.command(kilobytes)) && exec \"$METERFIX\" undo -q --force \(Self.store)",
                in: copy.path)
            codes.insert(answer.code)
            try Self.check(answer, files, in: copy.path, "\(start), \(kilobytes)")
        }
        #expect(codes == [0, 74])
    }

    @Test(
        "a full disk", .enabled(if: DiskTests.mayMount, "nothing may be mounted here"), arguments: Start.allCases)
    func fullDisk(_ start: Start) throws {
        let folder = try start.folder()
        let files = try Self.files(in: folder.path)
        try folder.makeFolder("disk")
        // In a namespace of its own: the disk is gone with the shell.
        let script = """
            size=$1
            mount -t tmpfs -o size=${size}k none disk || exit 99
            cp -r \(Self.store)* disk/ && cd disk || exit 99
            "$METERFIX" undo -q --force \(Self.store); code=$?
            rm -rf ../after && mkdir ../after && cp -r . ../after
            exit $code
            """
        try folder.write(script, to: "script")
        let measured = try MeterfixProcess.shell("du -sk . | cut -f1", in: folder.path).stdout
        let used = try #require(Int(measured.trimmingCharacters(in: .whitespacesAndNewlines)))
        var codes: Set<Int32> = []
        for room in [20, 200, 280, 300, 400, 530, 560, 640, 800, 3_000] {
            let answer = try MeterfixProcess.shell("unshare -m sh script \(used + room)", in: folder.path)
            codes.insert(answer.code)
            try Self.check(answer, files, in: folder.path + "/after", "\(start), \(room)")
        }
        #expect(codes == [0, 74] || codes == [0, 73, 74])
    }

    @Test("says how much room there must be")
    func message() throws {
        let folder = try Start.log.folder()
        let answer = try MeterfixProcess.shell(
            "\(FileSizeLimit.command(257)) && exec \"$METERFIX\" undo -q --force \(Self.store)", in: folder.path)
        #expect(answer.code == 74)
        #expect(answer.stderr.contains("what is put back needs"), "\(answer.stderr)")
        #expect(answer.stderr.contains("nothing was changed"), "\(answer.stderr)")
    }
}

@Suite("an undo that fails at any call leaves every file of the store byte for byte:", .faultyCalls)
struct FailedUndoCallTests {
    /// Where SQLite works with a rollback journal in between, a full disk may still leave one of the files changed.
    @Test(
        "and the next one works", arguments: [FailedUndoTests.Start.emptyLog, .noLog, .log],
        [FaultyCalls.Fault.full, .failed])
    func everyCall(_ start: FailedUndoTests.Start, _ fault: FaultyCalls.Fault) throws {
        let folder = try start.folder()
        let words = ["undo", "-q", "--force", "CKModel.sqlite"]
        let count = try #require(try FaultyCalls.run(words, in: folder.copy(), .failed, at: .max).calls)
        let files = try FailedUndoTests.files(in: folder.path)
        let step = FaultyCalls.isThorough ? 1 : max(1, count / 8)
        for number in stride(from: 1, through: count, by: step) {
            let copy = try folder.copy()
            let (answer, _) = try FaultyCalls.run(words, in: copy, fault, at: number)
            guard answer.code != 0 else { continue }
            let comment: Comment = "\(start), \(fault) at \(number) of \(count): \(answer.stderr)"
            #expect(try FailedUndoTests.files(in: copy.path) == files, comment)
            #expect(try copy.meterfix(arguments: words).code == 0, comment)
        }
    }
}
