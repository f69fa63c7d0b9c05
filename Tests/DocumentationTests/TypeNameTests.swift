import Foundation
import Testing

/// A name that stands in two imported modules is ambiguous, and on macOS more is imported than on Linux.
@Suite("the names of types")
struct TypeNameTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")

    /// Every type of `Sources` that is not inside another one.
    private static func outermostTypes() throws -> Set<String> {
        let declaration =
            /^(?:(?:package|public|internal|fileprivate|private|final|indirect) )*(?:struct|enum|class|protocol|typealias) (\w+)/
            .anchorsMatchLineEndings()
        var names: Set<String> = []
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        where file.pathExtension == "swift" {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: declaration) {
                names.insert(String(match.1))
            }
        }
        return names
    }

    @Test("are none of Foundation's, Dispatch's, os's, CryptoKit's or Swift's own")
    func foreign() throws {
        let ours = try Self.outermostTypes()
        #expect(ours.count > 300)
        #expect(AppleNames.all.isSuperset(of: ["XMLElement", "Progress", "Logger", "SHA256", "Span", "DispatchQueue"]))
        #expect(ours.intersection(AppleNames.all).sorted() == [])
    }
}
