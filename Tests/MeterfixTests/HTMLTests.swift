import Foundation
import MeterTestSupport
import Testing
import Texts

/// `--format html`: one whole page, which needs nothing else and in which a customer's text is only text.
@Suite("an answer in HTML")
struct HTMLTests {
    /// The names of a page's elements, in their order, each as often as it is there; the page must be balanced.
    static func elements(of page: String) throws -> [String] {
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
        let folder = try EveryCommand.folder()
        for words in EveryCommand.runs {
            let options = ["--now", SampleSession.now, "--format"]
            if !EveryCommand.isOnce(words) {
                let lines = try folder.meterfix(arguments: words + options + ["markdown"]).stdout.split(
                    separator: "\n", omittingEmptySubsequences: false)
                #expect(!lines.isEmpty, "\(words)")
                for tables in lines.split(whereSeparator: { !$0.hasPrefix("|") }) {
                    let bars = tables.map { $0.replacing("\\|", with: "").count { $0 == "|" } }
                    #expect(Set(bars).count == 1, "\(words)")
                }
            }
            // It writes only what is not there.
            if words[0] == "report" { try folder.remove("page.html") }
            let answer = try folder.meterfix(arguments: words + options + ["html"])
            #expect(answer.code < 64, "\(words): \(answer.stderr)")
            try Self.expectPage(answer.stdout, articles: 1, "\(words)")
        }
        try Self.expectPage(folder.text("page.html"), articles: 1, "report")
        let help = try folder.meterfix("--help").stdout
        let commands = help.matches(of: #/\n  ([a-z][a-z-]*)  /#).map { String($0.1) }
        #expect(commands.count > 10)
        #expect(Set(commands).subtracting(["help"]).subtracting(EveryCommand.runs.map { $0[0] }) == [])
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
        let folder = try ScratchFolder(samples: "healthy", "duplicates")
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
}
