import Foundation
import MeterTestSupport
import Testing

/// Pages of meterfix in Chromium: on a telephone, on a screen and on paper.
///
/// `METERFIX_SCREENSHOTS=FOLDER` keeps the pages and what they look like.
@Suite(
    "a page in a browser", .serialized, .enabled(if: BrowserProcess.program != nil, "Chromium is not installed"),
    .browser)
struct BrowserTests {
    /// Commands, and what each is asked.
    static let pages = [
        ["report"], ["status"], ["verify"], ["rebuild", "--dry-run"], ["show", "A4:C1:38:0B:7E:21"], ["meters"],
        ["sync"], ["log"], ["undo", "--list"],
    ]

    /// How a page is looked at: widths are a telephone's, a window's, a large screen's, and A4's within its margins.
    static let views =
        [390, 800, 1_400].flatMap { width in
            BrowserPage.Appearance.allCases.map { BrowserPage.View(width: width, appearance: $0) }
        } + [BrowserPage.View(width: 718, appearance: .printed)]

    /// The pages of a store, each in a file named for its command; `log` and those after it, and another report, are of
    /// the store after a rebuild.
    static func makePages(of store: String, in folder: ScratchFolder) throws -> [String] {
        try (pages + [["report"]]).enumerated().map { index, words in
            let now = ["--now", SampleSession.now]
            if words == ["log"] { _ = try folder.meterfix(arguments: ["rebuild", "--quiet", store] + now) }
            let page = index < pages.count ? "\(words[0]).html" : "\(words[0])-later.html"
            let isFile = words == ["report"]
            let options = isFile ? ["--output", page] : ["--format", "html"]
            let answer = try folder.meterfix(arguments: words + [store] + options + now)
            #expect(answer.code < 3, "\(words): \(answer.stderr)")
            if !isFile { try folder.write(answer.stdout, to: page) }
            return "\(folder.path)/\(page)"
        }
    }

    @Test(
        "asks for nothing, gives no cause for complaint, and can be read on a telephone, on paper and by a screen reader"
    )
    func looks() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for path in try Self.makePages(of: "duplicates.sqlite", in: folder) {
            try BrowserSession.withPage(path) { try Self.expectGood($0, path) }
        }
    }

    /// Looks at an open page from all sides.
    /// - Parameter mayBeCut: whether it has characters that are wider than the page.
    static func expectGood(
        _ page: BrowserPage, _ path: String, views: [BrowserPage.View] = views, mayBeCut: Bool = false
    ) throws {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        for view in views {
            let place: Comment = "\(name), \(view)"
            try page.show(view)
            let measure = try BrowserMeasure(page)
            // No paper is as narrow as a telephone.
            if view.appearance != .printed || view.width > 500 {
                #expect((mayBeCut ? measure.width : measure.wholeWidth) <= view.width, place)
            }
            #expect(measure.faintTexts == [], place)
            let (paper, inked) = try BrowserPicture(page.screenshot(height: 1_500, scale: 0.125)).paper
            #expect(inked > 0.005, place)
            switch view.appearance {
            case .light: #expect(paper == 0xF4F5F7 || paper == 0xFFFFFF, place)
            case .dark: #expect(paper < 0x404040, place)
            case .printed: #expect(paper == 0xFFFFFF, place)
            }
            try keep("\(name)-\(view.width)-\(view.appearance).png") { try page.screenshot() }
        }
        let pdf = try page.pdf()
        #expect(pdf.starts(with: "%PDF-".utf8), "\(name)")
        try keep("\(name).pdf") { pdf }
        try keep("\(name).html") { try FileBytes.read(path) }
        try expectReadable(page.accessibleNodes(), "\(name)")
        #expect(page.complaints == [], "\(name)")
        #expect(page.requests == [url.absoluteString], "\(name)")
    }

    /// What a screen reader is told: a title, one main part, headings that skip no level, and names for the heads of tables
    /// and for pictures.
    private static func expectReadable(_ nodes: [AccessibleNode], _ place: Comment) {
        #expect(nodes.first?.role == "RootWebArea" && nodes.first?.name.isEmpty == false, place)
        #expect(nodes.count { $0.role == "main" } == 1, place)
        var level = 0
        for heading in nodes where heading.role == "heading" {
            #expect(!heading.name.isEmpty && heading.level > 0 && heading.level <= level + 1, "\(place) \(heading)")
            level = heading.level
        }
        let named: Set = ["columnheader", "rowheader", "image", "img", "region", "graphics-document"]
        #expect(nodes.filter { named.contains($0.role) && $0.name.isEmpty }.isEmpty, place)
    }

    private static func keep(_ name: String, _ bytes: () throws -> [UInt8]) throws {
        guard let folder = ProcessInfo.processInfo.environment["METERFIX_SCREENSHOTS"] else { return }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileBytes.write(bytes(), to: "\(folder)/\(name)")
    }
}
