import JSON
import MeterModel
import Testing

/// Objects that are longer than a limit are cut for json-c: nobody must be able to tell.
@Suite struct JSONPartsTests {
    private func read(_ text: [UInt8], partBytes: Int) -> Result<JSONTree, JSONError> {
        var limits = JSONLimits()
        limits.partBytes = partBytes
        do {
            return .success(try JSONTree(parsing: text, limits: limits, keepsUnpairedSurrogates: true))
        } catch {
            return .failure(error)
        }
    }

    /// Whether a text, its objects cut into parts of any length, says what it says when no object is cut.
    private func isAlike(_ text: [UInt8]) -> Bool {
        let whole = read(text, partBytes: .max)
        return [1, 4, 9, 20, 50].allSatisfy { partBytes in
            switch (whole, read(text, partBytes: partBytes)) {
            case (.failure(let error), .failure(let other)): error == other
            case (.success(let tree), .success(let other)): isAlike(tree.top, other.top)
            default: false
            }
        }
    }

    private func isAlike(_ node: JSONNode, _ other: JSONNode) -> Bool {
        guard node.memberCount == other.memberCount, node.unpairedUTF16 == other.unpairedUTF16 else { return false }
        if let elements = node.elements {
            guard let others = other.elements, elements.count == others.count else { return false }
            return zip(elements, others).allSatisfy(isAlike)
        }
        guard node.memberCount != nil else { return node.unpairedUTF16 != nil || node.value == other.value }
        var (members, others): ([(String, JSONNode)], [(String, JSONNode)]) = ([], [])
        node.forEachMember { members.append(($0, $1)) }
        other.forEachMember { others.append(($0, $1)) }
        return zip(members, others).allSatisfy { member, another in
            Array(member.0.utf8) == Array(another.0.utf8) && isAlike(member.1, another.1)
                && other[member.0].map { isAlike(member.1, $0) } == true
        }
    }

    @Test("a random text says the same when its objects are cut")
    func randomText() {
        for seed in UInt64(0)..<400 {
            var random = SeededGenerator(seed: seed)
            let members = (0..<Int.random(in: 0..<9, using: &random)).map { number in
                JSONValue.Member("\(number)", random.value(depth: 3))
            }
            let text = Array(JSONValue.object(members).text(pretty: seed % 2 == 0).utf8)
            if !isAlike(text) || !isAlike([0xEF, 0xBB, 0xBF] + text) { Issue.record("seed \(seed)") }
        }
    }

    @Test("what is wrong with a text is the same, and in the same place")
    func wrong() {
        for seed in UInt64(0)..<1_500 {
            var random = SeededGenerator(seed: seed)
            let members = (0..<6).map { JSONValue.Member("\($0)", random.value(depth: 2)) }
            var text = Array(JSONValue.object(members).text(pretty: seed % 2 == 0).utf8)
            let position = Int.random(in: text.indices, using: &random)
            switch seed % 4 {
            case 0: text[position] = UInt8.random(in: 0...255, using: &random)
            case 1: text[position] = "{}[],:\"1 ".utf8.randomElement(using: &random)!
            case 2: text.remove(at: position)
            default: text.insert("{}[],:\"1 ".utf8.randomElement(using: &random)!, at: position)
            }
            if !isAlike(text) { Issue.record("seed \(seed): \(String(decoding: text, as: UTF8.self))") }
        }
    }

    @Test(
        "the ends of objects and of their parts are where they are",
        arguments: [
            "{\"aaaa\":1,\"bbbb\":2,}", "{\"aaaa\":1,,\"bbbb\":2}", "{,\"aaaa\":1,\"bbbb\":2}",
            "{\"aaaa\":1,\"bbbb\":2]",
            "{\"aaaa\":1,\"bbbb\":2}}", "{\"aaaa\":1,\"bbbb\":2} x", "{\"aaaa\":1,\"bbbb\":2} \n",
            "{\"aaaa\":1,\"bbbb\"}",
            "{\"aaaa\":1,\"bbbb\":2", "{\"aaaa\":1},{\"bbbb\":2}", "[{\"aaaa\":1,\"bbbb\":2},{\"a\":{},\"cccc\":{}}]",
            "{\"x\":{\"aaaa\":1,\"bbbb\":{\"c\":3}},\"y\":{},\"z\":{\"aaaa\":[{}],\"bbbb\":2}}",
            "{\"aaaa\":1,\"bbbb\":2,\"aaaa\":3}", "{\"aaaa\":1,\"bbbb\":2,\"\\u0061aaa\":3}",
            "{\"x\":{\"aaaa\":1,\"bbbb\":{\"c\":3,\"c\":4}}}",
            "{\"x\":{\"aaaa\":1,\"bbbb\":2},\"x\":{\"aaaa\":1,\"bbbb\":2}}",
            "{\"aaaa\":\"\\ud83d\",\"bbbb\":2}", "{\"aaaa\":\",}{\",\"bbbb\":\"}\"}", "{\"aaaa\":tru,\"bbbb\":1}",
            "{ , }",
            "{\"aaaa\":01,\"bbbb\":2}", "{\"x\":1}{\"aaaa\":1,\"bbbb\":2}",
            "{\"a{\":{\"aaaa\":1, \"bbbb\":2 }, \"c\" :3 }",
        ])
    func ends(text: String) {
        #expect(isAlike(Array(text.utf8)))
    }

    @Test("an array stays one, whatever it begins with", arguments: ["\\u00ff", "\\ud83d", "\u{FF}", "", "\\ud83dx"])
    func array(first: String) throws {
        let text = "{\"a\": [\"\(first)\", {\"b\": 1, \"c\": 2}], \"d\": 1}"
        #expect(isAlike(Array(text.utf8)))
        let tree = try read(Array(text.utf8), partBytes: 1).get()
        #expect(tree.top["a"]?.elements?.count == 2)
        #expect(tree.top["a"]?.memberCount == nil)
    }

    @Test("a text with a large object is a value with all its members")
    func value() throws {
        let members = (0..<5_000).map { JSONValue.Member("key \($0)", $0 % 7 == 0 ? ["x": .null] : JSONValue($0)) }
        let value: JSONValue = [
            "before": .bool(true), "large": .object(members), "after": .array([.object(members), .null]),
        ]
        let tree = try JSONTree(parsing: Array(value.text(pretty: false).utf8), limits: JSONLimits())
        #expect(tree.top.value == value)
        #expect(tree.top["large"]?.memberCount == 5_000)
        #expect(tree.top["large"]?["key 4999"]?.value == .integer(4_999))
        #expect(tree.top["large"]?["key"] == nil)
    }
}
