import Foundation
import GRDB
import JSON
import MeterTestSupport
import Testing

@Suite("a main file whose contents are in a log that is missing")
struct StrayLogTests {
    /// The files of a store that was never checkpointed, as a customer's attachments are named.
    /// - Parameter isEmpty: whether the main file has 0 bytes, and not a page without a table.
    private static func forgotten(isEmpty: Bool, log: String?) throws -> ScratchFolder {
        let live = try ScratchFolder()
        let folder = try ScratchFolder()
        let queue = try DatabaseQueue(path: live.path + "/live.sqlite")
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (x)")
            let main = isEmpty ? [] : try live.bytes("live.sqlite")
            try FileBytes.write(main, to: folder.path + "/CKModel.sqlite")
            if let log { try FileBytes.write(live.bytes("live.sqlite-wal"), to: folder.path + "/" + log) }
        }
        try queue.close()
        return folder
    }

    @Test("is told as that, by every command", arguments: [true, false])
    func told(isEmpty: Bool) throws {
        let folder = try Self.forgotten(isEmpty: isEmpty, log: nil)
        for words in [
            ["status"], ["verify"], ["rebuild"], ["rebuild", "--dry-run"], ["meters", "--locked"], ["sync"], ["meters"],
            ["log"], ["show", "--row", "1"], ["undo", "--list"],
        ] {
            let answer = try folder.meterfix(arguments: words + ["CKModel.sqlite"])
            #expect(answer.code == 65, "\(words)")
            #expect(answer.stderr.contains(isEmpty ? "an empty file, 0 bytes" : "which is missing"), "\(words)")
            #expect(answer.stderr.contains("-wal file"))
        }
    }

    @Test(
        "names a file beside it that may be the log", arguments: [true, false],
        ["CKModel-1.sqlite-wal", "CKModel.sqlite-wal (1)", "CKModel (1).sqlite-wal"])
    func stray(isEmpty: Bool, name: String) throws {
        let folder = try Self.forgotten(isEmpty: isEmpty, log: name)
        let before = try folder.snapshot.contents
        for words in [["status"], ["verify"], ["rebuild"]] {
            let answer = try folder.meterfix(arguments: words + ["CKModel.sqlite"])
            #expect(answer.code == 65)
            #expect(
                answer.stderr.contains("hint: \(name) beside it may be its -wal file: copy it to CKModel.sqlite-wal"),
                "\(answer.stderr)")
        }
        #expect(try folder.snapshot.contents == before)
    }

    @Test("does not take the log of another store for its own, or what is no log")
    func others() throws {
        let folder = try Self.forgotten(isEmpty: false, log: "other.sqlite-wal")
        try folder.write("a store", to: "other.sqlite")
        try folder.write("notes on the -wal", to: "the-wal.txt")
        let answer = try folder.meterfix("verify", "CKModel.sqlite")
        #expect(answer.code == 65)
        #expect(!answer.stderr.contains("may be"))
    }

    @Test("is refused as that where the log is there, but nothing in it can be read")
    func unreadable() throws {
        let folder = try Self.forgotten(isEmpty: false, log: "CKModel.sqlite-wal")
        try FileBytes.write(
            Array(folder.bytes("CKModel.sqlite-wal").prefix(700)), to: folder.path + "/CKModel.sqlite-wal")
        try folder.meterfix("verify", "CKModel.sqlite").expect(65, saying: "its -wal file, which cannot be read")
    }

    @Test("in part tells its last change, and names what may be the rest")
    func partly() throws {
        let live = try ScratchFolder(sample: "duplicates")
        let folder = try ScratchFolder()
        let queue = try DatabaseQueue(path: live.path + "/duplicates.sqlite")
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Lab', ZUPDATEDAT = 830000000.5")
            try database.execute(sql: "PRAGMA wal_checkpoint(RESTART)")
            try database.execute(sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Bench', ZUPDATEDAT = 830000900")
            for (suffix, name) in [("", "s.sqlite"), ("-shm", "s.sqlite-shm"), ("-wal", "s-1.sqlite-wal")] {
                try FileManager.default.copyItem(
                    atPath: live.path + "/duplicates.sqlite" + suffix, toPath: folder.path + "/" + name)
            }
        }
        try queue.close()
        let status = try folder.meterfix("status", "--json", "s.sqlite").json
        #expect(status["store"]?["walMissing"] == .bool(true))
        #expect(status["store"]?["lastChange"]?.string == "2027-04-21T11:33:20.500Z")
        let text = try folder.meterfix("status", "--now", "2027-04-23T12:00:00Z", "s.sqlite").stdout
        #expect(
            text.contains("the last change in it was made 21 Apr 2027, 11:33, 2 days ago; later ones may be missing"))
        #expect(try folder.meterfix("verify", "s.sqlite").stdout.contains("s-1.sqlite-wal beside it may be"))
        #expect(try folder.meterfix("rebuild", "s.sqlite").stderr.contains("s-1.sqlite-wal beside it may be"))
        // With it everything is there.
        try FileManager.default.copyItem(atPath: folder.path + "/s-1.sqlite-wal", toPath: folder.path + "/s.sqlite-wal")
        let whole = try folder.meterfix("status", "--json", "s.sqlite").json
        #expect(whole["store"]?["walMissing"] == .bool(false))
        #expect(whole["store"]?["lastChange"] == nil)
    }
}
