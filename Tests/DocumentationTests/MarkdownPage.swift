import Foundation

/// A page of the documentation.
struct MarkdownPage {
    /// From the package's folder.
    let name: String
    let text: String

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init(_ name: String) throws {
        self.name = name
        text = try String(contentsOf: Self.root.appending(path: name), encoding: .utf8)
    }

    /// Every page of the package. The DocC catalogues of the libraries (`*.docc`, beside their sources) are left out: they
    /// are the reference for programmers and belong to the symbols, not to what a user of the program reads.
    static var all: [MarkdownPage] {
        get throws {
            try ["", "Documentation/", "Samples/", "Samples/kv/", "Benchmarks/"].flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
                    .filter { $0.hasSuffix(".md") }.map { try MarkdownPage(folder + $0) }
            }
        }
    }

    /// Links to other pages and places: the path from the package's folder, and the heading.
    var links: [(path: String, anchor: String?)] {
        text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }.map { target in
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let page = URL(filePath: "/" + name)
            let place = parts[0].isEmpty ? page : page.deletingLastPathComponent().appending(path: parts[0])
            return (String(place.standardized.path.dropFirst()), parts.count > 1 ? parts[1] : nil)
        }
    }

    /// The anchors of its headings, as GitHub makes them.
    var anchors: Set<String> {
        Set(
            text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                String(
                    line.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                        .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            })
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }
}
