import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("what an undo writes is on the disk in an order in which nothing can be lost:", .faultyCalls)
struct UndoOrderTests {
    /// In a folder of its own, whose names count too.
    private static let store = "shelf/CKModel.sqlite"
    private static let staged = store + ".meterfix-restoring/-wal"
    private static let command = ["undo", "--quiet", "--now", SampleSession.now, store]

    /// A rebuilt store, whose backup has a log.
    private func start() throws -> ScratchFolder {
        let folder = try BackupOrderTests.start("wal-only")
        #expect(try folder.meterfix("rebuild", "--quiet", "--now", SampleSession.now, Self.store).code == 0)
        return folder
    }

    @Test("the log of the backup before the main file that needs it, each of them waited for")
    func order() throws {
        let (answer, calls) = try FaultyCalls.sequence(Self.command, in: start())
        #expect(answer.code == 0, "\(answer.stderr)")
        let named = try #require(calls.firstIndex { $0.name == "rename" && $0.path == Self.store + "-wal" })
        // Until the contents are restored there is a mark that they are not.
        let folder = Self.store + ".meterfix-restoring"
        let marked = try #require(calls.firstIndex { $0.name == "open64" && $0.path == folder + "/pending" })
        let begun = try #require(
            calls.firstIndex { [Self.store, Self.store + "-wal"].contains($0.path) && $0.isWrite })
        let unmarked = try #require(calls.firstIndex { $0.name == "unlink" && $0.path == folder + "/pending" })
        #expect(marked < begun && begun < unmarked && unmarked < named)
        #expect(calls[marked..<begun].contains { $0.path == folder && $0.isSync }, "the mark")
        #expect(calls[marked..<begun].contains { $0.path == "shelf" && $0.isSync }, "the folder of the mark")
        let copied = try #require(calls[..<named].lastIndex { $0.path == Self.staged && $0.isWrite })
        #expect(calls[copied..<named].contains { $0.path == Self.staged && $0.isSync }, "the log before its name")
        // Behind the name come the bytes of the main file, and none before it that are not SQLite's.
        let first = try #require(calls[named...].firstIndex { $0.path == Self.store && $0.isWrite })
        #expect(calls[named..<first].contains { $0.path == "shelf" && $0.isSync }, "the name before the main file")
        let last = try #require(calls.lastIndex { $0.path == Self.store && $0.isWrite })
        #expect(calls[last...].contains { $0.path == Self.store && $0.isSync }, "the main file")
        // SQLite's own log is in the main file, and empty, before the backup's gets its name.
        let folded = try #require(calls[..<named].lastIndex { $0.path == Self.store && $0.isWrite })
        #expect(calls[folded..<named].contains { $0.path == Self.store && $0.isSync }, "the contents")
        #expect(calls[folded..<named].contains { $0.path == Self.store + "-wal" && $0.name == "ftruncate64" })
    }

    @Test("of a main file that has the bytes of the backup already no sector is written, but for its header")
    func header() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let command = ["undo", "--quiet", "--now", SampleSession.now, "duplicates.sqlite"]
        #expect(try folder.meterfix("rebuild", "--quiet", "--now", SampleSession.now, "duplicates.sqlite").code == 0)
        let (answer, calls) = try FaultyCalls.sequence(command, in: folder)
        #expect(answer.code == 0, "\(answer.stderr)")
        let bare = try #require(calls.lastIndex { $0.path == "duplicates.sqlite-wal" && $0.name == "rename" })
        #expect(calls[bare...].filter { $0.path == "duplicates.sqlite" && $0.isWrite }.count <= 1)
    }

    @Test("a backup that is changed between the first look at it and its use is not put back")
    func changedMeanwhile() throws {
        let start = try start()
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start.copy())
        let made = try #require(calls.first { $0.name == "mkdir" && $0.path.hasSuffix("-undo") })
        let path = start.path + "/" + Self.store
        let before = try StoreText(of: path)
        let answer = try FaultyCalls.run(Self.command, in: start, stoppedAt: made.number) { _ in
            let copy = path + ".meterfix/20261121T120000Z-rebuild/CKModel.sqlite"
            // Not even their owner may write to them.
            for suffix in ["", "-wal"] { #expect(chmod(copy + suffix, 0o600) == 0) }
            let queue = try DatabaseQueue(path: copy)
            try queue.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM ZDEVICESETTINGS") }
            try queue.close()
        }
        #expect(answer.code == 65, "\(answer.stderr)")
        #expect(try StoreText(of: path) == before)
    }

    /// A rebuilt store with a part of its contents in the log: to read it takes a private copy.
    private func startWithLog() throws -> ScratchFolder {
        let folder = try start()
        try folder.moveIntoLog(Self.store)
        return folder
    }

    private func undoEntries(_ folder: ScratchFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(Self.store).meterfix")
            .filter { $0.hasSuffix("-undo") }
    }

    @Test("on a disk that is full before the store is touched, what was saved first goes away again")
    func full() throws {
        let start = try startWithLog()
        try start.makeFolder("tmp")
        // There is no room for a private copy of the store either.
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start.copy(), temporary: "tmp")
        let made = try #require(calls.first { $0.name == "mkdir" && $0.path.hasSuffix(".meterfix-restoring") })
        let before = try StoreText(of: start.path + "/" + Self.store)
        let (answer, _) = try FaultyCalls.run(Self.command, in: start, .full, at: made.number, temporary: "tmp")
        #expect(answer.code == 73, "\(answer.stderr)")
        #expect(try StoreText(of: start.path + "/" + Self.store) == before)
        #expect(try undoEntries(start) == [])
    }

    @Test("a log that another process left in between stays, and so do the bytes beside it")
    func logInBetween() throws {
        let folder = try ScratchFolder(sample: "rollback-journal")
        let command = ["undo", "--quiet", "--now", SampleSession.now, "rollback-journal.sqlite"]
        let path = folder.path + "/rollback-journal.sqlite"
        #expect(try folder.meterfix("rebuild", "-q", "--now", SampleSession.now, "rollback-journal.sqlite").code == 0)
        let (_, calls) = try FaultyCalls.sequence(command, in: folder.copy())
        let unmarked = try #require(
            calls.first { $0.name == "unlink" && $0.path.hasSuffix(".meterfix-restoring/pending") })
        let answer = try FaultyCalls.run(command, in: folder, stoppedAt: unmarked.number) { _ in
            try FileBytes.write([1, 2, 3], to: path + "-wal")
        }
        #expect(answer.code == 0, "\(answer.stderr)")
        #expect(answer.stderr.contains("there is a -wal with a part of them"), "\(answer.stderr)")
        #expect(try FileBytes.read(path + "-wal") == [1, 2, 3])
    }

    @Test("a signal before the contents are restored stops it, and what was saved first goes away again")
    func interrupted() throws {
        let start = try startWithLog()
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start.copy())
        let marked = try #require(calls.first { $0.path.hasSuffix(".meterfix-restoring/pending") })
        let before = try StoreText(of: start.path + "/" + Self.store)
        let answer = try FaultyCalls.run(Self.command, in: start, stoppedAt: marked.number) { $0.send(SIGINT) }
        guard answer.code != 0 else {
            // It may be done before it takes notice.
            #expect(try StoreText(of: start.path + "/" + Self.store) != before)
            return
        }
        #expect(answer.code == 130, "\(answer.stderr)")
        #expect(try StoreText(of: start.path + "/" + Self.store) == before)
        #expect(try undoEntries(start) == [])
    }

    @Test("a log that does not read back as it was copied is not put beside the store")
    func lies() throws {
        let start = try start()
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start.copy())
        let before = try StoreText(of: start.path + "/" + Self.store)
        let write = try #require(calls.last { $0.path == Self.staged && $0.isWrite })
        try FaultyCalls.lie(Self.command, in: start, at: write.number).expect(
            74, saying: "the copy does not read back as it was written")
        #expect(try StoreText(of: start.path + "/" + Self.store) == before)
        #expect(try start.meterfix(arguments: Self.command).code == 0)
        #expect(try start.bytes(Self.store) == FileBytes.read("\(PackageFolder.samples)/wal-only.sqlite"))
    }

    @Test("a disk that does not keep the contents is told of")
    func liesToSQLite() throws {
        let start = try start()
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start.copy())
        let named = try #require(calls.firstIndex { $0.name == "rename" && $0.path == Self.store + "-wal" })
        let write = try #require(calls[..<named].last { $0.path == Self.store && $0.name == "pwrite64" })
        let answer = try FaultyCalls.lie(Self.command, in: start, at: write.number)
        #expect(answer.stderr.contains("its disk does not keep what is written"), "\(answer.stderr)")
    }
}

