import Foundation
import JSON
import MeterInspect
import MeterTestSupport
import Testing

@Suite("first aid by rebuild --in-use")
struct FirstAidCommandTests {
    private static let store = "nameless-first.sqlite"

    private func run(_ folder: ScratchFolder, _ words: String...) throws -> MeterfixProcess.Answer {
        try folder.meterfix(arguments: words + ["--now", SampleSession.now])
    }

    @Test("says in JSON that it is, and a rebuild does not")
    func json() throws {
        let folder = try ScratchFolder(sample: "nameless-first")
        let planned = try run(folder, "rebuild", "--in-use", "-n", "--json", Self.store).json
        let rebuild = try run(folder, "rebuild", "-n", "--json", Self.store).json
        let fingerprint = try #require(planned["fingerprint"]?.string)
        let applied = try run(folder, "rebuild", "--in-use", "--expect", fingerprint, "--json", Self.store)
        #expect(applied.code == 0)
        #expect(planned["command"] == "rebuild" && planned["inUse"] == .bool(true))
        #expect(try applied.json["inUse"] == .bool(true))
        #expect(rebuild["inUse"] == nil)
        #expect(planned["summary"]?["updated"] == 2.json && planned["summary"]?["deleted"] == 0.json)
        #expect(planned["summary"]?["conflicts"] == 0.json && planned["conflicts"] == .array([]))
        #expect(planned["cloud"]?["updates"] == 2.json && planned["cloud"]?["deletes"] == 0.json)
        #expect(planned["notes"]?.elements?.count == 2, "the condition, and what stays")
        let levels = planned["findings"]?.elements?.filter { $0["id"] == "duplicate-mac" }.map { $0["levelled"] }
        #expect(levels == [.bool(true), .bool(true)])
    }

    @Test("contradicts what only a rebuild needs", arguments: [["--winner", "newest"], ["--model", "CKModel.mom"]])
    func usage(options: [String]) throws {
        let folder = try ScratchFolder(sample: "nameless-first")
        let answer = try folder.meterfix(arguments: ["rebuild", "--in-use"] + options + [Self.store])
        #expect(answer.code == 64 && answer.stdout.isEmpty)
        #expect(answer.stderr.contains("--in-use ") && answer.stderr.contains(options[0]))
    }

    @Test("goes by the letter case that is asked for, also in the command that its dry run ends with")
    func letterCase() throws {
        let folder = try ScratchFolder(sample: "nameless-first")
        let none = try run(folder, "rebuild", "--in-use", "-n", "--mac-case", "lower", Self.store)
        #expect(none.code == 2 && none.stdout.contains("\nnothing can be filled\n"))
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMACADDRESS = lower(ZMACADDRESS)", in: Self.store)
        let lower = try run(folder, "rebuild", "--in-use", "-n", "--mac-case", "lower", Self.store)
        #expect(lower.code == 1)
        let next = try Regex(
            "\nto do it: meterfix rebuild --expect [0-9a-f]{16} --in-use --mac-case lower \(Self.store)\n")
        #expect(lower.stdout.contains(next))
        let verify = try run(folder, "verify", "--mac-case", "lower", Self.store)
        #expect(
            verify.stdout.contains(
                "→ while devices are in use: meterfix rebuild --dry-run --in-use --mac-case lower \(Self.store)\n"))
    }

    @Test("lets a report tell the customer that no name is missing in the app, although the duplicates are there")
    func report() throws {
        let folder = try ScratchFolder(sample: "nameless-first")
        func page(_ name: String) throws -> String {
            #expect(try run(folder, "report", Self.store, "--output", name).code == 0)
            return try folder.text(name)
        }
        let sentence = "Until then, no name and no unit is missing in the app."
        #expect(try !page("before.html").contains(sentence))
        #expect(try run(folder, "rebuild", "--in-use", "--quiet", Self.store).code == 0)
        #expect(try page("after.html").contains(sentence))
        let filled = "The app shows the names and units of two meters again: "
        let rebuilt = try folder.copy()
        #expect(try run(rebuilt, "rebuild", "--quiet", Self.store).code == 0)
        #expect(try run(rebuilt, "report", Self.store, "--output", "done.html").code == 0)
        let done = try rebuilt.text("done.html")
        #expect(done.contains("Two meters were stored twice, and each is now stored once: ") && !done.contains(filled))
        for row in ["7", "9"] {
            #expect(try run(folder, "delete", "--force", "--quiet", "--row", row, Self.store).code == 0)
        }
        #expect(try page("deleted.html").contains(filled))
    }
}
