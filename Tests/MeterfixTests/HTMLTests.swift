import Foundation
import MeterTestSupport
import Testing
import Texts

/// `--format html`: one whole page, which needs nothing else and in which a customer's text is only text.
@Suite("an answer in HTML")
struct HTMLTests {
    /// The names of a page's elements, each as often as it is there.
    private static func elements(of page: String) throws -> [String] {
        var reader = XMLReader(Array(page.utf8))
        var names: [String] = []
        var open: [String] = []
        while let token = try reader.next() {
            switch token {
            case .start(let tag):
                names.append(tag.name)
                if !tag.isEmpty { open.append(tag.name) }
            case .end(let name, _): #expect(open.popLast() == name)
            case .text: break
            }
        }
        #expect(open.isEmpty)
        return names
    }

    private static func expectPage(_ text: String, articles: Int, _ place: Comment) throws {
        #expect(text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n") && text.hasSuffix("\n</html>\n"), place)
        let names = try elements(of: text)
        #expect(names.count { $0 == "html" } == 1 && names.count { $0 == "article" } == articles, place)
        #expect(Set(names).isDisjoint(with: ["script", "link", "img", "iframe", "object", "base", "form"]), place)
        #expect(!text.contains("http:") && !text.contains("https:") && !text.contains("url("), place)
    }

