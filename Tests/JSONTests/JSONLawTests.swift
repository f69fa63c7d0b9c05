import CJSONC
import JSON
import MeterTestSupport
import Testing

@Suite struct JSONLawTests {
    @Test("what is written is read back the same, pretty or on one line")
    func writtenRead() throws {
        for seed in UInt64(0)..<1_000 {
            var random = SeededGenerator(seed: seed)
            let value = random.value(depth: 4)
            for pretty in [true, false] {
                let text = value.text(pretty: pretty)
                // Their texts are compared as well, for Swift takes composed and decomposed strings for the same.
                guard let read = try? JSONValue(parsing: Array(text.utf8)), read == value,
                    Array(read.text(pretty: pretty).utf8) == Array(text.utf8)
                else {
                    Issue.record("seed \(seed): \(text)")
                    return
                }
            }
        }
    }

    @Test("the layout is json-c's own")
    func layoutJson() {
        for seed in UInt64(0)..<1_000 {
            var random = SeededGenerator(seed: seed)
            let value = random.value(depth: 4)
            for pretty in [true, false] {
                let text = value.text(pretty: pretty)
                let object = json_tokener_parse(text)
                defer { json_object_put(object) }
                let flags =
                    JSON_C_TO_STRING_NOSLASHESCAPE | (pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : 0)
                // It leaves these as they are.
                let expected = String(cString: json_object_to_json_string_ext(object, Int32(flags)))
                    .replacing("\u{7F}", with: "\\u007f").replacing("\u{2028}", with: "\\u2028")
                // Where an empty object or array ends depends on json-c's version.
                func joined(_ text: String) -> [UInt8] {
                    Array(text.replacing(/([\[{])\n *([\]}])/) { "\($0.1)\($0.2)" }.utf8)
                }
                guard joined(text) == joined(expected) else {
                    Issue.record("seed \(seed): \(text) instead of \(expected)")
                    return
                }
            }
        }
    }

    @Test("a text cut anywhere is refused")
    func textCut() {
        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            let text = Array(JSONValue.array([random.value(depth: 3)]).text(pretty: random.next() % 2 == 0).utf8)
            for count in 0..<text.count where (try? JSONValue(parsing: Array(text.prefix(count)))) != nil {
                Issue.record("seed \(seed): \(count) bytes")
                return
            }
        }
    }

    @Test("any byte may be anything, and what is read then is read again from its own text")
    func anyByte() {
        for seed in UInt64(0)..<2_000 {
            var random = SeededGenerator(seed: seed)
            var text = Array(JSONValue.array([random.value(depth: 2)]).text(pretty: false).utf8)
            let position = Int.random(in: text.indices, using: &random)
            text[position] = UInt8.random(in: 0...255, using: &random)
            guard let value = try? JSONValue(parsing: text) else { continue }
            if (try? JSONValue(parsing: Array(value.text(pretty: false).utf8))) != value {
                Issue.record("seed \(seed): byte \(position)")
                return
            }
        }
    }
}

extension SeededGenerator {
    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &self) {
        case 0: return [.null, .bool(true), .bool(false)].randomElement(using: &self)!
        case 1: return .integer(Int64(bitPattern: next() >> UInt64.random(in: 0..<64, using: &self)))
        case 2:
            let number = Double(bitPattern: next())
            return .double(number.isFinite ? number : 0.5)
        case 3, 4: return .string(text(allowing: "\0"))
        case 5, 6: return .array((0..<Int.random(in: 0..<4, using: &self)).map { _ in value(depth: depth - 1) })
        default:
            var keys: [[UInt8]] = []
            var members: [JSONValue.Member] = []
            for _ in 0..<Int.random(in: 0..<4, using: &self) {
                let key = text(allowing: "x")
                guard !keys.contains(Array(key.utf8)) else { continue }
                keys.append(Array(key.utf8))
                members.append(.init(key, value(depth: depth - 1)))
            }
            return .object(members)
        }
    }

    private mutating func text(allowing scalar: Unicode.Scalar) -> String {
        let scalars: [Unicode.Scalar] = [
            scalar, "a", "b", "\"", "\\", "/", "\n", "\u{1F}", "\u{7F}", "\u{FC}", "u", "\u{308}", "\u{2028}",
            "\u{1F600}", "\u{FFFF}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<6, using: &self) { text.append(scalars.randomElement(using: &self)!) }
        return String(text)
    }
}
