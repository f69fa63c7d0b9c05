import CoreDataStore
import Testing

@Suite struct RawDeflateTests {
    private let text = Array(String(repeating: "meter by meter, ", count: 20_000).utf8)

    @Test("what is deflated is inflated")
    func roundTrip() throws {
        for bytes in [[], [1], text] {
            #expect(try RawDeflate.inflated(RawDeflate.deflated(bytes), limit: bytes.count) == bytes)
        }
        #expect(try RawDeflate.deflated(text).count < text.count / 100)
    }

    @Test("more than the limit is an error")
    func limit() throws {
        let bytes = try RawDeflate.deflated(text)
        #expect(throws: RawDeflate.DeflateError.tooLarge(limit: text.count - 1)) {
            try RawDeflate.inflated(bytes, limit: text.count - 1)
        }
        #expect(throws: RawDeflate.DeflateError.tooLarge(limit: 0)) { try RawDeflate.inflated(bytes, limit: 0) }
    }

    @Test("a stream truncated anywhere is an error")
    func truncated() throws {
        let bytes = try RawDeflate.deflated(Array(text[0..<500]))
        for count in bytes.indices {
            #expect(throws: RawDeflate.DeflateError.truncated) {
                try RawDeflate.inflated(Array(bytes[0..<count]), limit: 1000)
            }
        }
    }

    @Test("any byte may be anything")
    func anyByteChanged() throws {
        let bytes = try RawDeflate.deflated(Array(text[0..<500]))
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0xFF
            let inflated = try? RawDeflate.inflated(damaged, limit: 1000)
            #expect((inflated?.count ?? 0) <= 1000, "byte \(index)")
        }
        #expect(throws: RawDeflate.DeflateError.damaged("invalid block type")) {
            try RawDeflate.inflated([0xFF, 0xFF, 0xFF], limit: 1000)
        }
    }
}
