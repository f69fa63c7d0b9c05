import Foundation
import MeterTestSupport
import Testing

/// What a hostile or a careless surrounding does to a command.
@Suite("odd surroundings")
struct OddSurroundingsTests {
    @Test("a relative TMPDIR is one of the folder in which the command runs")
    func relativeTemporaryFolder() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        try folder.makeFolder("temporary")
        let usual = try folder.meterfix("verify", "wal-only.sqlite", "--now", SampleSession.now)
        let relative = try folder.meterfix(
            "verify", "wal-only.sqlite", "--now", SampleSession.now, environment: ["TMPDIR": "temporary"])
        #expect(relative.code == usual.code && relative.stdout == usual.stdout, "\(relative.stderr)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/temporary").isEmpty)
    }

    @Test("a store that knows its meters and has lost their table is not called sound")
    func tableGone() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.execute("DROP TABLE ZDEVICESETTINGS", in: "healthy.sqlite")
        let verified = try folder.meterfix("verify", "healthy.sqlite", "--now", SampleSession.now)
        #expect(verified.code == 1)
        #expect(verified.stdout.contains("no-device-settings"))
        for words in ["ZDEVICESETTINGS is gone, with the records of all meters", "meterfix recover", "backup"] {
            #expect(verified.stdout.contains(words), "\(words)")
        }
        let status = try folder.meterfix("status", "healthy.sqlite", "--now", SampleSession.now).stdout
        #expect(status.contains("the table with the records of all meters is gone"))
        #expect(!status.contains("none at first sight"))
        #expect(try folder.meterfix("rebuild", "healthy.sqlite", "--now", SampleSession.now).code == 4)
    }

    @Test("a store without Z_METADATA has its finding, and no command changes it")
    func metadataGone() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let store = "duplicates.sqlite"
        try folder.execute("DROP TABLE Z_METADATA", in: store)
        let verified = try folder.meterfix("verify", store, "--now", SampleSession.now)
        #expect(verified.code == 1 && verified.stdout.contains("metadata-missing"), "\(verified.stderr)")
        for words in [
            ["rebuild"], ["rebuild", "--dry-run"], ["fix", "--all"], ["set", "--row", "8", "--name", "Lab"],
        ] {
            let answer = try folder.traceless(words + [store, "--now", SampleSession.now])
            #expect(answer.code == 4, "\(words): \(answer.stdout)")
            #expect(answer.stderr.contains("no table Z_METADATA"), "\(words): \(answer.stderr)")
        }
    }

    @Test("a picture in place of a log is refused as one")
    func picture() throws {
        let folder = try ScratchFolder()
        try FileBytes.write([0xFF, 0xD8, 0xFF, 0xE0] + Array("JFIF".utf8), to: folder.path + "/log.txt")
        let answer = try folder.meterfix("explain", "log.txt")
        #expect(answer.code == 65)
        #expect(
            answer.stderr.hasPrefix(
                "meterfix: log.txt: a JPEG picture, not the text of a log\nhint: send the log as text"))
    }

    @Test(
        "a change whose answer cannot be printed says that it was made",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullOutput() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let answer = try MeterfixProcess.shell(
            "exec \"$METERFIX\" rebuild duplicates.sqlite >/dev/full", in: folder.path)
        answer.expect(74, saying: "the change WAS MADE")
        let again = try folder.meterfix("rebuild", "duplicates.sqlite")
        #expect(again.code == 0 && again.stdout.contains("nothing to do"), "\(again.stdout)")
    }
}
