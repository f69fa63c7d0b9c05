import JSON
import Testing

@Suite struct JSONWritingTests {
    private let sample: JSONValue = [
        "name": "K\u{FC}che / \"Lab\"\n", "none": JSONValue.null, "list": [1.json, false.json],
        "record": ["seconds": 0.1, "empty": JSONValue.object([]), "nothing": [String]()] as JSONValue,
    ]

    @Test("on one line there is no space")
    func lineNo() {
        #expect(
            sample.text(pretty: false)
                == #"{"name":"Küche / \"Lab\"\n","none":null,"list":[1,false],"record":{"seconds":0.1,"empty":{},"nothing":[]}}"#
        )
    }

    @Test("pretty is indented by two spaces")
    func prettyIndented() {
        let lines = sample.text(pretty: true).split(separator: "\n")
        #expect(lines.first == "{")
        #expect(lines[1] == #"  "name": "Küche / \"Lab\"\n","#)
        #expect(lines.contains("    \"seconds\": 0.1,"))
        #expect(lines.suffix(6) == ["    \"empty\": {", "    },", "    \"nothing\": [", "    ]", "  }", "}"])
        #expect(lines.last == "}")
    }

    @Test(
        "a number is the shortest text that is read back as the same; what is no number is null",
        arguments: [
            (0.1, "0.1"), (1.0, "1.0"), (-2.5, "-2.5"), (1e300, "1e+300"), (.leastNonzeroMagnitude, "5e-324"),
            (0.1 + 0.2, "0.30000000000000004"),
            (817_000_000.123, "817000000.123"), (.infinity, "null"), (-.infinity, "null"), (.nan, "null"),
        ])
    func numberShortest(
        number: Double, text: String
    ) {
        #expect(JSONValue.double(number).text(pretty: false) == text)
    }

    @Test("integers are whole to the last digit")
    func integersWhole() {
        #expect(JSONValue.integer(.max).text(pretty: false) == "9223372036854775807")
        #expect(JSONValue.integer(.min).text(pretty: false) == "-9223372036854775808")
        #expect(JSONValue.unsigned(.max).text(pretty: false) == "18446744073709551615")
    }

    @Test("control characters are escaped, NUL too")
    func controlCharacters() {
        #expect(JSONValue.string("a\0b\u{1}\u{1F}").text(pretty: false) == #""a\u0000b\u0001\u001f""#)
        #expect(JSONValue.string("").text(pretty: false) == "\"\"")
    }

    @Test("DEL and the controls a terminal may obey are escaped, in keys too, and read back")
    func delControls() throws {
        let value: JSONValue = ["a\u{9B}": "\u{7F}\u{80}\u{9F}\u{A0}\u{FC}"]
        let text = value.text(pretty: false)
        #expect(text == "{\"a\\u009b\":\"\\u007f\\u0080\\u009f\u{A0}\u{FC}\"}")
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test("what nobody sees is escaped, beyond U+FFFF as two units, and read back")
    func hidden() throws {
        let value: JSONValue = ["a\u{FEFF}": "\u{AD}\u{200B}\u{202E}\u{2060}\u{E0041}👩‍👩‍👧☀️é机"]
        let text = value.text(pretty: false)
        #expect(text == #"{"a\ufeff":"\u00ad\u200b\u202e\u2060\udb40\udc41👩‍👩‍👧☀️é机"}"#)
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test("a NUL in a key is shown, for json-c would cut the key there")
    func nulKey() {
        #expect(JSONValue.object([.init("a\0b", JSONValue.null)]).text(pretty: false) == "{\"a\u{2400}b\":null}")
    }

    @Test("of a key that stands in an object twice the last value is written in the first place")
    func keyStands() {
        let value = JSONValue.object([
            .init("a", 1), .init("b\0", JSONValue.null), .init("a", 2), .init("b\u{2400}", true),
        ])
        #expect(value.text(pretty: false) == "{\"a\":2,\"b\u{2400}\":true}")
        #expect(
            JSONValue.object([.init("\u{FC}", JSONValue.null), .init("u\u{308}", JSONValue.null)]).text(pretty: false)
                == "{\"\u{FC}\":null,\"u\u{308}\":null}")
    }

    @Test("a line is the text and a line feed")
    func line() {
        for pretty in [true, false] {
            #expect(String(decoding: sample.line(pretty: pretty), as: UTF8.self) == sample.text(pretty: pretty) + "\n")
        }
    }
}
