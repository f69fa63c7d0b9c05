import JSON
import MeterModel
import Testing

@Suite("parts of a JSON text that comes in chunks")
struct JSONPartsTests {
    private static let paths: [[JSONParts.Step]] = [
        ["state"], ["report", "summary"], ["plan", "changes", .element], ["list", .element, "name"],
    ]

    private struct Found: Equatable {
        let path: Int
        let value: JSONValue
    }

    private static func parts(
        _ text: [UInt8], chunk: Int, _ paths: [[JSONParts.Step]] = Self.paths, _ limits: JSONLimits = JSONLimits()
    ) throws -> [Found] {
        var found: [Found] = []
        func take(_ part: JSONParts.Part) {
            found.append(Found(path: part.path, value: part.value))
            #expect((try? JSONValue(parsing: Array(text[part.range]))) == part.value)
        }
        var parts = JSONParts(paths, limits: limits)
        for start in stride(from: 0, to: text.count, by: chunk) {
            try parts.read(text[start..<min(start + chunk, text.count)], take)
        }
        try parts.finish(take)
        return found
    }

    private static func parts(_ text: String) throws -> [Found] { try parts(Array(text.utf8), chunk: 1) }

    /// A document with something at each of the paths, in any order, among things that are not wanted.
    private static func document(_ random: inout SeededGenerator) -> (JSONValue, [Found]) {
        let values = (0..<8).map { _ in random.value(depth: 3) }
        let members: [(JSONValue.Member, [Found])] = [
            (.init("state", values[0]), [Found(path: 0, value: values[0])]),
            (
                .init("report", ["x": values[1], "summary": values[2], "changes": .array([values[1]])]),
                [Found(path: 1, value: values[2])]
            ),
            (
                .init("plan", ["survivors": .array([values[3]]), "changes": .array([values[4], values[5]])]),
                [Found(path: 2, value: values[4]), Found(path: 2, value: values[5])]
            ),
            (
                .init("list", .array([["name": values[6], "x": values[7]], values[7], .array([values[0]])])),
                [Found(path: 3, value: values[6])] + (values[7]["name"].map { [Found(path: 3, value: $0)] } ?? [])
            ),
            (.init("", values[3]), []), (.init("summary", values[0]), []), (.init("list\"", values[0]), []),
        ]
        let order = members.indices.shuffled(using: &random)
        return (.object(order.map { members[$0].0 }), order.flatMap { members[$0].1 })
    }

    @Test("are found wherever the chunks end")
    func foundWherever() throws {
        for seed in UInt64(0)..<150 {
            var random = SeededGenerator(seed: seed)
            let (document, expected) = Self.document(&random)
            for pretty in [true, false] {
                let text = Array(document.text(pretty: pretty).utf8)
                for chunk in [1, 2, 3, 7, Int.random(in: 4..<200, using: &random), text.count] {
                    guard try Self.parts(text, chunk: chunk) == expected else {
                        Issue.record("seed \(seed), chunks of \(chunk)")
                        return
                    }
                }
            }
        }
    }

    @Test("are not found in a text that is cut anywhere")
    func notFound() {
        for seed in UInt64(0)..<30 {
            var random = SeededGenerator(seed: seed)
            let text = Array(Self.document(&random).0.text(pretty: seed % 2 == 0).utf8)
            for count in text.indices where (try? Self.parts(Array(text[..<count]), chunk: 16)) != nil {
                Issue.record("seed \(seed): \(count) bytes")
                return
            }
        }
    }

