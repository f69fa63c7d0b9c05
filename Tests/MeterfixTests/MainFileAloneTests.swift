import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("a main file that came alone")
struct MainFileAloneTests {
    private static let sample = "main-file-alone"
    private static let store = sample + ".sqlite"
    private static let sentence = "there is no -wal file, and Core Data keeps one even when the app is closed"

    @Test(
        "is said to be incomplete before anything else",
        arguments: [
            ["status", store], ["verify", store], ["sync", store], ["meters", store], ["meters", "--locked", store],
            ["show", "A4:C1:38:0B:7E:21", store], ["compare", store, "healthy.sqlite"],
            ["compare", "healthy.sqlite", store], ["verify", "-v", store, "healthy.sqlite"],
            ["verify", "--ignore", "wal-missing", store],
        ])
    func first(_ command: [String]) throws {
        let folder = try ScratchFolder(sample: Self.sample)
        try folder.copyStore("healthy")
        let answer = try folder.meterfix(arguments: command + ["--now", SampleSession.now])
        let line = try #require(answer.stdout.split(separator: "\n").first)
        #expect(line.contains(Self.sentence), "\(answer.stdout)")
        // The samples that are whole are not said to be anything else.
        #expect(
            answer.stdout.components(separatedBy: Self.sentence).count
                == (command.contains("-v") ? 4 : command.first == "verify" && !command.contains("--ignore") ? 3 : 2))
        #expect(!answer.stdout.contains("\(Self.store): clean"))
    }

    @Test("is never clean among several, also where the finding is ignored")
    func several() throws {
        let folder = try ScratchFolder(sample: Self.sample)
        try folder.copyStore("healthy")
        let words = ["verify", "--ignore", "wal-missing", Self.store, "healthy.sqlite"]
        let lines = try folder.meterfix(arguments: words).stdout.split(separator: "\n")
        #expect(lines[0] == "2 stores: 1 clean, 1 with warnings")
        #expect(lines[1].contains(Self.store) && lines[1].contains(Self.sentence))
    }

    @Test("ends verify with 1, unless the finding is ignored, for nobody can tell what is missing")
    func code() throws {
        let folder = try ScratchFolder(sample: Self.sample)
        #expect(try folder.meterfix("verify", Self.store).code == 1)
        #expect(try folder.meterfix("verify", "--ignore", "wal-missing", Self.store).code == 0)
    }

    @Test("is said to be incomplete where stores are listed")
    func place() throws {
        let folder = try ScratchFolder()
        let library = "home/Library/Containers/app/Data/Library/Application Support"
        for (name, sample) in [("whole", "healthy"), ("alone", Self.sample)] {
            try folder.makeFolder("\(library)/\(name)")
            try folder.copySampleFile("\(sample).sqlite", as: "\(library)/\(name)/CKModel.sqlite")
        }
        let lines = try folder.meterfix("where", "home").stdout.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.filter { $0.contains("without its log") }.map { $0.contains("alone") } == [true])
        let document = try folder.meterfix("where", "--json", "home").json
        let stores = try #require(document["stores"]?.elements)
        #expect(stores.map { $0["walMissing"] } == [.bool(true), .bool(false)])
    }

    @Test("is not called whole in a report, and its letter asks for the files before it says anything of them")
    func report() throws {
        let folder = try ScratchFolder(sample: Self.sample)
        let document = try folder.meterfix(
            "report", "--json", "--output", "page.html", Self.store, "--now", SampleSession.now)
        let summary = try #require(try document.json["summary"]?.string)
        #expect(summary.hasPrefix("A part of the file is missing"))
        #expect(!summary.contains("Nothing is wrong"))
        let page = try folder.text("page.html")
        #expect(page.contains(Self.sentence))
    }

    @Test("has the finding in each document")
    func documents() throws {
        let folder = try ScratchFolder(sample: Self.sample)
        func document(_ words: String...) throws -> JSONValue {
            try folder.meterfix(arguments: words + ["--json"]).json
        }
        #expect(try document("status", Self.store)["store"]?["walMissing"] == .bool(true))
        for command in ["verify", "sync"] {
            let findings = try #require(try document(command, Self.store)["findings"]?.elements)
            #expect(findings.first?["id"] == "wal-missing", "\(command)")
        }
        #expect(try document("compare", Self.store, Self.store)["a"]?["walMissing"] == .bool(true))
    }

    @Test(
        "is changed by no command that is not told that what is missing is lost; a dry run says it first",
        arguments: [
            ["rebuild"], ["rebuild", "--in-use"], ["import-kv", "names.json"], ["migrate"], ["fix", "--all"],
            ["set", "A4:C1:38:0B:7E:21", "--name", "Oven"], ["unlock", "A4:C1:38:0B:7E:21"],
            ["delete", "--force", "--row", "2"], ["set", "--row", "2", "--name", "Oven"],
        ])
    func writers(_ command: [String]) throws {
        let folder = try ScratchFolder(sample: Self.sample)
        try folder.write(#"{"MeterNames":{"A4:C1:38:0B:7E:77":"Shed"}}"#, to: "names.json")
        let refused = try folder.traceless(command + [Self.store], withFolder: false)
        #expect(refused.code == 65, "\(refused.stdout)")
        #expect(refused.stderr.contains("--accept-missing-wal"))
        #expect(refused.stderr.contains("\(Self.store)-wal"))
        let planned = try folder.traceless(command + ["--dry-run", Self.store], withFolder: false)
        #expect([0, 1].contains(planned.code), "\(planned.stderr)")
        #expect(planned.stderr.hasPrefix("meterfix: warning: \(Self.sentence)"))
        let done = try folder.meterfix(arguments: command + ["--accept-missing-wal", Self.store])
        #expect([0, 2].contains(done.code), "\(done.stderr)")
    }

    @Test("is what meterfix hands back of no store")
    func handedBack() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.write(#"{"MeterNames":{"A4:C1:38:0B:7E:77":"Shed"}}"#, to: "names.json")
        let store = "duplicates.sqlite"
        for command in [["rebuild", store], ["undo", store], ["undo", "--redo", store]] {
            let answer = try folder.meterfix(arguments: command)
            #expect(answer.stdout.contains("put \(store) and \(store)-wal in their place"), "\(answer.stdout)")
            #expect(!answer.stdout.contains("delete \(store)"))
            #expect(try folder.bytes("\(store)-wal").isEmpty)
        }
        #expect(try folder.meterfix("import-kv", "--create", "names.json", "new.sqlite").code == 0)
        #expect(try folder.bytes("new.sqlite-wal").isEmpty)
        #expect(try folder.meterfix("redact", store, "copy.sqlite").code == 0)
        #expect(try folder.bytes("copy.sqlite-wal").isEmpty)
        for made in [store, "new.sqlite", "copy.sqlite"] {
            #expect(try !folder.meterfix("verify", made).stdout.contains("wal-missing"))
        }
    }
}

