import Foundation
import JSON
import MeterInspect
import MeterTestSupport
import Testing

@Suite("report")
struct ReportTests {
    /// A page, checked as a whole.
    private static func expectPage(_ page: String, _ place: Comment) throws {
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n") && page.hasSuffix("\n</html>\n"), place)
        #expect(
            page.contains(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>"
            ), place)
        let names = try HTMLTests.elements(of: page)
        #expect(
            Set(names).isDisjoint(with: ["script", "link", "img", "iframe", "object", "base", "form", "image", "use"]),
            place)
        let levels = names.compactMap { $0.first == "h" ? Int($0.dropFirst()) : nil }
        // One at the top, and no level is left out.
        #expect(levels.first == 1 && levels.count { $0 == 1 } == 1, place)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }, place)
        let heads = page.matches(of: /<th(\s[^>]*|)>/)
        #expect(heads.allSatisfy { $0.1.contains("scope=") }, place)
        let attributes = page.matches(of: /<[a-z0-9]+((?: [A-Za-z0-9:-]+="[^"<]*")+)\/?>/).flatMap { tag in
            tag.1.matches(of: /\ ([A-Za-z0-9:-]+)="/).map { String($0.1) }
        }
        let known: Set = [
            "lang", "charset", "http-equiv", "content", "name", "class", "scope", "role", "aria-label", "aria-hidden",
            "width", "height", "viewBox", "preserveAspectRatio", "x", "y", "x1", "y1", "x2", "y2", "d", "text-anchor",
            "id", "href", "aria-labelledby", "data-head", "overflow",
        ]
        #expect(Set(attributes).subtracting(known).isEmpty, place)
        // Links lead to parts of the page, each of which is there once, and nowhere else.
        let links = page.matches(of: /href="([^"]*)"/).map { String($0.1) }
        #expect(links.count == page.matches(of: /<a\s/).count && links.allSatisfy { $0.hasPrefix("#") }, place)
        let ids = page.matches(of: /\sid="([^"]*)"/).map { String($0.1) }
        #expect(Set(ids).count == ids.count && Set(links.map { String($0.dropFirst()) }).isSubset(of: ids), place)
        #expect(TerminalSafety.violations(in: page).isEmpty, place)
    }

    /// The headings of every page, in this order; others are between them.
    private static let parts = [
        "For the owner of these meters", "How it came to this", "What was found", "For developers",
    ]

    @Test(
        "is one page of every sample, or is refused as status is, and leaves everything else as it was",
        arguments: SampleShelf.samples)
    func everySample(_ sample: Sample) throws {
        let folder = try ScratchFolder(of: sample)
        let before = try folder.snapshot
        let words = ["report", "--output", "report.html", sample.storeName, "--now", SampleSession.now]
        let answer = try folder.meterfix(arguments: words)
        let status = try SampleSession.of(sample).status
        #expect(answer.code == status.code, "\(answer.stderr)")
        guard answer.code == 0 else {
            #expect(answer.stderr == status.stderr && answer.stdout.isEmpty)
            #expect(try folder.snapshot.differences(from: before).isEmpty)
            return
        }
        let page = try folder.text("report.html")
        try Self.expectPage(page, "\(sample.name)")
        let headings = page.matches(of: /<h2>(?:<svg.*?<\/svg>)?([^<]*)<\/h2>/).map { String($0.1) }
        #expect(headings.filter(Self.parts.contains) == Self.parts)
        #expect(answer.stdout.hasPrefix("report.html: written, \(Phrase.size(ofBytes: page.utf8.count))\n"))
        try folder.remove("report.html")
        #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty)
    }

    @Test("is a page after a repair, with the past tense, and says with --json what its paragraph says")
    func afterRepair() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let now = ["--now", SampleSession.now]
        #expect(try folder.meterfix(arguments: ["rebuild", "-q", "duplicates.sqlite"] + now).code < 3)
        let answer = try folder.meterfix(
            arguments: ["report", "--json", "--output", "report.html", "duplicates.sqlite"] + now)
        let page = try folder.text("report.html")
        try Self.expectPage(page, "after")
        #expect(page.contains("Five meters were stored twice or more, and each is now stored once: "))
        #expect(page.contains("<p class=\"prose\">") && page.contains("meterfix undo takes this back"))
        let document = try answer.json
        #expect(document["command"]?.string == "report" && document["repair"]?.string == "done")
        #expect(document["bytes"] == .integer(Int64(page.utf8.count)))
        #expect(document["summary"]?.string?.hasPrefix("Five meters were stored twice or more, and each") == true)
        #expect(answer.code == 0 && answer.stderr.isEmpty)
    }

    @Test("needs --output, and does not write into a folder of backups that is named")
    func usage() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let before = try folder.snapshot
        #expect(try folder.meterfix("report", "healthy.sqlite").code == 64)
        try folder.makeFolder("kept")
        try folder.meterfix("report", "--backup-dir", "kept", "--output", "kept/a.html", "healthy.sqlite").expect(
            73, saying: "this folder holds the store's backups")
        try folder.remove("kept")
        #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty)
    }

    @Test(
        "leaves no half a page where there is no room",
        .enabled(if: FileManager.default.fileExists(atPath: "/bin/bash")))
    func noRoom() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let answer = try MeterfixProcess.shell(
            "\(FileSizeLimit.command(2)) && exec \"$METERFIX\" report --output report.html duplicates.sqlite",
            in: folder.path)
        #expect(answer.code == 74, "\(answer.stderr)")
        #expect(!folder.has("report.html"))
    }

    private static let evil =
        "</p></td></style><script>alert(1)</script><style>*{display:none}</style><img src=x onerror=alert(1)>"
        + "<a href=\"javascript:alert(1)\">https://evil.example/</a> url(x) &lt;b&gt; ' \" \u{202E}gnp\u{1B}[2J\u{2028}\n"

    @Test("has a customer's text in it as text, whatever it tries to be")
    func hostile() throws {
        let name = "a<b>&\"'.sqlite"
        let folder = try ScratchFolder(of: HostileStore.fixture(Self.evil), as: name)
        for (output, words) in [("before.html", ["rebuild", "-q", name]), ("after.html", [])] {
            let answer = try folder.meterfix(arguments: [
                "report", "--output", output, name, "--now", SampleSession.now,
            ])
            #expect(answer.code == 0, "\(answer.stderr)")
            let page = try folder.text(output)
            try Self.expectPage(page, "\(output)")
            // Only our own style sheet.
            #expect(page.matches(of: /<style>/).count == 1 && page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
            if !words.isEmpty { _ = try folder.meterfix(arguments: words + ["--now", SampleSession.now]) }
        }
    }

    @Test("of 1,000 meters, 300 of them stored several times, with a long history is smaller than 1 MB")
    func size() throws {
        let devices = [FixtureDevice.anasPhone, .bogdansMac, .chloesPad]
        var records: [FixtureRecord] = []
        for meter in 0..<1_000 {
            let digits = String(0x10000 + meter, radix: 16, uppercase: true).suffix(4)
            for copy in 0..<(meter < 300 ? 2 + meter % 3 : 1) {
                let row = Int64(records.count + 1)
                var record = FixtureRecord(
                    row: row, macAddress: "A4:C1:38:00:\(digits.prefix(2)):\(digits.suffix(2))",
                    meterName: "Зарядка в машине, полка № \(meter) / \(copy)")
                record.id = FixtureUUID(UInt64(row)).bytes
                record.tc66TemperatureUnit = copy % 2 == 0 ? "celsius" : "fahrenheit"
                record.modelType = "TC66C"
                record.createdAt = FixtureClock.now - 300 * FixtureClock.day
                record.updatedAt = FixtureClock.now - Double(copy * 100 + meter + 1) * FixtureClock.hour
                record.cloudRecordName = FixtureUUID(UInt64(100_000 + row)).text
                records.append(
                    record.seen(by: devices[Int(row) % 3], at: FixtureClock.now - Double(meter) * FixtureClock.hour))
            }
        }
        let fixture = StoreFixture(records: records).with { $0.mirror = .current }
        let folder = try ScratchFolder(of: fixture, as: "large.sqlite")
        try folder.execute(
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, ZNAME) VALUES (90, 'NSCloudKitMirroringDelegate.import'), (91, 'widget');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP)
            SELECT 100000 + i, 16002, CASE i % 3 WHEN 0 THEN 90 WHEN 1 THEN 91 END, 1, 2, 800000000 + i * 840 FROM n;
            INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            SELECT 16001, 1, (SELECT MIN(ZENTITY) FROM ACHANGE), 1 + t.Z_PK % 1000, t.Z_PK FROM ATRANSACTION t
            WHERE t.Z_PK > 100000
            """, in: "large.sqlite")
        let answer = try folder.meterfix(
            "report", "--output", "report.html", "large.sqlite", "--now", SampleSession.now)
        #expect(answer.code == 0, "\(answer.stderr)")
        let page = try folder.text("report.html")
        try Self.expectPage(page, "large")
        #expect(page.utf8.count < 1_000_000 && page.utf8.count > 100_000, "\(page.utf8.count) bytes")
        #expect(page.contains("300 of your meters are stored twice or more"))
        #expect(page.contains("more meters</h3>"))
        // A long history is a few marks.
        #expect(page.matches(of: /class="mark cloud"/).count < 30)
    }
}

@Suite("a report without personal data")
struct ReportRedactedTests {
    private static let samples = ["duplicates", "blob", "v1", "healthy", "check-mirror-pending", "other-app"]

    @Test("has no text and no id of the store in any byte, and not the name of its file", arguments: samples)
    func originals(_ name: String) throws {
        let folder = try ScratchFolder(sample: name)
        try FileManager.default.moveItem(
            atPath: "\(folder.path)/\(name).sqlite", toPath: "\(folder.path)/Chloés Geräte.sqlite")
        let answer = try folder.meterfix(
            "report", "--redacted", "--output", "page.html", "--now", SampleSession.now, "Chloés Geräte.sqlite")
        #expect(answer.code == 0, "\(answer.stderr)")
        let page = try folder.bytes("page.html")
        let text = String(decoding: page, as: UTF8.self)
        #expect(text.contains("USB Meter report · redacted.sqlite · ") && !text.contains("Chloé"))
        #expect(!text.contains(folder.path) && !text.contains(NSTemporaryDirectory() + "meterfix-"))
        let originals = try Originals(of: "\(folder.path)/Chloés Geräte.sqlite")
        // The style sheet is the same on every page, and has words such as `local`.
        let body = try #require(text.firstRange(of: "</style>")).upperBound
        let found = originals.found(in: Haystack(bytes: Array(text[body...].utf8)))
        #expect(found.isEmpty, "\(found.map(\.description))")
    }

    @Test("says nothing of the backups, which have personal data in them")
    func backups() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        _ = try folder.meterfix("rebuild", "--quiet", "duplicates.sqlite", "--now", SampleSession.now)
        let words = ["report", "--redacted", "duplicates.sqlite", "--now", SampleSession.now]
        #expect(try folder.meterfix(arguments: words + ["--output", "page.html"]).code == 0)
        let text = try folder.text("page.html")
        #expect(text.contains("They are not on a page without personal data") && !text.contains("Kitchen"))
        try folder.meterfix(arguments: words + ["--output", "other.html", "--backup-dir", "."]).expect(
            64, saying: "exclude each other")
    }

    @Test("leaves nothing behind but the page")
    func trace() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let before = try folder.snapshot
        let answer = try folder.meterfix("report", "--redacted", "--output", "page.html", "healthy.sqlite")
        #expect(answer.code == 0 && answer.leftovers == [])
        try folder.remove("page.html")
        let differences = try folder.snapshot.differences(from: before, withFolder: false)
        #expect(differences.isEmpty, "\(differences)")
    }
}
