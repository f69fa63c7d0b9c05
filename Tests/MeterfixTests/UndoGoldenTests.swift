import Foundation
import MeterTestSupport
import Testing

@Suite("Goldens: changes taken back, brought back and listed")
struct UndoGoldenTests {
    @Test("is what Tests/Goldens/undo says")
    func golden() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("healthy.sqlite", as: "other.sqlite")
        try folder.copySampleFile("kv/kv.json", as: "kv.json")
        let transcript = Transcript(in: folder)
        var minute = 0
        func run(_ words: String..., store: String = "duplicates.sqlite") throws {
            minute += 1
            let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
            try transcript.run(words + [store], now: "2026-11-21T12:\(minutes):00Z")
        }
        try run("changes")
        try run("undo", "--list")
        try run("undo")
        try run("restore-record", "a4c1380b7e21")
        try run("rebuild", "--quiet")
        try run("import-kv", "--quiet", "kv.json")
        try run("restore-record", "--list", "a4c1380b7e21")
        try run("restore-record", "--dry-run", "--row", "3", "a4c1380b7e21")
        try run("restore-record", "--row", "3", "a4c1380b7e21")
        try run("restore-record", "--row", "3", "a4c1380b7e21")
        try run("undo", "--list")
        try run("undo", "--dry-run")
        try run("undo")
        try run("undo", "--json")
        try run("undo", "--redo")
        try run("undo", "--list", "--json")
        try run("changes")
        try run("changes", "--json")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 20", in: "duplicates.sqlite")
        try run("undo")
        try run("undo", "--json")
        try run("undo", "--force")
        try run("rebuild", "--no-backup", "--quiet")
        try FileManager.default.moveItem(
            atPath: folder.path + "/duplicates.sqlite.meterfix", toPath: folder.path + "/other.sqlite.meterfix")
        try folder.execute("UPDATE Z_METADATA SET Z_UUID = 'another'", in: "other.sqlite")
        try run("undo", store: "other.sqlite")
        // What these say depends on the version of the argument parser.
        for words in [["undo", "--list", "--redo"], ["undo", "--list", "-n"], ["restore-record", ""]] {
            #expect(try folder.meterfix(arguments: words + ["duplicates.sqlite"]).code == 64)
        }
        try transcript.compare(with: "undo/duplicates.txt")
    }
}
