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
        var lines = ["# METERFIX_UPDATE_GOLDENS=1 swift test --filter Goldens writes this file."]
        var minute = 0
        func run(_ words: String..., in folder: ScratchFolder, store: String = "duplicates.sqlite") throws {
            minute += 1
            let now = "2026-11-21T12:\(minute < 10 ? "0" : "")\(minute):00Z"
            let answer = try folder.meterfix(arguments: words + [store, "--now", now])
            lines += ["", "$ meterfix \(words.joined(separator: " ")) \(store)", answer.stdout.trimmed]
            lines += answer.stderr.split(separator: "\n").map { "stderr: \($0)" } + ["exit \(answer.code)"]
            #expect(answer.leftovers.isEmpty)
        }
        func look(_ word: String) throws {
            let before = try folder.snapshot
            try run(word, in: folder)
            #expect(try folder.snapshot.differences(from: before).isEmpty)
        }
        try look("history")
        try run("undo", "--list", in: folder)
        try run("undo", in: folder)
        try run("restore-record", "a4c1380b7e21", in: folder)
        try run("rebuild", "--quiet", in: folder)
        try run("import-kv", "--quiet", "kv.json", in: folder)
        try run("restore-record", "--list", "a4c1380b7e21", in: folder)
        try run("restore-record", "--dry-run", "--row", "3", "a4c1380b7e21", in: folder)
        try run("restore-record", "--row", "3", "a4c1380b7e21", in: folder)
        try run("restore-record", "--row", "3", "a4c1380b7e21", in: folder)
        try run("undo", "--list", in: folder)
        try run("undo", "--dry-run", in: folder)
        try run("undo", in: folder)
        try run("undo", "--json", in: folder)
        try run("undo", "--redo", in: folder)
        try run("undo", "--list", "--json", in: folder)
        try look("history")
        try run("history", "--json", in: folder)
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 20", in: "duplicates.sqlite")
        try run("undo", in: folder)
        try run("undo", "--json", in: folder)
        try run("undo", "--force", in: folder)
        try run("rebuild", "--no-backup", "--quiet", in: folder)
        try FileManager.default.moveItem(
            atPath: folder.path + "/duplicates.sqlite.meterfix", toPath: folder.path + "/other.sqlite.meterfix")
        try folder.execute("UPDATE Z_METADATA SET Z_UUID = 'another'", in: "other.sqlite")
        try run("undo", in: folder, store: "other.sqlite")
        // What these say depends on the version of the argument parser.
        for words in [["undo", "--list", "--redo"], ["undo", "--list", "-n"], ["restore-record", ""]] {
            #expect(try folder.meterfix(arguments: words + ["duplicates.sqlite"]).code == 64)
        }
        try Golden.compare(lines.joined(separator: "\n") + "\n", with: "\(PackageFolder.goldens)/undo/duplicates.txt")
    }
}

extension String {
    fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
