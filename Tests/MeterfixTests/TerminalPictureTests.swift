import Foundation
import MeterTestSupport
import Testing
import Texts

@Suite("a picture of a terminal")
struct TerminalPictureTests {
    private static let page = PackageFolder.path + "/Documentation/dry-run.svg"

    @Test("shows what a dry run prints now, in colour")
    func dryRun() throws {
        let picture = try Self.picture()
        if ProcessInfo.processInfo.environment["METERFIX_UPDATE_DOCS"] != nil {
            try FileBytes.write(Array(picture.svg.utf8), to: Self.page)
        }
        let committed = try FileBytes.read(Self.page)
        #expect(String(decoding: committed, as: UTF8.self) == picture.svg, "Scripts/pictures draws it again")
        #expect(committed.count < 40_000 && picture.lines.count <= 44)
        let text = picture.lines.map { $0.map(\.text).joined() }.joined(separator: "\n")
        for part in ["2 records", "row 5 is kept", "would be discarded", "=Bench UM34C'", "CloudKit, on the account"] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(Set(picture.lines.joined().map(\.style)).count > 3)
    }

    private static func picture() throws -> TerminalPicture {
        let folder = try ScratchFolder(of: PictureStore.fixture, as: "CKModel.sqlite")
        let command = "meterfix rebuild --dry-run CKModel.sqlite"
        let columns = 100
        let printed = try Pseudoterminal.text(
            of: [#""$METERFIX" "$@""#, "sh"] + command.split(separator: " ").dropFirst().map(String.init)
                + ["--color", "always", "--now", SampleSession.now],
            columns: UInt16(columns), in: folder.path)
        return try TerminalPicture(
            "\u{1B}[2m$\u{1B}[0m \u{1B}[1m\(command)\u{1B}[0m\n" + printed.dropLast(), columns: columns,
            title: "A dry run of meterfix",
            summary: """
                meterfix rebuild --dry-run: a meter is stored twice, under two names. Its records are side by side, with what \
                is kept of each; then what is given up and how to have it, and what CloudKit will be sent.
                """)
    }

    @Test("has a run for each style, and takes no sequence that it does not know")
    func styles() throws {
        let text = "plain\u{1B}[1mbold\u{1B}[0m\u{1B}[1;31merror\u{1B}[0m \u{1B}[2mfaint\u{1B}[m!\n\n\u{1B}[32mgood"
        let lines = try Self.picture(of: text).lines
        #expect(
            lines == [
                [
                    .init(text: "plain", style: .init()), .init(text: "bold", style: .init(isBold: true)),
                    .init(text: "error", style: .init(isBold: true, color: .error)), .init(text: " ", style: .init()),
                    .init(text: "faint", style: .init(color: .faint)), .init(text: "!", style: .init()),
                ], [], [.init(text: "good", style: .init(color: .good))],
            ])
        for wrong in ["\u{1B}[2J", "\u{1B}[5m", "\u{1B}[38;5;1m", "\u{1B}]0;a\u{7}", "\t", "a\rb"] {
            #expect(throws: TerminalPicture.UnknownSequence.self) { try Self.picture(of: wrong) }
        }
    }

    @Test("puts each column at its place, wide characters too, and is XML in which any text is text")
    func places() throws {
        let svg = try Self.picture(of: "ab  机架  <c> & \"d\"\n\n\u{1B}[33m]]>").svg
        #expect(
            svg.contains(
                """
                <text y="48" xml:space="preserve"><tspan x="18" textLength="33.6">ab  </tspan>\
                <tspan x="51.6" textLength="50.4">机架  </tspan>\
                <tspan x="102" textLength="75.6">&lt;c&gt; &amp; &quot;d&quot;</tspan></text>
                <text y="88" xml:space="preserve"><tspan x="18" textLength="25.2" class="warning">]]&gt;</tspan></text>
                """))
        #expect(svg.contains("role=\"img\"") && svg.contains("<title id=\"title\">a &amp; b</title>"))
        var reader = XMLReader(Array(svg.utf8))
        var names: Set<String> = []
        while let token = try reader.next() { if case .start(let tag) = token { names.insert(tag.name) } }
        #expect(names == ["svg", "title", "desc", "style", "rect", "circle", "text", "tspan"])
        // Nothing is fetched: the one address is the name of the notation.
        #expect(svg.matches(of: /https?:|url\(|@import|href/).count == 1)
    }

    @Test("has colours that stand out from the window", arguments: TerminalPicture.Color.allCases)
    func contrast(_ color: TerminalPicture.Color) {
        func luminance(_ rgb: UInt32) -> Double {
            zip([16, 8, 0], [0.2126, 0.7152, 0.0722]).reduce(0) { sum, part in
                let value = Double(rgb >> UInt32(part.0) & 0xFF) / 255
                return sum + part.1 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
            }
        }
        #expect((luminance(color.rgb) + 0.05) / (luminance(TerminalPicture.ground) + 0.05) >= 4.5)
    }

    private static func picture(of text: String) throws -> TerminalPicture {
        try TerminalPicture(text, columns: 40, title: "a & b", summary: "c")
    }
}
