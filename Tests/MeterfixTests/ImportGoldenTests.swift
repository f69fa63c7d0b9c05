import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("Goldens: what an import says of each sample of a dump")
struct ImportGoldenTests {
    private static let folder = PackageFolder.goldens + "/import-kv"

    @Test("is what Tests/Goldens/import-kv says, and the dump is not touched", arguments: SampleShelf.dumps)
    func golden(_ dump: Sample) throws {
        let folder = try ScratchFolder()
        try folder.copySampleFile("duplicates.sqlite", as: "CKModel.sqlite")
        for name in dump.fileNames { try folder.copySampleFile("kv/" + name, as: name) }
        let name = try #require(dump.fileNames.first)
        let start = try folder.snapshot
        var lines = [
            "# \(dump.summary)", "# METERFIX_UPDATE_GOLDENS=1 swift test --filter Goldens writes this file.",
        ]
        func run(_ words: String...) throws -> MeterfixProcess.Answer {
            let words = ["import-kv"] + words + [name, "CKModel.sqlite"]
            let answer = try folder.meterfix(arguments: words + ["--now", SampleSession.now])
            lines += [
                "", "$ meterfix \(words.joined(separator: " "))", answer.stdout + answer.stderr + "exit \(answer.code)",
            ]
            return answer
        }
        let planned = try run("--dry-run", "--json")
        #expect(try run("--dry-run").code == planned.code)
        #expect(try folder.snapshot.differences(from: start, withFolder: true) == [])

        let done = try run("--rejects", "left.json")
        if let rejects = try? String(contentsOfFile: folder.path + "/left.json", encoding: .utf8) {
            lines += ["", "$ cat left.json", rejects]
        }
        // Once more: nothing is left to do, and nothing is touched.
        let between = try folder.snapshot
        #expect(try run("--json").code == done.code)
        #expect(try folder.snapshot.differences(from: between, withFolder: false) == [])
        for file in dump.fileNames {
            #expect(
                try FileBytes.read(folder.path + "/" + file) == FileBytes.read(PackageFolder.samples + "/kv/" + file))
        }
        try Golden.compare(lines.joined(separator: "\n") + "\n", with: "\(Self.folder)/\(name).txt")
    }

    @Test("has a file for each dump and no other file", .disabled(if: Golden.isUpdating))
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
        #expect(files == SampleShelf.dumps.compactMap(\.fileNames.first).map { "\($0).txt" }.sorted())
    }
}