@Suite("a store whose main file has another name too, by a hard link,")
struct HardLinkTests {
    private static let store = "duplicates.sqlite"

    @Test("is looked at with a remark, and changed only by force", arguments: ["", "-wal"])
    func linked(suffix: String) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        #expect(link(folder.path + "/" + Self.store + suffix, folder.path + "/other") == 0)
        for command in [["rebuild", Self.store], ["set", "--row", "5", "--name", "X", Self.store]] {
            let answer = try folder.traceless(command, withFolder: false)
            answer.expect(4, saying: "\(Self.store)\(suffix) has another name too, by a hard link")
            #expect(answer.stderr.contains("--force"))
        }
        let looks = [
            ["status"], ["verify"], ["sync"], ["meters"], ["meters", "--locked"], ["show", "A4:C1:38:0B:7E:21"],
            ["compare", Self.store], ["report", "--output", "page.html"],
        ]
        for look in looks {
            var answer = try folder.meterfix(arguments: look + [Self.store]).stdout
            if look[0] == "report" { answer = try folder.text("page.html") }
            #expect(answer.contains("by a hard link"), "\(look)")
        }
        try folder.meterfix("rebuild", "-n", Self.store).expect(1, saying: "by a hard link")
        #expect([0, 2].contains(try folder.meterfix("rebuild", "--force", Self.store).code))
        #expect(try folder.meterfix("undo", Self.store).code == 4)
        unlink(folder.path + "/other")
        #expect(try !folder.meterfix("status", Self.store).stdout.contains("hard link"))
    }
}