    @Test("is one whole page, and in Markdown each line of a table has as many cells, for every command")
    func everyCommand() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for (sample, name) in [
            ("v1", "v1"), ("blob", "blob"), ("healthy", "other"), ("check-mirror-orphan", "orphan"),
            ("nameless-first", "nameless"),
        ] {
            try folder.copySampleFile(sample + ".sqlite", as: name + ".sqlite")
        }
        for suffix in ["", "-wal"] {
            try folder.copySampleFile("check-names-lost.sqlite" + suffix, as: "lost.sqlite" + suffix)
        }
        try folder.copySampleFile("kv/kv-rejects.json", as: "kv.json")
        try folder.makeFolder("home/Library/Application Support")
        try folder.copySampleFile("healthy.sqlite", as: "home/Library/Application Support/CKModel.sqlite")
        let store = "duplicates.sqlite"
        #expect(
            try folder.meterfix("rebuild", "-n", "-q", "--plan", "plan.json", store, "--now", SampleSession.now).code
                == 1)
        let runs: [[String]] = [
            ["status", store], ["verify", store], ["verify", "--list-checks"], ["verify", "--explain", "lock-torn"],
            ["compare", store, "other.sqlite"], ["rehearse", "--devices", "2", "--seed", "1", store], ["locks", store],
            ["meters", store], ["sync", store], ["show", "A4:C1:38:0B:7E:21", store], ["show", "--row", "13", store],
            ["log", store], ["log", store, "other.sqlite"], ["devices", store], ["lost", "lost.sqlite"],
            ["meters", "lost.sqlite", "--at", "6"],
            ["compare", "lost.sqlite", "--at", "6"], ["report", store, "--output", "page.html"],
            ["where", "home"], ["migrate", "-n", "-v", "v1.sqlite"], ["import-kv", "-n", "kv.json", store],
            ["unlock", "-n", "A4:C1:38:0B:7E:21", "blob.sqlite"],
            ["set", "-n", "--name", "a<b>|c", "A4:C1:38:70:12:DD", store], ["rebuild", "-n", store],
            ["rebuild", "-n", "--in-use", "nameless.sqlite"],
            ["fix", "-n", "mirror-orphan", "orphan.sqlite"], ["fix", "-n", "--all", store],
            ["delete", "-n", "--force", "--row", "13", store], ["apply", "-n", "plan.json", store], ["changes", store],
            ["undo", "--list", store],
        ]
        let changed: [[String]] = [
            ["redact", store, "redacted.sqlite"], ["recover", store, "recovered.sqlite"], ["rebuild", store],
            ["changes", store], ["log", store],
            ["restore-record", "--list", "A4:C1:38:0B:7E:21", store],
            ["restore-record", "-n", "--row", "3", "A4:C1:38:0B:7E:21", store], ["undo", "--list", store],
            ["apply", "-n", "plan.json", store], ["undo", store],
        ]
        for words in runs + changed {
            let options = ["--now", SampleSession.now, "--format"]
            // What changes the store or makes a file can be asked once.
            if words != ["rebuild", store], words != ["undo", store], !["redact", "recover"].contains(words[0]) {
                let lines = try folder.meterfix(arguments: words + options + ["markdown"]).stdout.split(
                    separator: "\n", omittingEmptySubsequences: false)
                #expect(!lines.isEmpty, "\(words)")
                for tables in lines.split(whereSeparator: { !$0.hasPrefix("|") }) {
                    let bars = tables.map { $0.replacing("\\|", with: "").count { $0 == "|" } }
                    #expect(Set(bars).count == 1, "\(words)")
                }
            }
            // It writes only what is not there.
            if words[0] == "report" { try FileManager.default.removeItem(atPath: folder.path + "/page.html") }
            let answer = try folder.meterfix(arguments: words + options + ["html"])
            #expect(answer.code < 64, "\(words): \(answer.stderr)")
            try Self.expectPage(answer.stdout, articles: 1, "\(words)")
        }
        try Self.expectPage(
            String(decoding: FileBytes.read(folder.path + "/page.html"), as: UTF8.self), articles: 1, "report")
        let help = try folder.meterfix("--help").stdout
        let commands = help.matches(of: #/\n  ([a-z][a-z-]*)  /#).map { String($0.1) }
        #expect(commands.count > 10 && Set(commands).subtracting(["help"]).isSubset(of: (runs + changed).map { $0[0] }))
    }

    @Test("is a page too where the command is refused, with what to do")
    func refused() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let answer = try folder.meterfix("status", "--format", "html", "<gone>.sqlite")
        try Self.expectPage(answer.stdout, articles: 1, "refused")
        #expect(
            answer.stdout.contains("<h1>&lt;gone&gt;.sqlite</h1>\n<p class=\"banner error\"><b>error:</b> no such file")
        )
        #expect(answer.stdout.contains("<p>hint: check the path"))
        #expect(answer.stderr.hasPrefix("meterfix: <gone>.sqlite: no such file\n"))
        #expect(answer.code == 66)
        #expect(try folder.meterfix("status", "--quiet", "--format", "html", "gone.sqlite").stdout.isEmpty)
    }

    @Test("is one page for several stores, whatever becomes of one of them, and in their order")
    func several() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.copySampleFile("duplicates.sqlite", as: "duplicates.sqlite")
        try folder.copySampleFile("photo.jpg", as: "photo.jpg")
        let stores = ["healthy.sqlite", "gone.sqlite", "photo.jpg", "duplicates.sqlite"]
        let words = ["verify", "--verbose", "--format", "html", "--now", SampleSession.now] + stores
        let answer = try folder.meterfix(arguments: words)
        // The last one is what the stores come to.
        try Self.expectPage(answer.stdout, articles: stores.count + 1, "several")
        #expect(answer.stdout.matches(of: /<h1>(?:<span[^>]*>)?([a-z.]+)/).map { String($0.1) } == stores)
        #expect(answer.code == 66)
        #expect(try folder.meterfix(arguments: words + ["--jobs", "3"]).stdout == answer.stdout)
        let quiet = try folder.meterfix(arguments: words + ["--quiet"])
        #expect(quiet.stdout.isEmpty && quiet.code == 66)
    }

    @Test("contradicts --json")
    func json() throws {
        let both = try ScratchFolder().meterfix("status", "--json", "--format", "html", "v1.sqlite")
        #expect(both.code == 64 && both.stderr.contains("--json and --format html exclude each other"))
    }
}