    @Test("any byte may be anything: what is found then is what a tree has there")
    func anyByte() {
        for seed in UInt64(0)..<3_000 {
            var random = SeededGenerator(seed: seed)
            var text = Array(Self.document(&random).0.text(pretty: false).utf8)
            text[Int.random(in: text.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            guard let tree = try? JSONTree(parsing: text, limits: JSONLimits()).top.value else { continue }
            guard let found = try? Self.parts(text, chunk: 5) else {
                Issue.record("seed \(seed): a text that is JSON is refused")
                return
            }
            let state = found.first { $0.path == 0 }?.value
            if state != tree["state"] {
                Issue.record("seed \(seed)")
                return
            }
        }
    }

    @Test("are known by what a key says, however it is escaped, and behind a byte-order mark")
    func knownKey() throws {
        #expect(
            try Self.parts("\u{FEFF} {\"st\\u0061te\" : 1 , \"x\\\"\":2}") == [Found(path: 0, value: .integer(1))])
        #expect(try Self.parts("{\"state\":7}\n").map(\.value) == [.integer(7)])
        #expect(try Self.parts("[{\"state\":7}]").isEmpty)
        #expect(try Self.parts("{\"plan\":[{\"changes\":[1]}],\"report\":5}").isEmpty)
    }

    @Test("of a text of one value are that value")
    func textValue() throws {
        #expect(try Self.parts(Array("12".utf8), chunk: 1, [[]]) == [Found(path: 0, value: .integer(12))])
    }

    @Test(
        "of what is no JSON are an error",
        arguments: [
            ("{\"state\":1,\"state\":2}", "a key stands twice in one object"),
            ("{\"state\":{\"a\":1,\"a\":2}}", "a key stands twice in one object"),
            ("{\"state\":1}}", "unexpected character"), ("{\"state\":1},", "unexpected character"),
            ("{\"state\":1 2}", "unexpected character"), ("{\"x\":[1,{]}}", "unexpected character"),
            ("{\"x\":[}", "unexpected character"), ("{\"x\" 1}", "unexpected character"),
            ("{\"x\":1,}", "unexpected character"), ("{\"plan\":{\"changes\":[1,]}}", "unexpected character"),
            ("{,}", "unexpected character"), ("{x:1}", "unexpected character"), ("", "unexpected end of text"),
            (" ", "unexpected end of text"), ("{", "unexpected end of text"), ("{\"x\":\"", "unexpected end of text"),
            ("{\"state\":01}", "unexpected character"),
        ])
    func noJson(text: String, reason: String) {
        #expect(throws: JSONError.self) { try Self.parts(text) }
        do { _ = try Self.parts(text) } catch { #expect((error as? JSONError)?.reason == reason) }
    }

    @Test("may be anywhere in the text, and an error says where")
    func mayAnywhere() {
        let error = #expect(throws: JSONError.self) { try Self.parts("{\"x\": [1, 2], \"state\": 1.}") }
        #expect(error?.offset == 25)
    }

    @Test("and what is passed over are nested no deeper than a tree may be")
    func passedOver() throws {
        func text(_ key: String, _ depth: Int) -> String {
            "{\"\(key)\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        }
        for key in ["state", "x"] {
            #expect(try Self.parts(text(key, 63)).count == (key == "state" ? 1 : 0))
            #expect(throws: JSONError.self) { try Self.parts(text(key, 64)) }
            #expect(throws: JSONError.self) { try Self.parts(text(key, 100_000)) }
        }
    }

    @Test("are within the limits, whatever the text's length")
    func withinLimits() throws {
        var limits = JSONLimits()
        limits.inputBytes = 64
        limits.values = 10
        func parts(_ text: String, chunk: Int = 16) throws -> Int {
            try Self.parts(Array(text.utf8), chunk: chunk, Self.paths, limits).count
        }
        let long = String(repeating: "x", count: 1_000)
        #expect(
            try parts("{\"x\": \"\(long)\", \"plan\": {\"changes\": [\(String(repeating: "0,", count: 500))1]}}") == 501
        )
        for chunk in [1, 16, 10_000] {
            #expect(throws: JSONError.self) { try parts("{\"state\": \"\(long)\"}", chunk: chunk) }
            #expect(throws: JSONError.self) { try parts("{\"\(long)\": 1}", chunk: chunk) }
            #expect(throws: JSONError.self) { try parts("{\"state\": [1,2,3,4,5,6,7,8,9,10,11]}", chunk: chunk) }
        }
    }
}
