import CoreDataStore
import Foundation
import JSON
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@Suite("hostile dumps end with an error")
struct HostileTests {
    private func bytes(_ sample: Sample) throws -> [UInt8] {
        try TemporaryFolder.use { folder in
            try sample.make(folder)
            return try FileBytes.read(folder + "/" + sample.storeName)
        }
    }

    private static var small: [Sample] { SampleShelf.dumps.filter { !$0.storeName.hasSuffix(".sqlite") } }

    @Test("if they are truncated at any byte")
    func truncated() throws {
        for sample in Self.small {
            let whole = try bytes(sample)
            for count in 0..<whole.count {
                // The last white space is all that may be missing.
                let isWhole = whole[count...].allSatisfy { $0 <= 0x20 }
                #expect(
                    (Dump.complaint(Array(whole.prefix(count))) == nil) == (isWhole && sample.refusal == nil),
                    "\(sample.name) cut at \(count)")
            }
        }
    }

    @Test("or are read, if any of their bytes changed", arguments: [UInt64](1...30))
    func flipped(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for sample in Self.small {
            var damaged = try bytes(sample)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[index] = UInt8.random(in: 0...255, using: &generator)
            }
            Dump.expectAnswer(to: damaged, "seed \(seed)")
        }
    }

    @Test("or are read, if they are random tokens", arguments: [UInt64](1...300))
    func shuffled(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let tokens = [
            [
                "{", "}", "(", ")", "=", ";", ",", "\"", "\\U00", "\\", "a", "MeterNames", "<", ">", "0f", "/*", "*/",
                "//",
                "\n", "'", "length = 4", "bytes = 0x00", "é", "\\\\U1234",
            ],
            ["{", "}", "[", "]", ":", ",", "\"", "\\u12", "1e9", "null", "-", "\"MeterNames\"", "true", "\u{0}", " "],
            [
                "<", ">", "/", "dict", "<key>", "</key>", "<dict>", "</dict>", "<plist>", "</plist>", "<string>",
                "</string>", "<![CDATA[", "]]>", "&lt;", "&#1", ";", "<!--", "-->", "<?", "?>", "MeterNames", "<true/>",
                "<integer>", "<data>", "'", "=",
            ],
        ]
        for (list, start) in zip(tokens, ["{a=", "{\"", "<plist>"]) {
            let text = (0..<40).reduce(into: start) { text, _ in text += list.randomElement(using: &generator) ?? "" }
            Dump.expectAnswer(to: Array(text.utf8), "\(text)")
        }
    }

    @Test("with excessive nesting", .timeLimit(.minutes(10)))
    func nesting() {
        let count = 1_000_000
        for (opening, closing) in [
            ("[", "]"), ("{\"a\":", "}"), ("(", ")"), ("{a=", ";}"), ("<array>", "</array>"),
            ("<dict><key>a</key>", "</dict>"),
        ] {
            let start = opening.hasPrefix("<") ? "<plist>" : ""
            #expect(Dump.complaint(start + String(repeating: opening, count: count)) != nil)
            let whole = start + String(repeating: opening, count: 200) + String(repeating: closing, count: 200)
            #expect(Dump.complaint(whole) != nil)
        }
        #expect(
            Dump.complaint("{ a = " + String(repeating: "{ a = ", count: 100))?
                .hasPrefix("more than 60 containers inside each other") == true)
    }

    @Test("or with a reject, if text has an unpaired surrogate: it is not replaced, and the rest is read")
    func unpairedSurrogates() throws {
        let dump = try Dump.read(
            #"{"MeterNames": {"A4:C1:38:0B:7E:21": "K\ud800", "A4:C1:38:0B:7E:22": "Lab", "A4:C1:38:0B:7E:23": ["\udc00", {"a": "\ud83d\ude00"}]}, "other": "\ud800"}"#
        )
        let values = LegacyValues(dump.entries)
        #expect(values.meters.map(\.name?.value) == ["Lab"])
        #expect(values.rejects.map(\.reason) == [.notText, .notText])
        #expect(
            values.rejects.map(\.value) == [
                .malformedText([0x4B, 0xD800]),
                .list([.malformedText([0xDC00]), .dictionary([DumpValue.Member("a", .text("\u{1F600}"))])]),
            ])
        #expect(values.rejects.map(\.value.kind) == ["text with an unpaired surrogate", "a list"])
        #expect(values.rejects.first?.json(hint: nil)["value"] == ["utf16": "004bd800"])
        // A key that is no text cannot be listed as what it is.
        #expect(
            Dump.complaint(#"{"MeterNames": {"\ud800": "a"}}"#)
                == "the JSON cannot be read: an unpaired surrogate in a key, line 1, column 18")
    }

    @Test("with entities that expand")
    func entities() {
        let text = """
            <?xml version="1.0"?>
            <!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>
            <plist><dict><key>MeterNames</key><dict><key>a</key><string>&lol2;</string></dict></dict></plist>
            """
        #expect(Dump.complaint(text) == "a DOCTYPE with declarations of its own, line 2, column 1")
        #expect(
            Dump.complaint("<plist><dict><key>MeterNames</key><dict><key>a</key><string>&xxe;</string>")
                == "an unknown entity, line 1, column 61")
        #expect(
            Dump.complaint("<plist/><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>") != nil)
    }

    @Test("with objects that contain themselves or expand to billions")
    func bombs() {
        // An array whose only element is itself: object 0 at byte 8, the offset table at byte 10.
        let trailer: (UInt8, UInt8) -> [UInt8] = { count, table in
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, count] + [UInt8](repeating: 0, count: 8)
                + [0, 0, 0, 0, 0, 0, 0, table]
        }
        let cycle = Array("bplist00".utf8) + [0xA1, 0x00, 8] + trailer(1, 10)
        #expect(Dump.complaint(cycle)?.contains("contains itself") == true)
        // Thirty arrays, each ten times the next.
        var bomb = Array("bplist00".utf8)
        var offsets: [UInt16] = []
        for level in 1...30 {
            offsets.append(UInt16(bomb.count))
            bomb += [0xAA] + [UInt8](repeating: UInt8(level), count: 10)
        }
        offsets.append(UInt16(bomb.count))
        bomb += [0x53, 0x6C, 0x6F, 0x6C]
        let table = UInt16(bomb.count)
        bomb += offsets.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        bomb += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 31] + [UInt8](repeating: 0, count: 8)
        bomb += [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 255)]
        #expect(Dump.complaint(bomb)?.contains("values once expanded") == true)
    }

    @Test("with text that is not UTF-8")
    func encoding() {
        let bad: [[UInt8]] = [
            [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xE0, 0x9F, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x28, 0xA1],
            [0xF0, 0x9F, 0x94, 0x28],
        ]
        for bytes in bad {
            let old = Array("{ MeterNames = { a = \"".utf8) + bytes + Array("\"; }; }".utf8)
            #expect(Dump.complaint(old) == "a byte that is not UTF-8, line 1, column 23", "\(bytes)")
            #expect(Dump.complaint(Array(old.prefix(22)) + bytes) == "a byte that is not UTF-8, line 1, column 23")
            let xml = Array("<plist><string>".utf8) + bytes + Array("</string></plist>".utf8)
            #expect(Dump.complaint(xml) == "a byte that is not UTF-8, line 1, column 16", "\(bytes)")
            let json = Array("{\"MeterNames\": {\"a\": \"".utf8) + bytes + Array("\"}}".utf8)
            #expect(Dump.complaint(json)?.contains("UTF-8") == true, "\(bytes)")
        }
    }

    @Test("with keys too long for a message")
    func longKeys() {
        let key = String(repeating: "k\u{301}", count: 100_000)
        #expect((Dump.complaint("{\"\(key)\": 1}")?.utf8.count ?? 0) < 500)
        #expect(
            (Dump.complaint("{\"a\u{301}\(String(repeating: "\u{301}", count: 100_000))\": 1}")?.utf8.count ?? 0) < 500)
    }

    @Test("with more values than anybody has", .timeLimit(.minutes(10)))
    func values() {
        #expect(
            Dump.complaint("[" + String(repeating: "0,", count: 4_000_000) + "0]")
                == "the JSON cannot be read: more than 3145728 values")
        #expect(
            Dump.complaint("[" + String(repeating: "{},", count: 300_000) + "{}]")
                == "the JSON cannot be read: more than 262144 objects and arrays")
        #expect(Dump.complaint("(" + String(repeating: "0,", count: 4_000_000) + "0)") == "more than 3145728 values")
    }

    @Test("with more bytes than are read", .timeLimit(.minutes(10)))
    func size() throws {
        try TemporaryFolder.use { folder in
            let path = folder + "/large"
            try FileBytes.write(Array("{\"a\": \"".utf8), to: path)
            try #require(truncate(path, 1 << 40) == 0)
            #expect(Dump.refusal(.file(path))?.message == "more than 128 MiB")
        }
        #expect(Dump.refusal(.file("/dev/zero"))?.message == "more than 128 MiB")
    }
}
