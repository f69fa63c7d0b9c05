import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

private enum AppleSQLite {
    /// The folder of the library, where the tests run on it.
    static let library = ProcessInfo.processInfo.environment["METERFIX_APPLE_SQLITE"]
}

@Suite("the SQLite of Scripts/apple-sqlite", .enabled(if: AppleSQLite.library != nil, "Scripts/apple-sqlite runs it"))
struct AppleSQLiteTests {
    @Test("is what the program and the tests run on")
    func loaded() throws {
        let folder = try ScratchFolder()
        let answer = try MeterfixProcess.shell(#"ldd "$METERFIX""#, in: folder.path)
        #expect(answer.stdout.contains("=> \(try #require(AppleSQLite.library))/libsqlite3.so.0 "), "\(answer.stdout)")
        let options = try DatabaseQueue().read { try Set(String.fetchAll($0, sql: "PRAGMA compile_options")) }
        #expect(
            options.isSuperset(of: [
                "BUG_COMPATIBLE_20160819", "DEFAULT_AUTOVACUUM", "DEFAULT_CKPTFULLFSYNC",
                "DEFAULT_JOURNAL_SIZE_LIMIT=32768", "DEFAULT_RECURSIVE_TRIGGERS", "DIRECT_OVERFLOW_READ",
                "ENABLE_API_ARMOR", "ENABLE_SNAPSHOT", "OMIT_AUTORESET", "OMIT_LOAD_EXTENSION", "THREADSAFE=2",
            ]))
    }

    @Test("leaves an empty log, waits for the disk at checkpoints only, and protects the schema")
    func defaults() throws {
        let folder = try TemporaryFolder()
        let queue = try DatabaseQueue(path: folder.path + "/a.sqlite")
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
            #expect(try Int.fetchOne(database, sql: "PRAGMA synchronous") == 1)
            #expect(throws: DatabaseError.self) {
                try database.execute(sql: "PRAGMA writable_schema = ON; DELETE FROM sqlite_master")
            }
        }
        try queue.close()
        #expect(try FolderSnapshot(folder.path).names == ["a.sqlite", "a.sqlite-shm", "a.sqlite-wal"])
        #expect(try FileBytes.read(folder.path + "/a.sqlite-wal").isEmpty)
    }

    @Test("notices that a file of an open store was moved", arguments: ["", "-wal", "-shm"])
    func moved(suffix: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.store(StoreFixture())
        let app = try DatabaseQueue(path: path)
        try app.writeWithoutTransaction { try $0.execute(sql: "CREATE TABLE t (a)") }
        #expect(rename(path + suffix, folder.path + "/moved") == 0)
        let error = #expect(throws: DatabaseError.self) {
            try app.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        }
        #expect(error?.extendedResultCode == .SQLITE_IOERR_VNODE)
        try app.close()
    }

    /// Debian's own SQLite lacks what the shell's command needs.
    @Test("puts no row of a table whose first page is lost back by `.recover`, where `meterfix recover` puts all")
    func recovered() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let names = (10..<61).map { "\"24:71:89:0A:01:\($0)\": \"Meter \($0)\"" }
        try folder.write("{\"MeterNames\": {\(names.joined(separator: ", "))}}", to: "many.json")
        #expect(try folder.meterfix("import-kv", "-q", "--no-backup", "many.json", "healthy.sqlite").code == 0)
        try folder.execute("PRAGMA wal_checkpoint(TRUNCATE)", in: "healthy.sqlite")
        try folder.breakRoot(of: "ZDEVICESETTINGS", in: "healthy.sqlite")
        let shell = try MeterfixProcess.shell(
            "sqlite3 healthy.sqlite .recover | sqlite3 by-shell.sqlite", in: folder.path)
        #expect(shell.code == 0, "\(shell.stderr)")
        #expect(try folder.records(in: "by-shell.sqlite") == 0)
        #expect(try folder.meterfix("recover", "healthy.sqlite", "new.sqlite", "--now", SampleSession.now).code == 0)
        #expect(try folder.records(in: "new.sqlite") == 56)
    }

    @Test("says so where meterfix has the store open, and nothing is changed")
    func movedBeforeCommit() throws {
        let folder = try TemporaryFolder()
        let path = try folder.store(StoreFixture())
        let before = try FileBytes.read(path)
        let connection = try StoreConnection.exclusive(path)
        let error = #expect(throws: StoreError.self) {
            try connection.change { database in
                try database.execute(sql: "CREATE TABLE t (a)")
                #expect(rename(path + "-wal", folder.path + "/moved") == 0)
            }
        }
        // Before SQLite says it.
        #expect(error?.message == "it was moved, deleted or replaced since it was opened; nothing was changed")
        try? connection.close()
        #expect(try FileBytes.read(path) == before)
    }
}
