import Foundation
import JSON
import MeterTestSupport
import Testing

extension BrowserTests {
    @Test(
        "is taken a picture of for the documentation", .enabled(if: isTakingPictures, "Scripts/pictures takes pictures")
    )
    func pictures() throws {
        let folder = try ScratchFolder()
        let path = try ReportPictures.makePage(in: folder)
        try BrowserSession.withPage(path) { page in
            for picture in ReportPictures.all {
                try page.show(picture.view)
                let top = try page.evaluate(picture.top).number ?? 0
                let png = try page.screenshot(from: Int(top), height: picture.height, scale: 2)
                try FileBytes.write(png, to: ReportPictures.folder + "/" + picture.name)
            }
        }
    }

    private static let isTakingPictures = ProcessInfo.processInfo.environment["METERFIX_TAKE_PICTURES"] != nil
}

/// The pictures of a report in the documentation.
struct ReportPictures {
    let name: String
    let view: BrowserPage.View
    /// The heading that it begins with; nil for the beginning of the page.
    var heading: String?
    /// In CSS pixels.
    let height: Int

    static let folder = PackageFolder.path + "/Documentation/pictures"

    static let all = [
        ReportPictures(name: "report.png", view: .init(width: 800, appearance: .light), height: 1_000),
        ReportPictures(
            name: "report-rebuild.png", view: .init(width: 1_400, appearance: .light),
            heading: "What a rebuild would do", height: 700),
        ReportPictures(name: "report-telephone.png", view: .init(width: 390, appearance: .light), height: 844),
        ReportPictures(
            name: "report-dark.png", view: .init(width: 390, appearance: .dark), heading: "What a rebuild would do",
            height: 844),
        ReportPictures(name: "report-printed.png", view: .init(width: 718, appearance: .printed), height: 1_016),
    ]

    /// JavaScript for where it begins.
    var top: String {
        guard let heading else { return "0" }
        return """
            [...document.querySelectorAll("h2")].find(heading => heading.textContent === "\(heading)")
              .getBoundingClientRect().top + scrollY - 12
            """
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
