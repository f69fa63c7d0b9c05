import Testing

@testable import JSON

@Suite struct JSONParsingTests {
    private func parsed(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test(
        "each kind of value is read",
        arguments: [
            ("null", JSONValue.null), ("true", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
            ("-0", .integer(0)),
            ("12", .integer(12)), (" 12 ", .integer(12)), ("12\r\n\t", .integer(12)), ("-7", .integer(-7)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .unsigned(1 << 63)), ("18446744073709551615", .unsigned(.max)),
            ("1.5", .double(1.5)),
            ("0.1", .double(0.1)), ("1.0", .double(1)), ("-0.0", .double(-0.0)), ("1e3", .double(1_000)),
            ("1E+3", .double(1_000)),
            ("25e-1", .double(2.5)), ("9223372036854775808.0", .double(9_223_372_036_854_775_808)),
            ("5e-324", .double(.leastNonzeroMagnitude)),
            ("1e-999", .double(0)), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
            ("\"\"", .string("")),
            ("[]", .array([])), ("{}", .object([])), ("[null]", .array([.null])),
            ("{\"a\":null}", ["a": JSONValue.null]),
            ("[[],{},[1,\"x\"]]", .array([.array([]), .object([]), .array([.integer(1), .string("x")])])),
        ] as [(String, JSONValue)])
    func eachKind(text: String, value: JSONValue) throws {
        #expect(try parsed(text) == value)
        #expect(try parsed("[\(text)]") == .array([value]))
        #expect(try parsed("\u{FEFF}\(text)") == value)
    }

    @Test(
        "a string is read byte for byte",
        arguments: [
            ("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\u{8}\u{C}\n\r\t"), ("\\u0041\\u00e9\\u20AC", "A\u{E9}\u{20AC}"),
            ("\\ud83d\\ude00", "\u{1F600}"), ("a\\u0000b", "a\0b"), ("\\u0000", "\0"), ("\u{7F}\u{85}", "\u{7F}\u{85}"),
            ("\u{FEFF}x", "\u{FEFF}x"), ("K\u{FC}che \u{1F600}", "K\u{FC}che \u{1F600}"), ("it's", "it's"),
            ("NaN -01 [{", "NaN -01 [{"),
        ])
    func stringRead(escaped: String, text: String) throws {
        let value = try #require(try parsed("\"\(escaped)\"").string)
        #expect(Array(value.utf8) == Array(text.utf8))
    }

    @Test(
        "an unpaired surrogate is refused, in a value and in a key",
        arguments: unpaired)
    func unpairedSurrogate(escaped: String, _: [UInt16]) throws {
        #expect(throws: JSONError(reason: "an unpaired surrogate", offset: 2)) { try parsed("[\"\(escaped)\"]") }
        #expect(throws: JSONError(reason: "an unpaired surrogate", offset: 2)) { try parsed("{\"\(escaped)\" : 1}") }
    }

    static let unpaired: [(String, [UInt16])] = [
        ("\\ud83d", [0xD83D]), ("\\ude00", [0xDE00]), ("\\uD83Dx", [0xD83D, 0x78]), ("\\ud83d\\n", [0xD83D, 0xA]),
        ("\\ud83d\\u0041", [0xD83D, 0x41]), ("\\ud83d\\ud83d\\ude00", [0xD83D, 0xD83D, 0xDE00]),
        ("\\udbff\u{D7FF}\\\\ud83d", [0xDBFF, 0xD7FF, 0x5C] + Array("ud83d".utf16)),
    ]

    @Test("an unpaired surrogate is kept where that is asked for, with all that is around it", arguments: unpaired)
    func keptSurrogate(escaped: String, units: [UInt16]) throws {
        let text = "{\"a\": [\"\(escaped)\", \"\(escaped)z\", \"\\ud83d\\ude00\"], \"b\": 1.5}"
        let top = try JSONTree(parsing: Array(text.utf8), limits: JSONLimits(), keepsUnpairedSurrogates: true).top
        let elements = try #require(top["a"]?.elements)
        #expect(elements.map(\.unpairedUTF16) == [units, units + [0x7A], nil])
        #expect(elements[2].value == .string("\u{1F600}"))
        #expect(top["b"]?.value == .double(1.5))
        // What is wrong behind it is found where it is, and a key is a key.
        #expect(throws: JSONError(reason: "an unpaired surrogate in a key", offset: 3)) {
            try JSONTree(
                parsing: Array("[{\"\(escaped)\" : 1}]".utf8), limits: JSONLimits(), keepsUnpairedSurrogates: true)
        }
        let broken = "[\"\(escaped)\", tru]"
        let expected = broken.utf8.count - 1
        let error = #expect(throws: JSONError.self) {
            try JSONTree(parsing: Array(broken.utf8), limits: JSONLimits(), keepsUnpairedSurrogates: true)
        }
        #expect(error?.offset == expected)
    }

