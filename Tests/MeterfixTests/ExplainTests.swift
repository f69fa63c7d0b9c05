import Foundation
import MeterTestSupport
import Testing

@Suite("explain")
struct ExplainTests {
    private static func log(_ start: String) throws -> String {
        let folder = PackageFolder.path + "/Tests/Logs"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return "\(folder)/\(try #require(names.first { $0.hasPrefix(start) }))"
    }

    private static func explain(_ words: [String], in folder: ScratchFolder) throws -> MeterfixProcess.Answer {
        try folder.meterfix(arguments: ["explain"] + words + ["--now", SampleSession.now])
    }

    @Test(
        "exits with what it found",
        arguments: [("03", 1), ("01", 0), ("13", 0), ("29", 0), ("30", 0), ("31", 1), ("49", 65)])
    func codes(_ name: String, _ code: Int32) throws {
        let folder = try ScratchFolder()
        let answer = try Self.explain([Self.log(name)], in: folder)
        #expect(answer.code == code)
        #expect(answer.stdout.isEmpty == (code == 65))
        #expect(try Self.explain(["--json", Self.log(name)], in: folder).code == code)
        #expect(try Self.explain(["--quiet", Self.log(name)], in: folder).stdout.isEmpty)
    }

    @Test("refuses what is no log, and says how to get one")
    func refusals() throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("system.logarchive")
        try folder.makeFolder("folder")
        try Self.explain(["system.logarchive"], in: folder).expect(
            65, saying: "hint: make text of it, on a Mac: log show --archive system.logarchive")
        #expect(try Self.explain(["folder"], in: folder).code == 65)
        #expect(try Self.explain(["missing.log"], in: folder).code == 66)
        #expect(try folder.meterfix(arguments: ["explain"]).code == 64)
    }

    @Test("reads standard input")
    func standardInput() throws {
        let folder = try ScratchFolder()
        let printed = try MeterfixProcess.shell("cat '\(Self.log("03"))' | \"$METERFIX\" explain -", in: folder.path)
        #expect(printed.stdout.hasPrefix("standard input: 41 lines, 40 about CloudKit's mirror"))
    }

    @Test("says whose lines it left out, and whose it has")
    func apps() throws {
        let folder = try ScratchFolder()
        let text = try Self.explain([Self.log("40")], in: folder).stdout
        #expect(text.contains("of USB Meter\n"))
        #expect(text.contains("left out, because they are of other apps: the lines of Planner"))
    }

    @Test("is on the page of a report that has the log, and on no redacted one")
    func report() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let log = try Self.log("03")
        let words = ["report", "healthy.sqlite", "--log", log, "--now", SampleSession.now, "--output"]
        #expect(try folder.meterfix(arguments: words + ["page.html"]).code == 0)
        let page = try folder.text("page.html")
        #expect(page.contains("What the log says"))
        #expect(page.contains("quota-exceeded"))
        #expect(try folder.meterfix(arguments: words + ["other.html", "--redacted"]).code == 64)
    }

    @Test("makes control characters visible, and cuts the names of records and accounts short without --verbose")
    func privacy() throws {
        let folder = try ScratchFolder()
        let record = "A1111111-0000-4000-8000-000000000001"
        let account = "_0a1b2c3d4e5f60718293a4b5c6d7e8f9"
        let log = try String(contentsOfFile: Self.log("03"), encoding: .utf8)
            .replacing(
                "server message = \"Quota exceeded\"", with: "server message = \"\u{1B}[31m \(record) of \(account)\"")
        try folder.write(log, to: "console.log")
        let text = try Self.explain(["console.log"], in: folder).stdout
        #expect(text.contains("A1111111… of _0a1b2c3…"))
        #expect(!text.contains(record) && !text.contains(account) && !text.contains("\u{1B}"))
        let all = try Self.explain(["--verbose", "console.log"], in: folder).stdout
        #expect(all.contains(record) && all.contains(account) && !all.contains("\u{1B}"))
        #expect(all.contains("so CloudKit accepts nothing more (described)"))
        #expect(try !Self.explain(["--json", "console.log"], in: folder).stdout.contains(record))
    }
}
