import Foundation
import Testing

/// The one file that people copy around has no data of ICU (`Sources/CNoICUData`): no names of months, no collations, no
/// time zones. What asks ICU for them would fail there, and only there.
@Suite("languages and time zones of Foundation")
struct LanguageTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")

    /// What needs data of ICU, or may with other parameters.
    private static var uses: Regex<Substring> {
        // By Unicode's rules, "Locale.current" is one word.
        /\b(?:\w*Formatter|\w*FormatStyle|(?:NS)?(?:Locale|Calendar|TimeZone)|NSRegularExpression|Measurement)\b|\.(?:formatted|localized\w*|capitalized|folding|applyingTransform|caseInsensitiveCompare)\b|String\(format:|options: \.(?:regularExpression|caseInsensitive|diacriticInsensitive)/
            .wordBoundaryKind(.simple)
    }

    /// Each use has one of these in it. To look for them takes much less time than the expression.
    private static let fragments = [
        "Format", "Locale", "Calendar", "TimeZone", "NSRegular", "Measurement", "formatted", "localized", "capitalized",
        "folding", "applyingTransform", "caseInsensitive", "diacriticInsensitive", "format:", "regularExpression",
    ].map { Data($0.utf8) }

    private static func mayUse(_ source: Data) -> Bool { fragments.contains { source.range(of: $0) != nil } }

    @Test(
        "are found where they are used",
        arguments: [
            "let day = DateFormatter()", "Locale.current", "var zone: TimeZone", "text.localizedStandardCompare(other)",
            "text.range(of: word, options: .regularExpression)", "String(format: \"%d\", 1)", "number.formatted()",
            "collating(.localizedCompare)", "Calendar(identifier: .gregorian)",
        ])
    func found(use: String) {
        #expect(use.firstMatch(of: Self.uses) != nil)
        #expect(Self.mayUse(Data(use.utf8)))
    }

    @Test("are not used in the sources")
    func unused() throws {
        var found: [String] = []
        var count = 0
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        where file.pathExtension == "swift" {
            count += 1
            let source = try Data(contentsOf: file)
            for line in Self.mayUse(source) ? source.split(separator: UInt8(ascii: "\n")) : [] where Self.mayUse(line) {
                let code = String(decoding: line, as: UTF8.self).drop { $0 == " " }
                if !code.hasPrefix("//"), let use = code.firstMatch(of: Self.uses) {
                    found.append("\(file.lastPathComponent): \(use.output)")
                }
            }
        }
        #expect(count > 300)
        #expect(found == [])
    }
}
