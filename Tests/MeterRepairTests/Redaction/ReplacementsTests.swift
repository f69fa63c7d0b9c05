import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("Replacements")
struct ReplacementsTests {
    /// What stands for texts of one kind, in a copy with these and the others.
    private static func replaced(
        _ texts: [String], _ kind: RedactedKind = .meter, among others: [String] = [],
        in letterCase: LetterCase = .upper
    ) -> [String] {
        let replacements = Replacements(continuing: RedactionMap(), letterCase: letterCase)
        for text in texts + others { _ = replacements.text(text, kind, in: "") }
        replacements.assignNumbers()
        return texts.map { replacements.text($0, kind, in: "") }
    }

    @Test("number names and devices in the order of their bytes, whatever order they are found in")
    func names() {
        #expect(Self.replaced(["Lab", "Kitchen", "kitchen", "Lab"]) == ["Meter 2", "Meter 1", "Meter 3", "Meter 2"])
        #expect(Self.replaced(["\tLab ", "Büro"], .device) == ["\tDevice 2 ", "Device 1"])
        #expect(Self.replaced(["Lab"], among: (10...20).map { "A\($0)" }) == ["Meter 12"])
    }

    @Test(
        "keep the notation of an address and the case of its letters",
        arguments: [
            ("AA:BB:CC:DD:EE:FF", "AA:00:00:00:00:01"), ("aa:bb:cc:00:11:22", "aa:00:00:00:00:01"),
            ("a4c1.38aB.CDef", "aA00.0000.0001"),
            (" A4C138000002", " AA0000000001"),
        ])
    func notation(text: String, expected: String) throws {
        let replacement = Self.replaced([text])[0]
        #expect(replacement == expected)
        let (before, after) = (try #require(MACAddress.parse(text)), try #require(MACAddress.parse(replacement)))
        #expect(before.address != after.address && before.notation == after.notation)
    }

    @Test("give an address without letters those of the store, and two spellings of one address one number")
    func addresses() {
        #expect(Self.replaced(["00:11:22:33:44:55"], in: .lower) == ["aa:00:00:00:00:01"])
        let spellings = ["A4:C1:38:00:0b:01", " a4c138000b01 ", "00:00:00:00:00:0A"]
        #expect(Self.replaced(spellings) == ["Aa:00:00:00:00:02", " aa0000000002 ", "AA:00:00:00:00:01"])
    }

    @Test(
        "leave placeholders, white space, names of device models and hardware types",
        arguments: [
            "00:00:00:00:00:00", "ff-ff-ff-ff-ff-ff", "020000000000", "", "  ", "iPad", " MacBook Pro", "iPhone14,2",
            "tc66c", "UM25C ",
        ])
    func kept(text: String) { #expect(Self.replaced([text]) == [text]) }

    @Test("of a host name are one", arguments: ["Anas-Mac.local", " büro.LOCAL", "a.local.local"])
    func hosts(text: String) {
        let replacement = Self.replaced([text], .device)[0]
        #expect(MachineMadeName(replacement) == .hostName)
        #expect(replacement.hasSuffix(text.suffix(6)) && replacement.contains("Device-1"))
    }

    @Test("of a UUID are one, also as bytes, and two spellings have two numbers")
    func uuid() throws {
        let text = "0B7C1A42-6E5D-4F00-9A3B-2C1D0E9F8A7B"
        let bytes = try #require(Hexadecimal.bytes(of: text.filter { $0 != "-" }))
        let replacements = Replacements(continuing: RedactionMap(), letterCase: .upper)
        func pass() -> [String] {
            [text, text.lowercased()].map { replacements.text($0, .meter, in: "") }
                + [Hexadecimal.uuidText(of: replacements.blob(bytes, in: ""))]
        }
        _ = pass()
        replacements.assignNumbers()
        let numbered = (1...2).map { "00000000-0000-4000-8000-00000000000\($0)" }
        #expect(pass() == [numbered[0], numbered[1], numbered[0]])
    }

    @Test("keep the order of the names of records, whatever they look like, over a hundred of them")
    func order() {
        let names =
            ["A", "a", "Record-9", "Record-10", "é", "~", "0", "00", "_x"]
            + (1...60).map { FixtureUUID($0).text } + (1...60).map { FixtureUUID($0).text.lowercased() }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let replaced = Self.replaced(sorted, .id)
        #expect(
            replaced == replaced.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                && Set(replaced).count == names.count)
        #expect(replaced.allSatisfy { MachineMadeName($0) == .uuid })
    }

    @Test("of numbers keep sign, order and difference")
    func numbers() {
        let replacements = Replacements(continuing: RedactionMap(), letterCase: .upper)
        let whole: [Int64] = [.min, -999_999_999_999_999_999, -30, -1, 0, 1, 7, 130, .max]
        let broken = [-5.5, -0.25, 0, 3e-300, 0.5, 1e9]
        _ = (whole.map(replacements.integer), broken.map(replacements.real))
        replacements.assignNumbers()
        #expect(whole.map(replacements.integer) == [-4, -3, -2, -1, 0, 1, 2, 3, 4])
        #expect(broken.map(replacements.real) == [-2.5, -1.5, 0, 1.5, 2.5, 3.5])
    }

    @Test("of bytes are as many, and stay different", arguments: [1, 2, 3, 7, 8, 16, 33, 100])
    func bytes(count: Int) {
        let replacements = Replacements(continuing: RedactionMap(), letterCase: .upper)
        let all = (0..<256).map { first in [UInt8(first)] + [UInt8](repeating: 7, count: count - 1) }
        for bytes in all { _ = replacements.blob(bytes, in: "") }
        replacements.assignNumbers()
        let replaced = all.map { replacements.blob($0, in: "") }
        #expect(Set(replaced).count == 256 && replaced.allSatisfy { $0.count == count })
    }

    @Test("go on with a map: what it has keeps its number, and what is new comes after it")
    func map() throws {
        func copy(_ map: RedactionMap, _ texts: [String]) -> (RedactionMap, [String]) {
            let replacements = Replacements(continuing: map, letterCase: .upper)
            for text in texts { _ = replacements.text(text, .meter, in: "here") }
            replacements.assignNumbers()
            let replaced = texts.map { replacements.text($0, .meter, in: "here") }
            return (replacements.map, replaced)
        }
        let (first, _) = copy(RedactionMap(), ["Lab", "Büro", "A4:C1:38:00:0B:01"])
        let written = try #require(RedactionMap(document: Array(first.text(pretty: true).utf8)))
        #expect(written.entries.map(\.original) == ["A4:C1:38:00:0B:01", "Büro", "Lab"])
        let (second, replaced) = copy(written, ["Attic", "Lab", "a4c138000b01", "00:00:00:00:00:0A"])
        #expect(replaced == ["Meter 3", "Meter 2", "aa0000000001", "AA:00:00:00:00:02"])
        #expect(second.entries.count == 5)
    }

    @Test("are one for a text that is a name in one place and any text in another")
    func oneTextOfTwoKinds() {
        let replacements = Replacements(continuing: RedactionMap(), letterCase: .upper)
        let kinds: [RedactedKind] = [.text, .meter, .device]
        for kind in kinds { _ = replacements.text("Lab", kind, in: "") }
        _ = replacements.text("Attic", .text, in: "")
        replacements.assignNumbers()
        #expect(kinds.map { replacements.text("Lab", $0, in: "") } == ["Meter 1", "Meter 1", "Meter 1"])
        #expect(replacements.text("Attic", .text, in: "") == "Text 1")
    }

    @Test(
        "take no other document for a map",
        arguments: [
            "", "[]", "{}", #"{"command": "redact"}"#, #"{"command": "redact", "values": [1]}"#,
            #"{"command": "verify", "values": []}"#,
            #"{"command": "redact", "values": [{"kind": "meter", "number": 0, "original": "a", "replacement": "b", "place": ""}]}"#,
            #"{"command": "redact", "values": [{"kind": "meters", "number": 1, "original": "a", "replacement": "b", "place": ""}]}"#,
            // One number for two.
            #"{"command": "redact", "values": [{"kind": "text", "number": 1, "original": "a", "replacement": "b", "place": ""}, {"kind": "text", "number": 1, "original": "c", "replacement": "b", "place": ""}]}"#,
        ])
    func otherDocuments(text: String) { #expect(RedactionMap(document: Array(text.utf8)) == nil) }
}
