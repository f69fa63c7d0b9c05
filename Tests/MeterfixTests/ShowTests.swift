import Foundation
import MeterTestSupport
import Testing

@Suite("show, of backups that cannot be read")
struct ShowTests {
    @Test("says what it cannot know, and the rest", .enabled(if: Unprivileged.words != nil))
    func closedFolder() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.makeFolder("healthy.sqlite.meterfix")
        chmod(folder.path + "/healthy.sqlite.meterfix", 0)
        defer { chmod(folder.path + "/healthy.sqlite.meterfix", 0o700) }
        let answer = try folder.unprivilegedMeterfix("show", "Kitchen charger", "healthy.sqlite")
        #expect(answer.code == 0)
        #expect(answer.stdout.contains("A4:C1:38:0B:7E:21 \"Kitchen charger\", 1 record"))
        #expect(answer.stderr.contains("healthy.sqlite.meterfix: "))
        #expect(answer.stderr.contains("the meter's backups are not known"))
    }

    @Test("warns of a backup whose account was damaged, and shows the rest")
    func damagedAccount() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let store = "healthy.sqlite"
        #expect(try folder.meterfix("set", "-q", "Kitchen charger", "--name", "Hall", store).code == 0)
        let backups = folder.path + "/healthy.sqlite.meterfix"
        let entry = try #require(try FileManager.default.contentsOfDirectory(atPath: backups).first)
        let account = "\(backups)/\(entry)/changes.jsonl"
        chmod(account, 0o600)
        try FileBytes.write(Array("{}\n".utf8), to: account)
        let answer = try folder.meterfix("show", "Hall", store)
        #expect(answer.code == 0)
        #expect(answer.stdout.contains("\"Hall\", 1 record"))
        #expect(!answer.stdout.contains("changes by meterfix that are backed up"))
        #expect(answer.stderr.contains("\(entry): what the change did cannot be told"))
    }
}
