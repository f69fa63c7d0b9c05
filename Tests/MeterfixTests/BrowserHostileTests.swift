import Foundation
import JSON
import MeterTestSupport
import Testing

extension BrowserTests {
    /// Each tries something else; a page shows them as they are.
    private static let attempts = [
        "<script>owned = 1</script>", "<img src='http://evil.example/i' onerror='owned = 2'>", "<svg onload=owned=3>",
        "</td></tr></table></main>", "</title></head>", "<style>body { display: none }</style>", "</style>",
        "<link rel=stylesheet href=http://evil.example/s>", "<base href=http://evil.example>",
        "<a href='javascript:owned=4'>click</a>", "javascript:owned=5", "https://evil.example/", "<!--", "-->", "]]>",
        "<meta http-equiv=refresh content='0;url=http://evil.example/m'>", "\" onmouseover=\"owned=6", "&lt;b&gt;",
        "&#x3c;b&#x3e;", "<iframe srcdoc='x'></iframe>", "<form><input autofocus onfocus=owned=7>", "expression(owned)",
        String(repeating: "wordwithoutend", count: 40), String(repeating: "\u{30A}", count: 200),
        String(repeating: "👩‍👩‍👧‍👦🇷🇴🏴‍☠️", count: 20), "עברית", "机架电源",
    ]
    /// The controls of the direction of text that a page must not have.
    private static let turns = "\u{202E}\u{2066}\u{61C}\u{200F}"

    private static let elements: Set = [
        "html", "head", "meta", "title", "style", "body", "main", "header", "article", "section", "div", "h1", "h2",
        "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td",
        "code", "pre", "span", "b", "bdi", "mark", "figure", "figcaption", "details", "summary", "svg", "path", "line",
        "text", "nav", "a",
    ]
    /// Of elements that are not drawn; what is drawn has places and sizes.
    private static let attributes: Set = [
        "html.lang", "meta.charset", "meta.http-equiv", "meta.name", "meta.content", "div.class", "th.scope",
        "th.class", "th.role", "td.role", "tr.role", "table.role", "table.class", "td.data-head", "article.class",
        "section.class", "section.id", "section.aria-labelledby", "h1.id", "p.id", "nav.class", "nav.aria-labelledby",
        "a.href", "ol.class", "li.class", "b.class", "dl.class", "div.id", "div.role", "div.aria-hidden",
        "div.aria-label", "figure.aria-label", "details.class", "summary.class", "td.class", "p.class", "span.class",
        "ul.class", "figure.class", "span.aria-hidden",
    ]
    private static let drawn: Set = [
        "class", "role", "aria-label", "aria-hidden", "width", "height", "viewBox", "preserveAspectRatio", "x", "y",
        "x1", "y1", "x2", "y2", "d", "text-anchor", "overflow",
    ]

    private static let narrowViews = [
        BrowserPage.View(width: 390, appearance: .light), BrowserPage.View(width: 718, appearance: .printed),
    ]

    @Test("shows what a customer's file has as text, and makes no element, link, style or script of it")
    func hostile() throws {
        let store = "<b>&\"'.sqlite"
        let evil = Self.attempts.joined(separator: " ") + Self.turns
        let folder = try ScratchFolder(of: HostileStore.fixture(evil), as: store)
        for path in try Self.makePages(of: store, in: folder) {
            try BrowserSession.withPage(path) { page in
                try Self.expectGood(page, path, views: Self.narrowViews, mayBeCut: true)
                let place: Comment = "\(path)"
                let measure = try BrowserMeasure(page)
                let text = try page.evaluate("document.documentElement.textContent").string ?? ""
                #expect(measure.elements.subtracting(Self.elements) == [], place)
                let drawn = ["svg", "path", "line", "text"].flatMap { name in Self.drawn.map { "\(name).\($0)" } }
                #expect(measure.attributes.subtracting(Self.attributes.union(drawn)) == [], place)
                #expect(try page.evaluate("typeof owned") == "undefined", place)
                let links = "[...document.links].every(link => link.getAttribute('href').startsWith('#'))"
                #expect(try page.evaluate(links) == .bool(true), place)
                #expect(try page.evaluate("document.styleSheets.length") == .integer(1), place)
                #expect(text.contains("<b>&\"'.sqlite"), place)
                #expect(!text.unicodeScalars.contains { Self.turns.unicodeScalars.contains($0) }, place)
                // `status` counts, and the pages of single changes show no more than the names of some records.
                guard path.hasSuffix("verify.html") || path.hasSuffix("show.html") else { return }
                for attempt in Self.attempts { #expect(text.contains(attempt), "\(path): \(attempt)") }
            }
        }
    }

    @Test("complains, asks or is too wide where a page is not good, and the tests see it")
    func bad() throws {
        let folder = try ScratchFolder()
        let head = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\
            <title>bad</title></head>
            """
        func open(_ body: String) throws -> (complaints: [String], requests: Int, measure: BrowserMeasure) {
            try folder.write(head + body, to: "bad.html")
            return try BrowserSession.withPage(folder.path + "/bad.html") { page in
                // A question that is answered after what the page has done by itself.
                let measure = try BrowserMeasure(page)
                return (page.complaints, page.requests.count, measure)
            }
        }
        let good = try open("<body><h1>good</h1>")
        #expect(good.complaints == [] && good.requests == 1 && good.measure.width == 390)
        #expect(try !open("<body><script>owned = 1</script>").complaints.isEmpty)
        #expect(try !open("<body><p onclick='owned = 1'>a</p>").complaints.isEmpty)
        #expect(try !open("<body><img src='bad.png' alt='a'>").complaints.isEmpty)
        #expect(try open("<body><pre>\(String(repeating: "wide", count: 100))</pre>").measure.width > 390)
        #expect(try open("<body style='color: #999'>grey</body>").measure.faintTexts == ["2.85 grey"])
        try folder.write("body { color: red }", to: "bad.css")
        let free = "<!DOCTYPE html><html lang='en'><title>bad</title><link rel='stylesheet' href='bad.css'>"
        try folder.write(free, to: "free.html")
        try BrowserSession.withPage(folder.path + "/free.html") { #expect($0.requests.count == 2) }
    }
}