@Suite("a backup is on the disk before the first byte of the store is written:", .faultyCalls)
struct BackupOrderTests {
    /// In a folder of its own, whose names count too.
    private static let store = "shelf/CKModel.sqlite"
    private static let entry = store + ".meterfix/20261121T120000Z-rebuild"
    private static let command = ["rebuild", "--quiet", "--now", SampleSession.now, store]

    fileprivate static func start(_ sample: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.makeFolder("shelf")
        try folder.copyStore(sample, as: store)
        return folder
    }

    @Test("a disk that does not keep what it is given is found out", arguments: ["duplicates", "wal-only"])
    func lies(_ sample: String) throws {
        let start = try Self.start(sample)
        let original = try start.snapshot
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start)
        let suffixes = sample == "wal-only" ? ["", "-wal"] : [""]
        for file in suffixes.map({ Self.entry + "/CKModel.sqlite" + $0 }) {
            let write = try #require(calls.last { $0.path == file && $0.isWrite })
            let folder = try Self.start(sample)
            let answer = try FaultyCalls.lie(Self.command, in: folder, at: write.number)
            #expect(answer.code == 74, "\(file): \(answer.stderr)")
            #expect(answer.stderr.contains("does not read back"), "\(file): \(answer.stderr)")
            #expect(try folder.snapshot.names == original.names)
            for suffix in suffixes {
                let path = "/" + Self.store + suffix
                #expect(
                    try FileBytes.read(folder.path + path)
                        == FileBytes.read("\(PackageFolder.samples)/\(sample).sqlite\(suffix)"))
            }
        }
    }
}
