import Foundation
import MeterTestSupport
import Testing

@Suite("the pictures of the documentation")
struct DocumentationPictureTests {
    private struct Image {
        let summary: String
        /// From the package's folder.
        let path: String
    }

    private static func images(of page: String) throws -> [Image] {
        let folder = URL(filePath: "/\(page)").deletingLastPathComponent()
        return try PackageFolder.text(page).matches(of: /!\[([^\]]*)\]\(([^)]+)\)/).map {
            Image(summary: String($0.1), path: String(folder.appending(path: $0.2).standardized.path.dropFirst()))
        }
    }

    @Test("are all shown, small, and told in words")
    func shown() throws {
        let images = try [
            "README.md", "Documentation/report.md", "Documentation/several-devices.md", "Benchmarks/README.md",
        ].flatMap(Self.images)
        for image in images {
            let bytes = try PackageFolder.bytes(image.path)
            #expect(bytes.count < (image.path.hasSuffix(".svg") ? 40_000 : 150_000), "\(image.path)")
            #expect(image.summary.split(separator: " ").count > 8 && image.summary.hasSuffix("."), "\(image.path)")
            #expect(bytes.starts(with: image.path.hasSuffix(".svg") ? Array("<svg ".utf8) : [0x89] + Array("PNG".utf8)))
        }
        #expect(Set(images.map(\.summary)).count == images.count)
        let files = try FileManager.default.contentsOfDirectory(atPath: PackageFolder.path + "/Documentation/pictures")
        #expect(files.sorted() == (ReportPicture.all.map(\.name) + [ReportPicture.digestName]).sorted())
        let drawn = ["dry-run", "speed", "way"].map { "Documentation/\($0).svg" }
        let taken: [String] = ReportPicture.all.map { "Documentation/pictures/\($0.name)" }
        #expect(Set(images.map(\.path)) == Set(drawn + taken))
    }

    /// A picture cannot be compared with what another machine's fonts make of the page, but the page can.
    @Test("are of the page as it is, with the parts that are described beside them")
    func parts() throws {
        let folder = try ScratchFolder()
        let path = try ReportPicture.makePage(in: folder)
        #expect(
            try ReportPicture.digest(of: path)
                == PackageFolder.text("Documentation/pictures/\(ReportPicture.digestName)"),
            "the page has changed: run Scripts/pictures")
        let page = String(decoding: try FileBytes.read(path), as: UTF8.self)
        let parts = page.matches(of: #/<h2>(?:<svg.*?</svg>)?([^<]+)</h2>/#).map { String($0.1) }
        let described = try PackageFolder.text("Documentation/report.md").matches(of: #/\n- \*\*([^*]+)\*\*: /#).map {
            String($0.1)
        }
        #expect(parts.filter(described.contains) == described, "describe them in Documentation/report.md")
        #expect(ReportPicture.all.compactMap(\.heading).allSatisfy(parts.contains))
    }
}
