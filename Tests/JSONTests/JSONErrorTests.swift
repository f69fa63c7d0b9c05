import Testing

@testable import JSON

@Suite struct JSONErrorTests {
    private func error(_ text: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONValue(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    private func error(_ text: String) -> JSONError? { error(Array(text.utf8)) }

    @Test(
        "a text that ends too early says so, at its end",
        arguments: [
            "", " ", "\n\t", "\u{FEFF}", "[", "{", "\"", "\"a", "\"\\", "\"\\u12", "tru", "n", "-", "1.", "1e", "1e+",
            "[1", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "[\"a\",{\"b\":[[]",
        ])
    func textEnds(text: String) {
        #expect(error(text) == JSONError(reason: "unexpected end of text", offset: text.utf8.count))
    }

    @Test(
        "a text that is no JSON is refused where it stops being JSON",
        arguments: [
            ("x", 0), ("'a'", 0), ("{'a':1}", 1), ("{a:1}", 1), ("[1 2]", 3), ("[1,]", 2), ("{\"a\":1,\n}", 6),
            ("[,]", 1),
            ("{\"a\" 1}", 5), ("{1:2}", 1), ("/**/1", 0), ("+1", 0), (".5", 0), ("[.5]", 1), ("True", 0), ("NaN", 0),
            ("[NaN]", 1), ("Infinity", 0), ("[-Infinity]", 2), ("-x", 1), ("01", 1), ("[-01]", 3), ("00", 1),
            ("-.5", 1),
            ("[1.]", 3), ("1.e5", 2), ("[1e]", 3), ("[1e+]", 4), ("[--1]", 2), ("\"\\x\"", 2), ("\"\\'\"", 2), ("}", 0),
            ("]", 0),
        ])
    func textNo(text: String, offset: Int) {
        #expect(error(text)?.offset == offset)
    }

    @Test(
        "a quotation mark of an editor is called what it is, where it is",
        arguments: [("{\u{201C}a\u{201D}: 1}", 1), ("[\u{AB}a\u{BB}]", 1), ("[\"a\",\n\u{2018}b\u{2019}]", 6)])
    func quotationMark(text: String, offset: Int) throws {
        let mark = try #require(text.unicodeScalars.first { !$0.isASCII })
        let reason = "the quotation mark \(mark) instead of \""
        #expect(error(text) == JSONError(reason: reason, offset: offset))
        #expect(error("[1, \u{2013}2]") == JSONError(reason: "unexpected character \u{2013}", offset: 4))
    }

    @Test("a comma that nothing follows is refused where it is", arguments: ["[1, 2 , \n ]", "{\"a\": [1],\n\n}"])
    func comma(text: String) throws {
        let place = try #require(Array(text.utf8).lastIndex(of: UInt8(ascii: ",")))
        #expect(error(text) == JSONError(reason: "a comma that nothing follows", offset: place))
    }

    @Test(
        "nothing but white space may follow the value",
        arguments: [
            ("1 2", 2), ("{} x", 3), ("[]]", 2), ("{}{}", 2), ("null\0", 4), ("1\0", 1), ("truex", 4), ("1\u{0B}", 1),
        ])
    func nothingBut(text: String, offset: Int) {
        #expect(error(text)?.offset == offset)
    }

    @Test("a NUL between values ends nothing", arguments: ["[1\0]", "{\"a\":\0 1}", "\0", "[\0"])
    func nulBetween(text: String) {
        #expect(error(text) == JSONError(reason: "unexpected character", offset: Array(text.utf8).firstIndex(of: 0)!))
    }

    @Test("a control character in a string has to be escaped", arguments: [UInt8](0..<0x20))
    func controlCharacter(byte: UInt8) {
        let reason = "control character in a string"
        #expect(error([0x22, 0x61, byte, 0x22]) == JSONError(reason: reason, offset: 2))
    }

    @Test(
        "bytes that are no UTF-8 are refused where they begin",
        arguments: [
            [0xFF], [0x80], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func bytesNo(bytes: [UInt8]) {
        let flaw = JSONError(reason: "invalid UTF-8", offset: 3)
        #expect(error([0x5B, 0x22, 0x61] + bytes + [0x22, 0x5D]) == flaw)
        #expect(error([0x5B, 0x22, 0x61] + bytes) == flaw)
    }

    @Test(
        "a number that cannot be held is refused, not rounded to the nearest that can",
        arguments: [
            "-9223372036854775809", "18446744073709551616",
            "123456789012345678901234567890", "1e999", "-1e999", "1.8e308",
        ])
    func numberCannot(text: String) {
        #expect(error(text) == JSONError(reason: "number out of range", offset: 0))
        #expect(error("{\"a\": [\(text)]}") == JSONError(reason: "number out of range", offset: 7))
    }

    @Test(
        "a key with a NUL is refused, not cut",
        arguments: [
            "{\"a\\u0000b\":1}", "{\"a\\u0000b\" \n:1}", "{\"\\u0000\":1}", "{\"x\":\"\\u0000\",\"\\\\\\u0000\":1}",
        ])
    func keyNul(text: String) {
        #expect(error(text)?.reason == "NUL in a key")
    }

    @Test("nesting has a limit, whatever is inside")
    func nestingLimit() throws {
        let deepest = JSONValue.deepestNesting
        for (open, inside, close) in [
            ("[", "", "]"), ("[", "1", "]"), ("{\"a\":", "\"[[{{\"", "}"), ("{\"a\":", "{}", "}"),
        ] {
            let levels = inside == "{}" ? deepest - 1 : deepest
            func text(_ levels: Int) -> String {
                String(repeating: open, count: levels) + inside + String(repeating: close, count: levels)
            }
            #expect(error(text(levels)) == nil)
            #expect(error(text(levels + 1))?.reason == "nesting too deep")
            #expect(error(text(10_000))?.reason == "nesting too deep")
        }
    }

    @Test("an offset counts the byte-order mark")
    func offsetCounts() {
        #expect(error([0xEF, 0xBB, 0xBF] + Array("[1 2]".utf8))?.offset == 6)
        #expect(error([0xEF, 0xBB, 0xBF] + Array("[NaN]".utf8))?.offset == 4)
        #expect(error([0xEF, 0xBB]) == JSONError(reason: "invalid UTF-8", offset: 0))
        #expect(error("\u{FEFF}\u{FEFF}1") != nil)
    }

    @Test("of two flaws the first is named")
    func twoFlaws() {
        #expect(error("[1 2, NaN]")?.offset == 3)
        #expect(error("[NaN, 1 2]")?.offset == 1)
        #expect(error("garbage 'with' quotes \"")?.offset == 0)
    }

    @Test("an error says what and where")
    func errorSays() {
        #expect(error("[")?.description == "unexpected end of text at byte 1")
    }
}
