import CoreDataStore
import Foundation
import JSON
import MeterModel
import MeterTestSupport
import Testing

extension BrowserTests {
    @Test(
        "is taken a picture of for the documentation",
        .enabled(if: pictureFolder != nil, "only Scripts/pictures does it"))
    func pictures() throws {
        let target = try #require(Self.pictureFolder)
        let folder = try ScratchFolder()
        let path = try ReportPicture.makePage(in: folder)
        try FileBytes.write(Array(ReportPicture.digest(of: path).utf8), to: "\(target)/\(ReportPicture.digestName)")
        try BrowserSession.withPage(path) { page in
            for picture in ReportPicture.all {
                try page.show(picture.view)
                // The margins of the paper.
                if picture.view.appearance == .printed { _ = try page.evaluate("document.body.style.margin = '38px'") }
                let top = Int(try page.evaluate(picture.top).number ?? 0)
                let png = try page.screenshot(from: top, height: picture.height, scale: 2)
                try FileBytes.write(png, to: "\(target)/\(picture.name)")
            }
        }
    }

    /// Where they go. Scripts/pictures makes them smaller.
    private static let pictureFolder = ProcessInfo.processInfo.environment["METERFIX_TAKE_PICTURES"]
}

/// A picture of a report in the documentation.
struct ReportPicture {
    let name: String
    let view: BrowserPage.View
    /// The heading that it begins with; nil for the beginning of the page.
    var heading: String?
    /// In CSS pixels.
    let height: Int

    static let all = [
        ReportPicture(name: "report.png", view: .init(width: 800, appearance: .light), height: 600),
        ReportPicture(
            name: "report-rebuild.png", view: .init(width: 1_100, appearance: .light),
            heading: "What the repair will do", height: 715),
        ReportPicture(name: "report-telephone.png", view: .init(width: 390, appearance: .light), height: 844),
        ReportPicture(
            name: "report-dark.png", view: .init(width: 390, appearance: .dark), heading: "What the repair will do",
            height: 844),
        ReportPicture(name: "report-printed.png", view: .init(width: 794, appearance: .printed), height: 1_123),
    ]

    /// JavaScript for where it begins.
    var top: String {
        guard let heading else { return "0" }
        return """
            [...document.querySelectorAll("h2")].find(heading => heading.textContent === "\(heading)")
              .getBoundingClientRect().top + scrollY - 12
            """
    }

    /// The file beside the pictures that says of which page they are.
    static let digestName = "page.sha256"

    /// A line of that file.
    static func digest(of page: String) throws -> String {
        Hexadecimal.text(of: try FileDigest(of: page).sha256) + "\n"
    }

    /// The report of the store in the pictures.
    /// - Returns: its path.
    static func makePage(in folder: ScratchFolder) throws -> String {
        try PictureStore.fixture.write(to: folder.path + "/CKModel.sqlite")
        let answer = try folder.meterfix(
            "report", "CKModel.sqlite", "--output", "report.html", "--now", SampleSession.now)
        try #require(answer.code == 0, "\(answer.stderr)")
        return folder.path + "/report.html"
    }
}
