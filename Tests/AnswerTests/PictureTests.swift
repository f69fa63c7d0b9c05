import Testing
import Texts

@testable import Answer

/// Blocks that are pictures on a page, and tables elsewhere.
@Suite("a picture")
struct PictureTests {
    private static var merging: Block.Merging {
        var merging = Block.Merging([.init("row 7 stays", isKept: true), .init("row 3 goes", isKept: false)])
        var name = Block.Merging.Property("name", ["Lab", "Bench"])
        name.taken = 0
        name.lost = [1]
        merging.add(name)
        var created = Block.Merging.Property("createdAt", ["June", "May"])
        created.taken = 1
        created.becomes = "May"
        created.reason = "earliest, row 3"
        merging.add(created)
        merging.add(.init("type", ["TC66", "TC66"]))
        var id = Block.Merging.Property("id", ["4F", "A7"])
        id.isMinor = true
        merging.add(id)
        return merging
    }

    private static func text(_ block: Block) -> String {
        Medium.terminal(width: nil, isColored: false).page([block], title: "")
    }

    private static func html(_ block: Block) -> String { Medium.html.page([block], title: "") }

    private static let lanes = Block.Lanes(
        title: "who",
        lanes: [
            .init(
                author: .app, name: .customer("<b>app</b>"), remark: "4 changes",
                marks: [.init(place: 0, count: 1, label: "1 Nov"), .init(place: 1, count: 3, label: "9 Nov")]),
            .init(
                author: .device, name: "iPad", remark: "last seen 9 Nov",
                marks: [.init(place: 1, count: 1, label: "9 Nov")]),
        ], events: [.init(place: 0.5, date: "5 Nov", text: "it fails", isAlarming: true)],
        axis: [(0, "1 Nov"), (1, "9 Nov")])

    @Test("of lanes is a table elsewhere, with what happened below it")
    func lanesTable() {
        #expect(
            Self.text(.lanes(Self.lanes)) == """
                who
                  who         what             when
                  <b>app</b>  4 changes        1 Nov, 9 Nov (3)
                  iPad        last seen 9 Nov  9 Nov
                  - 5 Nov: it fails

                """)
    }

    @Test("of lanes says in words what it shows, keeps marks and numbers inside, and has text as text")
    func lanes() throws {
        let page = Self.html(.lanes(Self.lanes))
        #expect(page.contains("role=\"img\" aria-label=\"&lt;b&gt;app&lt;/b&gt;, 4 changes: 1 Nov, 3 on 9 Nov\""))
        #expect(page.contains("<bdi>&lt;b&gt;app&lt;/b&gt;</bdi>") && !page.contains("<b>app"))
        let places = page.matches(of: /\sx1?="(\d+)\.(\d)%"/).compactMap { Int($0.1) }
        #expect(places.count > 6 && places.allSatisfy { (2...98).contains($0) })
        // Author kinds are told apart by more than colour.
        let shapes = [Block.LaneAuthor.app, .cloud, .meterfix, .other, .device].map { author in
            let lane = Block.Lane(author: author, name: "a", remark: "b")
            let page = Self.html(.lanes(.init(title: "t", lanes: [lane], events: [], axis: [])))
            return page.firstMatch(of: /<path class="mark [a-z]+" d="([^"]*)"/).map { String($0.1) }
        }
        #expect(Set(shapes).count == 5 && !shapes.contains(nil))
    }

    @Test("of towers draws each thing, cuts what is too high, and says it in a sentence")
    func towers() {
        let towers = Block.towers(
            .init(caption: "now: 9", heights: [3, 1, 5]), after: .init(caption: "after: 3", heights: [1, 1, 1]),
            text: "9 become 3")
        #expect(Self.text(towers) == "9 become 3\n")
        let page = Self.html(towers)
        #expect(page.contains("role=\"img\" aria-label=\"9 become 3\"") && page.contains(">×5</text>"))
        #expect(page.matches(of: /h14v14h-14z/).count == 6 + 2 + 3)
    }

    @Test("of a flow says of each way whether it works, and never by colour alone")
    func flow() {
        let flow = Block.flow(
            [.init(.device, "here", ["1 meter"]), .init(.cloud, "iCloud", [])],
            hops: [.init(there: .init(.stopped, "Upload fails", "no room"), back: .init(.works, "Download works", ""))])
        #expect(
            Self.text(flow) == """
                - here: 1 meter
                - Upload fails: no room
                - Download works
                - iCloud

                """)
        let page = Self.html(flow)
        #expect(page.contains("<div class=\"way stopped\">") && page.contains("class=\"cross\""))
        #expect(page.contains("<div class=\"way works back\">") && page.contains("<b>Download works</b>"))
    }

    @Test("of what becomes one is the table elsewhere that is read side by side")
    func mergingTable() {
        #expect(
            Self.text(.merging(Self.merging)) == """
                kept *     row 7 stays  row 3 goes  becomes
                name       Lab *        Bench       Lab
                createdAt  June         May *       May      (earliest, row 3)
                type       TC66         TC66        TC66
                id         4F           A7          4F

                """)
    }

    @Test("of what becomes one has the choice first, what each source adds or loses, and what is left")
    func merging() throws {
        let page = Self.html(.merging(Self.merging))
        let choice = try #require(page.split(separator: "<div class=\"merge\">").first).split(
            separator: "<div class=\"no\">")
        #expect(choice.count == 2 && choice[0].contains("Will be kept: name</p><b><bdi>Lab</bdi></b>"))
        #expect(choice[1].contains("Will be discarded: name</p><b><bdi>Bench</bdi></b>"))
        let cards = page.split(separator: "<div class=\"source").dropFirst().map(String.init)
        try #require(cards.count == 2)
        #expect(cards[0].hasPrefix(" left\"><b>row 7 stays</b>") && cards[1].hasPrefix("\"><b>row 3 goes</b>"))
        #expect(cards[0].contains("<dd><mark><bdi>Lab</bdi></mark> <span class=\"fate good\">✓ kept</span></dd>"))
        #expect(cards[1].contains("<dd><bdi>Bench</bdi> <span class=\"fate error\">✗ discarded</span></dd>"))
        let result = try #require(page.split(separator: "<div class=\"result\">").last)
        // What all have alike, and identifiers, are only in what is left.
        #expect(!cards[0].contains("TC66") && !cards[1].prefix(200).contains("TC66") && !cards[0].contains("4F"))
        #expect(result.contains("<dt>type</dt><dd><bdi>TC66</bdi></dd>"))
        #expect(result.contains("<dd><bdi>May</bdi> <span class=\"remark\">earliest, row 3</span></dd>"))
        #expect(result.contains("<details><summary>more</summary>\n<dl>\n<dt>id</dt><dd><bdi>4F</bdi></dd>"))
        #expect(page.matches(of: /class="wire/).count == 2)
        var done = Self.merging
        done.isDone = true
        #expect(Self.html(.merging(done)).contains("Kept: name") && !Self.html(.merging(done)).contains("Will be"))
    }
}

