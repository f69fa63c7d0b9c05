import Testing
import Texts

@testable import Answer

/// Blocks that are pictures on a page, and tables elsewhere.
@Suite("a picture")
struct PictureTests {
    private static let chart = Block.BarChart(
        "changes per day", axis: "day", kinds: ["app", "<b>watch</b>"],
        bars: [.init("1 Nov", [3, 1]), .init("2 Nov", [0, 0]), .init("3 Nov", [0, 1_000])])

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

    @Test("of bars is a table elsewhere, without the bars of nothing")
    func chartTable() {
        #expect(
            Self.text(.chart(Self.chart)) == """
                changes per day
                  day    app  <b>watch</b>
                  1 Nov    3             1
                  3 Nov    0          1000

                """)
        #expect(
            Medium.markdown.page([.chart(Self.chart)], title: "") == """
                changes per day

                | day | app | &lt;b&gt;watch&lt;/b&gt; |
                |---|---:|---:|
                | 1 Nov | 3 | 1 |
                | 3 Nov | 0 | 1000 |

                """)
    }

    @Test("of bars has a name, a legend and its numbers, and text in it is only text")
    func chart() {
        let page = Self.html(.chart(Self.chart))
        #expect(page.contains("role=\"img\" aria-label=\"changes per day\""))
        #expect(page.contains("<title>changes per day</title>"))
        #expect(page.contains("</svg> app: 3</li>") && page.contains("</svg> &lt;b&gt;watch&lt;/b&gt;: 1001</li>"))
        #expect(page.contains("<details><summary>the numbers</summary>\n<div class=\"table\"><table>\n<thead>"))
        #expect(!page.contains("<b>watch"))
        #expect(Self.html(.chart(.init("nothing", axis: "day", kinds: [], bars: []))).contains("<article>\n</article>"))
    }

    @Test("of bars shows the smallest part, never rises above its frame, and tells kinds apart by more than colour")
    func heights() throws {
        let kinds = (0..<6).map { "kind \($0)" }
        let bars = (0..<36).map { bar in
            Block.BarChart.Bar("\(bar)", kinds.indices.map { $0 == bar % 6 ? 1_000_000 : 1 })
        }
        let page = Self.html(.chart(.init("all", axis: "day", kinds: kinds, bars: bars)))
        let patterns = page.matches(of: /<path class="kind(\d)" d="([^"]*)"\/>/)
        // Those of the bars, and then the legend's.
        #expect(patterns.count == 12)
        #expect(Set(patterns.suffix(6).map { String($0.2) }).count == 6)
        let grounds = page.matches(of: /<path class="kind\d ground" d="([^"]*)"\/>/).prefix(6).map { String($0.1) }
        let parts = grounds.flatMap { $0.matches(of: /M(\d+) (-?\d+)h8v(\d+)h-8z/) }
        #expect(parts.count == 36 * 6)
        for part in parts {
            let (y, height) = (try #require(Int(part.2)), try #require(Int(part.3)))
            #expect(y >= 0 && height >= 2 && y + height <= 150)
        }
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

    @Test("of what becomes one has a card for each source with what it adds or loses, and one for what is left")
    func merging() throws {
        let page = Self.html(.merging(Self.merging))
        let cards = page.split(separator: "<div class=\"card").dropFirst().map(String.init)
        try #require(cards.count == 3)
        #expect(cards[0].hasPrefix(" left\"><b>row 7 stays</b>") && cards[1].hasPrefix("\"><b>row 3 goes</b>"))
        #expect(cards[0].contains("<dd><mark>Lab</mark> <span class=\"fate good\">✓ kept</span></dd>"))
        #expect(cards[1].contains("<dd>Bench <span class=\"fate error\">✗ given up</span></dd>"))
        // What all have alike, and identifiers, are only in what is left.
        #expect(!cards[0].contains("TC66") && !cards[1].contains("TC66") && !cards[1].contains("A7"))
        #expect(cards[2].contains("<dt>type</dt><dd>TC66</dd>"))
        #expect(cards[2].contains("<dd>May <span class=\"remark\">earliest, row 3</span></dd>"))
        #expect(cards[2].contains("<details><summary>more</summary>\n<dl>\n<dt>id</dt><dd>4F</dd>"))
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

    @Test("can be read in light, in dark and on paper: text by 4.5 to 1, bars by 3 to 1")
    func contrast() throws {
        #expect(abs(Self.contrast("000", "ffffff") - 21) < 0.01 && abs(Self.contrast("777", "fff") - 4.48) < 0.01)
        let palettes = Self.palettes()
        #expect(palettes.count == 3)
        for palette in palettes {
            let paper = try #require(palette["paper"])
            let shade = try #require(palette["shade"])
            for name in ["ink", "faint", "good", "note", "warning", "error"] {
                let color = try #require(palette[name])
                #expect(Self.contrast(color, paper) >= 4.5 && Self.contrast(color, shade) >= 4.5, "\(name)")
            }
            #expect(try Self.contrast(#require(palette["ink"]), #require(palette["mark"])) >= 4.5)
            for kind in 0..<6 { #expect(try Self.contrast(#require(palette["kind\(kind)"]), paper) >= 3, "\(kind)") }
        }
    }
}
