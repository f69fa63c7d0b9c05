import CoreDataStore
import Testing

@Suite struct DeflateTests {
    private let text = Array(String(repeating: "meter by meter, ", count: 20_000).utf8)

    @Test("what is deflated is inflated")
    func roundTrip() throws {
        for bytes in [[], [1], text] {
            #expect(try bytes.deflated().inflated(limit: bytes.count) == bytes)
        }
        #expect(try text.deflated().count < text.count / 100)
    }

    @Test("more than the limit is an error")
    func limit() throws {
        let bytes = try text.deflated()
        #expect(throws: DeflateError.tooLarge(limit: text.count - 1)) {
            try bytes.inflated(limit: text.count - 1)
        }
        #expect(throws: DeflateError.tooLarge(limit: 0)) { try bytes.inflated(limit: 0) }
    }

    @Test("nothing more is inflated once nobody wants it")
    func stopped() throws {
        let bytes = try text.deflated()
        var steps = 0
        #expect(throws: DeflateError.stopped) {
            try bytes.inflated(
                limit: text.count,
                while: {
                    steps += 1
                    return steps < 3
                })
        }
        #expect(steps == 3)
    }

    @Test("the checksum is that of ZIP")
    func checksum() {
        #expect(Array("123456789".utf8).checksum == 0xCBF4_3926)
        #expect([UInt8]().checksum == 0)
    }

    @Test("a stream truncated anywhere is an error")
    func truncated() throws {
        let bytes = try Array(text[0..<500]).deflated()
        for count in bytes.indices {
            #expect(throws: DeflateError.truncated) {
                try Array(bytes[0..<count]).inflated(limit: 1000)
            }
        }
    }

    @Test("any byte may be anything")
    func anyByteChanged() throws {
        let bytes = try Array(text[0..<500]).deflated()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0xFF
            let inflated = try? damaged.inflated(limit: 1000)
            #expect((inflated?.count ?? 0) <= 1000, "byte \(index)")
        }
        #expect(throws: DeflateError.damaged("invalid block type")) {
            try [UInt8]([0xFF, 0xFF, 0xFF]).inflated(limit: 1000)
        }
    }
}
