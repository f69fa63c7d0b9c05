import Testing
import Texts

@Suite("the check of UTF-8")
struct UTF8CheckTests {
    /// Around each limit that decides what may follow what.
    private static let corners: [UInt8] = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
        0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]

    /// What the standard library says: where the first scalar begins that it cannot read.
    private static func firstInvalid(in text: [UInt8]) -> Int? {
        var position = 0
        while position < text.count {
            var rest = text[position...].makeIterator()
            var parser = Unicode.UTF8.ForwardParser()
            guard case .valid(let scalar) = parser.parseScalar(from: &rest) else { return position }
            position += scalar.count
        }
        return nil
    }

    @Test("says what the standard library says of each one, two and three bytes, and of four at the limits")
    func standardLibrary() {
        var texts: [[UInt8]] = [[]]
        for lead in 0...UInt8.max {
            texts.append([lead])
            texts += Self.corners.map { [lead, $0] }
        }
        for lead in Self.corners {
            for second in Self.corners {
                for third in Self.corners {
                    texts.append([lead, second, third])
                    if lead >= 0xF0 { texts += Self.corners.map { [lead, second, third, $0] } }
                }
            }
        }
        let wrong = texts.filter { UTF8Check.firstInvalid(in: $0) != Self.firstInvalid(in: $0) }
        #expect(wrong == [])
        #expect(texts.contains { Self.firstInvalid(in: $0) == 2 })
    }

    @Test("finds a fault wherever it stands among ASCII, and none before where it begins to look")
    func places() {
        for fault: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98]] {
            for place in 0..<20 {
                let before = [UInt8](repeating: 0x61, count: place)
                for after in 0..<10 {
                    let text = before + fault + [UInt8](repeating: 0x61, count: after)
                    #expect(UTF8Check.firstInvalid(in: text) == place)
                    #expect(UTF8Check.firstInvalid(in: text, from: place) == place)
                    #expect(UTF8Check.firstInvalid(in: text, from: place + fault.count) == nil)
                    #expect(!text.withUnsafeBufferPointer(UTF8Check.isValid))
                }
            }
        }
    }
}
