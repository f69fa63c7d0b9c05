import JSON
import Testing

@Suite struct JSONWritingTests {
    private let sample: JSONValue = [
        "name": .string("K\u{FC}che / \"Lab\"\n"), "none": .null, "list": .array([.integer(1), .bool(false)]),
        "record": ["seconds": .double(0.1), "empty": .object([]), "nothing": .array([])],
    ]

    @Test func `on one line there is no space`() {
        #expect(
            sample.text(pretty: false)
                == #"{"name":"Küche / \"Lab\"\n","none":null,"list":[1,false],"record":{"seconds":0.1,"empty":{},"nothing":[]}}"#
        )
    }

    @Test func `pretty is indented by two spaces`() {
        let lines = sample.text(pretty: true).split(separator: "\n")
        #expect(lines.first == "{")
        #expect(lines[1] == #"  "name": "Küche / \"Lab\"\n","#)
        #expect(lines.contains("    \"seconds\": 0.1,"))
        #expect(lines.last == "}")
    }

    @Test(
        arguments: [
            (0.1, "0.1"), (1.0, "1.0"), (-2.5, "-2.5"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
            (0.1 + 0.2, "0.30000000000000004"),
            (817_000_000.123, "817000000.123"), (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
        ])
    func `a number is the shortest text that is read back as the same; what is no number is null`(
        number: Double, text: String
    ) {
        #expect(JSONValue.double(number).text(pretty: false) == text)
    }

    @Test func `integers are whole to the last digit`() {
        #expect(JSONValue.integer(.max).text(pretty: false) == "9223372036854775807")
        #expect(JSONValue.integer(.min).text(pretty: false) == "-9223372036854775808")
    }

    @Test func `control characters are escaped, NUL too`() {
        #expect(JSONValue.string("a\0b\u{1}\u{1F}").text(pretty: false) == #""a\u0000b\u0001\u001f""#)
        #expect(JSONValue.string("").text(pretty: false) == "\"\"")
    }

    @Test func `DEL and the controls a terminal may obey are escaped, in keys too, and read back`() throws {
        let value: JSONValue = ["a\u{9B}": .string("\u{7F}\u{80}\u{9F}\u{A0}\u{FC}")]
        let text = value.text(pretty: false)
        #expect(text == "{\"a\\u009b\":\"\\u007f\\u0080\\u009f\u{A0}\u{FC}\"}")
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test func `a NUL in a key is shown, for json-c would cut the key there`() {
        #expect(JSONValue.object([.init("a\0b", .null)]).text(pretty: false) == "{\"a\u{2400}b\":null}")
    }
}