/// Colours on a page, by the rules of https://www.w3.org/TR/WCAG21/#contrast-minimum and #non-text-contrast.
@Suite("the colours of a page")
struct ColorContrastTests {
    /// The variables of each `:root`, as they are once the ones before it hold: in light, in dark, on paper.
    private static func palettes() -> [[String: String]] {
        let sheet = Medium.html.beginning(title: "")
        var palettes: [[String: String]] = []
        for root in sheet.matches(of: /:root \{([^}]*)\}/) {
            var colors = palettes.first ?? [:]
            for variable in root.1.matches(of: /--([a-z0-9]+): #([0-9a-f]{3,6});/) {
                colors[String(variable.1)] = String(variable.2)
            }
            palettes.append(colors)
        }
        return palettes
    }

    private static func luminance(_ color: String) -> Double {
        let digits = color.count == 3 ? color.flatMap { [$0, $0] } : Array(color)
        let parts = stride(from: 0, to: 6, by: 2).map { place -> Double in
            let value = Double(UInt8(String(digits[place...place + 1]), radix: 16) ?? 0) / 255
            return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    /// For bases from 0 to 1: by repeated square roots of the base.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        var (result, factor, rest) = (1.0, base, exponent)
        while rest >= 1 {
            result *= base
            rest -= 1
        }
        for _ in 0..<40 {
            factor = factor.squareRoot()
            rest *= 2
            if rest >= 1 {
                result *= factor
                rest -= 1
            }
        }
        return result
    }

    private static func contrast(_ color: String, _ other: String) -> Double {
        let (a, b) = (luminance(color), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    @Test("can be read in light, in dark and on paper: text by 4.5 to 1, lines that mean something by 3 to 1")
    func contrast() throws {
        #expect(abs(Self.contrast("000", "ffffff") - 21) < 0.01 && abs(Self.contrast("777", "fff") - 4.48) < 0.01)
        let palettes = Self.palettes()
        #expect(palettes.count == 3)
        for palette in palettes {
            func color(_ name: String) throws -> String { try #require(palette[name], "\(name)") }
            for name in ["ink", "faint", "good", "alert"] {
                for ground in ["paper", "card"] {
                    #expect(try Self.contrast(color(name), color(ground)) >= 4.5, "\(name) on \(ground)")
                }
            }
            for ground in ["good", "alert"] {
                #expect(try Self.contrast(color("on"), color(ground)) >= 4.5)
                #expect(try Self.contrast(color("ink"), color("\(ground)tint")) >= 4.5)
                #expect(try Self.contrast(color(ground), color("\(ground)tint")) >= 4.5)
            }
            #expect(try Self.contrast(color("edge"), color("card")) >= 3)
        }
    }
}
