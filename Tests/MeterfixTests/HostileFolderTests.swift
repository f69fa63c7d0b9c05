import Foundation
import MeterInspect
import MeterRepair
import MeterTestSupport
import Testing

/// What somebody put into a folder in which stores are searched.
@Suite("a folder with traps in it")
struct HostileFolderTests {
    private static let store = "CKModel.sqlite"

    /// With a device's backup of the sample in `ana`.
    private static func backup(_ damage: String = "") throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: "wal-only")
        var backup = try DeviceBackupFixture(at: folder.path + "/ana", fileID: DeviceBackup.fileID)
        try backup.add(store: folder.path + "/wal-only.sqlite")
        try backup.finish(damage)
        return folder
    }

    private static func place(of pathOnDevice: String) -> String {
        let id = DeviceBackup.fileID(DeviceBackupFixture.domain, pathOnDevice)
        return "ana/\(id.prefix(2))/\(id)"
    }

    @Test(
        "of pipes is searched without waiting for one",
        arguments: [
            "ana/Manifest.plist", "ana/Manifest.db", place(of: DeviceBackupFixture.storePath),
            place(of: DeviceBackupFixture.storePath + "-wal"), "CKModel.sqlite", "CKModel.sqlite-wal",
            "CKModel.sqlite-journal", "CKModel.sqlite-shm",
        ])
    func pipes(_ name: String) throws {
        let folder = try Self.backup()
        try folder.copySampleFile("healthy.sqlite", as: Self.store)
        let path = folder.path + "/" + name
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        for words in [["where", "."], ["where", "ana"], ["status", "."], ["where", "--copy-to", "out", "ana"]] {
            let answer = try folder.meterfix(arguments: words)
            #expect([0, 65, 66].contains(answer.code), "\(words): \(answer)")
        }
        if name == "ana/Manifest.plist" {
            // The list of files can be read without it.
            #expect(try folder.meterfix("where", "ana").code == 0)
        }
    }

    @Test("that the system keeps closed is said to be closed", .enabled(if: Unprivileged.words != nil))
    func closed() throws {
        let folder = try Self.backup()
        try folder.makeFolder("sent/deep")
        try folder.copySampleFile("healthy.sqlite", as: "sent/deep/" + Self.store)
        // Its names may be read, and nothing else of it.
        let deep = folder.path + "/sent/deep"
        let inBackup = "\(folder.path)/\(Self.place(of: DeviceBackupFixture.storePath).prefix(6))"
        for (path, mode) in [(deep, mode_t(0o400)), (inBackup, 0)] { #expect(chmod(path, mode) == 0) }
        defer { for path in [deep, inBackup] { chmod(path, 0o755) } }
        let found = try folder.unprivilegedMeterfix("where", "sent")
        #expect(found.code == 66)
        #expect(
            found.stdout.hasPrefix(
                "no store of the app in sent: not all of it was seen; 1 folder could not be looked into"))
        #expect(found.stderr.contains("1 folder could not be looked into: check who owns them: sent/deep"))
        try folder.unprivilegedMeterfix("status", "sent").expect(66, saying: "1 folder could not be looked into")
        // With one store in sight, it is not known to be the only one.
        try folder.copySampleFile("healthy.sqlite", as: "sent/" + Self.store)
        try folder.unprivilegedMeterfix("status", "sent").expect(66, saying: "a part was not seen")
        let backup = try folder.unprivilegedMeterfix("where", "--copy-to", "out", "ana")
        #expect(backup.code == 77, "\(backup)")
        #expect(!backup.stderr.contains("not in the backup"))
    }

    @Test("with a name that is not UTF-8 is not said to be empty", .enabled(if: ScratchFolder.takesAnyName))
    func otherNames() throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("sent")
        let name = Array((folder.path + "/sent/").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        #expect(mkdir(name, 0o755) == 0)
        let found = try folder.meterfix("where", "sent")
        #expect(found.code == 66)
        #expect(found.stdout.contains("not all of it was seen; 1 name could not be read as UTF-8"))
        #expect(found.stderr.contains("rename what has such a name"))
        #expect(try folder.meterfix("status", "sent").stderr.contains("1 name could not be read as UTF-8"))
    }

    @Test("a backup without the file that it lists is not said to have a store that can be copied")
    func listedOnly() throws {
        let folder = try Self.backup()
        unlink(folder.path + "/" + Self.place(of: DeviceBackupFixture.storePath))
        let status = try folder.meterfix("status", "ana")
        status.expect(66, saying: "what it lists of the app cannot be taken from it")
        #expect(!status.stderr.contains("--copy-to"))
        #expect(try folder.meterfix("where", "--copy-to", "out", "ana").code == 66)
        #expect(!folder.has("out"))
    }

    @Test("a file that a backup lists under many names is one store, in a new folder however its name ends")
    func listedOften() throws {
        // The same text wherever it is cut into a domain and a path.
        let text = "\(DeviceBackupFixture.domain)-x-y-z-d/CKModel.sqlite"
        let id = DeviceBackup.fileID(DeviceBackupFixture.domain, "x-y-z-d/CKModel.sqlite")
        let rows = text.indices.filter { text[$0] == "-" && text[..<$0].contains("USB-Meter") }.map { cut in
            "('\(id)', '\(text[..<cut])', '\(text[text.index(after: cut)...])', 1)"
        }
        #expect(rows.count == 4)
        let folder = try Self.backup(
            "CREATE TABLE F AS SELECT * FROM Files; DROP TABLE Files; ALTER TABLE F RENAME TO Files;"
                + "INSERT INTO Files (fileID, domain, relativePath, flags) VALUES \(rows.joined(separator: ", "))")
        try folder.makeFolder("ana/\(id.prefix(2))")
        try folder.write("7", to: "ana/\(id.prefix(2))/\(id)")
        let answer = try folder.meterfix("where", "--copy-to", "out///", "ana")
        #expect(answer.code == 0, "\(answer)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out").sorted() == ["1", "2"])
        #expect(!answer.stdout.contains("//"))
    }

    @Test("a copy has its name when it is whole, whenever the run is killed", .faultyCalls)
    func killed() throws {
        let start = try Self.backup()
        let words = ["where", "--copy-to", "out", "ana"]
        let calls = try FaultyCalls.sequence(words, in: start.copy()).calls
        try #require(calls.count > 5)
        for call in calls {
            let folder = try start.copy()
            let (answer, _) = try FaultyCalls.run(words, in: folder, .torn, at: call.number)
            #expect(answer.code == 128 + SIGKILL)
            let out = folder.path + "/out"
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: out)) ?? []).filter { $0.first != "." }
            for name in names {
                let original = name.replacing("CKModel", with: "wal-only")
                #expect(
                    try FileBytes.read("\(out)/\(name)") == FileBytes.read("\(folder.path)/\(original)"),
                    "\(name) at call \(call.number), \(call.name)")
            }
            #expect(!names.contains(Self.store) || names.contains(Self.store + "-wal"), "at call \(call.number)")
            // What was not finished is no reason to refuse the folder.
            if names.isEmpty { #expect(try folder.meterfix(arguments: words).code == 0, "at call \(call.number)") }
        }
    }

    @Test("a signal ends a copy in the middle of a file", .faultyCalls)
    func interrupted() throws {
        let folder = try Self.backup()
        // A hole of many pieces, and so as many writes.
        #expect(truncate(folder.path + "/" + Self.place(of: DeviceBackupFixture.storePath), 8 << 20) == 0)
        let words = ["where", "--copy-to", "out", "ana"]
        let calls = try FaultyCalls.sequence(words, in: folder.copy()).calls
        let writes = calls.filter { $0.name == "write" }
        try #require(writes.count > 100)
        let answer = try FaultyCalls.run(words, in: folder, stoppedAt: writes[20].number) { run in
            run.send(SIGINT)
            // Pending as long as it is stopped.
            usleep(10_000)
        }
        #expect(answer.code == 130 && answer.stderr == "meterfix: ana: interrupted; nothing was changed\n", "\(answer)")
        #expect(!folder.has("out"))
    }

    @Test("a link or a folder in place of a log is named as what it is", arguments: ["-wal", "-journal"])
    func logs(_ suffix: String) throws {
        let folder = try ScratchFolder(sample: "wal-only")
        let path = "\(folder.path)/wal-only.sqlite\(suffix)"
        try FileManager.default.moveItem(atPath: folder.path + "/wal-only.sqlite-wal", toPath: folder.path + "/log")
        for command in ["status", "verify", "rebuild"] {
            #expect(symlink("log", path) == 0)
            let link = try folder.meterfix(command, "wal-only.sqlite")
            #expect(link.code == 65, "\(command): \(link)")
            #expect(link.stderr.contains("its \(suffix) is a symbolic link, which is not followed"), "\(link)")
            unlink(path)
            #expect(mkdir(path, 0o700) == 0)
            try folder.meterfix(command, "wal-only.sqlite").expect(65, saying: "its \(suffix) is a folder, not a file")
            rmdir(path)
        }
    }
}
