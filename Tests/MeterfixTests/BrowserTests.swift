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
        ["sync"], ["log"], ["history"],
    ]

    /// In CSS pixels: a telephone, A4 within its margins, a window, a large screen.
    static let widths = [390, 718, 800, 1_400]

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

    @Test("has headings that skip no level, and names for its tables' columns and its pictures")
    func accessible() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for path in try Self.makePages(of: "duplicates.sqlite", in: folder) {
            try BrowserSession.withPage(path) { try Self.expectAccessible($0, "\(path)") }
        }
    }

    /// Reads the page as a screen reader does.
    static func expectAccessible(_ page: BrowserPage, _ place: Comment) throws {
        let nodes = try page.accessibleNodes()
        #expect(nodes.first?.role == "RootWebArea" && nodes.first?.name.hasPrefix("meterfix ") == true, place)
        #expect(nodes.count { $0.role == "main" } == 1, place)
        var level = 0
        for heading in nodes where heading.role == "heading" {
            #expect(!heading.name.isEmpty && heading.level > 0 && heading.level <= level + 1, "\(place) \(heading)")
            level = heading.level
        }
        let named: Set = ["columnheader", "rowheader", "image", "img", "region", "graphics-document"]
        #expect(nodes.filter { named.contains($0.role) && $0.name.isEmpty }.isEmpty, place)
    }

    @Test("asks for nothing, gives no cause for complaint, and fits a telephone and paper")
    func looks() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for path in try Self.makePages(of: "duplicates.sqlite", in: folder) {
            try BrowserSession.withPage(path) { try Self.expectGood($0, path) }
        }
    }

    /// Looks at an open page from all sides.
    static func expectGood(_ page: BrowserPage, _ path: String, widths: [Int] = widths) throws {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        for width in widths {
            var papers: [UInt32] = []
            for appearance in BrowserPage.Appearance.allCases {
                let place: Comment = "\(name), \(width), \(appearance)"
                try page.show(width: width, appearance)
                let measure = try BrowserMeasure(page)
                // No paper is as narrow as a telephone.
                if appearance != .printed || width > 500 { #expect(measure.width <= width, place) }
                #expect(measure.faintTexts == [], place)
                let (paper, inked) = try BrowserPicture(page.screenshot(height: 1_500, scale: 0.125)).paper
                #expect(inked > 0.005, place)
                papers.append(paper)
                try keep("\(name)-\(width)-\(appearance).png") { try page.screenshot() }
            }
            // By somebody whose screen is dark the page is printed on white paper too.
            #expect(papers[0] == 0xFFFFFF && papers[1] < 0x404040 && papers[2] == 0xFFFFFF, "\(name), \(width)")
        }
        let pdf = try page.pdf()
        #expect(pdf.starts(with: "%PDF-".utf8), "\(name)")
        try keep("\(name).pdf") { pdf }
        try keep("\(name).html") { try FileBytes.read(path) }
        #expect(page.complaints == [], "\(name)")
        #expect(page.requests == [url.absoluteString], "\(name)")
    }

    private static func keep(_ name: String, _ bytes: () throws -> [UInt8]) throws {
        guard let folder = ProcessInfo.processInfo.environment["METERFIX_SCREENSHOTS"] else { return }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileBytes.write(bytes(), to: "\(folder)/\(name)")
    }
}