    @Test("a reader reads one text after the other, also after one that it refused")
    func reader() throws {
        let reader = try JSONReader()
        func read(_ text: String) throws -> JSONValue { try reader.value(of: Array(text.utf8), limits: JSONLimits()) }
        #expect(try read("{\"a\": [1, {\"b\": \"x\"}]}") == ["a": [1.json, ["b": "x"]]])
        for broken in ["{\"a\": [1, {\"b\"", "[1 2]", "", "12", "\"\\ud83d\"", "{\"a\": 1, \"a\": 2}"] {
            let alone = Result { try JSONTree(parsing: Array(broken.utf8), limits: JSONLimits()).top.value }
            let after = Result { try read(broken) }
            #expect("\(after)" == "\(alone)")
            #expect(try read("[true]") == .array([.bool(true)]))
        }
    }

    @Test("composed and decomposed text stay what they are, as keys too")
    func composedDecomposed() throws {
        let value = try parsed("{\"K\u{FC}\":1,\"Ku\u{308}\":2}")
        guard case .object(let members) = value else { throw JSONError(reason: "no object", offset: 0) }
        #expect(members.map { Array($0.key.utf8) } == [Array("K\u{FC}".utf8), Array("Ku\u{308}".utf8)])
    }

    @Test("keys keep their order, and any text may be one")
    func keysKeep() throws {
        let value = try parsed("{\"z\":1,\"a\":2,\"\":3,\"m\":4,\" \":5,\"\\n\":6}")
        guard case .object(let members) = value else { throw JSONError(reason: "no object", offset: 0) }
        #expect(members.map(\.key) == ["z", "a", "", "m", " ", "\n"])
        #expect(value["m"] == .integer(4))
        #expect(value["none"] == nil)
    }

    @Test("of a key that comes twice the last value counts, in the first one's place")
    func keyComes() throws {
        #expect(try parsed("{\"a\":1,\"b\":2,\"\\u0061\":3}") == ["a": 3, "b": 2])
    }

    @Test("a thousand keys keep their order")
    func thousandKeys() throws {
        let members = (0..<1_000).map { JSONValue.Member("k\($0 * 7_919 % 1_000)", $0) }
        #expect(try parsed(JSONValue.object(members).text(pretty: false)) == .object(members))
    }

    @Test("an object with thousands of members, inside others, has all of them")
    func largeObject() throws {
        let members = (0..<5_000).map {
            JSONValue.Member("key \($0)", $0 % 7 == 0 ? ["x": JSONValue.null] : $0.json)
        }
        let large = JSONValue.object(members)
        let value: JSONValue = ["before": true, "large": large, "after": [large, .null]]
        let tree = try JSONTree(parsing: Array(value.text(pretty: false).utf8), limits: JSONLimits())
        #expect(tree.top.value == value)
        #expect(tree.top["large"]?.memberCount == 5_000)
        #expect(tree.top["large"]?["key 4999"]?.value == .integer(4_999))
        #expect(tree.top["large"]?["key"] == nil)
    }

    @Test("what a value is can be asked")
    func valueCan() {
        #expect(JSONValue.integer(3).number == 3)
        #expect(JSONValue.double(2.5).number == 2.5)
        #expect(JSONValue.string("3").number == nil)
        #expect(JSONValue.bool(true).number == nil)
        #expect(JSONValue.integer(3).string == nil)
        #expect((nil as String?).json == .null)
        #expect("x".json == .string("x"))
        #expect(JSONValue.array([])["a"] == nil)
    }
}
