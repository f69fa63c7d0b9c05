import CoreDataStore
import MeterTestSupport
import Testing

@Suite struct DamagedPropertyListTests {
    private let sample = PropertyList.dictionary([
        "name": .string("meter"), "größe": .string("漢字"), "count": .integer(-3), "when": .date(743_911_561.25),
        "bytes": .data([UInt8](repeating: 7, count: 20)), "list": .array([.bool(true), .uid(300), .null, .real(1.5)]),
    ])

    private func reason(_ bytes: [UInt8], limits: BinaryPropertyListLimits = .init()) -> String? {
        failure { () throws(BinaryPropertyListError) in _ = try PropertyList(binary: bytes, limits: limits) }?
            .description
    }

    @Test("a property list truncated at any byte is an error")
    func truncated() {
        let bytes = sample.binaryPropertyList()
        for count in 0..<bytes.count {
            #expect(reason(Array(bytes[0..<count])) != nil, "cut at \(count)")
        }
    }

    @Test("any byte may be anything")
    func anyByteChanged() throws {
        let bytes = sample.binaryPropertyList()
        for index in bytes.indices {
            for flip: UInt8 in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] ^= flip
                // Another value or an error; what counts is that it ends, and that what was read can be written.
                guard let list = try? PropertyList(binary: damaged) else { continue }
                #expect(try PropertyList(binary: list.binaryPropertyList()).binaryPropertyList().count > 0)
            }
        }
    }

    @Test("random bytes between header and trailer are harmless", arguments: 0..<200)
    func randomBytes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let objects = (0..<40).map { _ in (0..<6).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        let bytes = HandMadePropertyList(objects).bytes
        do throws(BinaryPropertyListError) {
            // What was read can be written, and is what is read again.
            let written = try PropertyList(binary: bytes).binaryPropertyList()
            #expect(try PropertyList(binary: written).binaryPropertyList() == written)
        } catch {
            #expect(bytes.indices.contains(error.offset), "\(error)")
        }
    }

    @Test("a container that contains itself is an error")
    func selfContained() {
        #expect(
            reason(HandMadePropertyList([[0xA1, 1], [0xA1, 0]]).bytes)
                == "object 0 contains itself, at byte 11 of the property list")
        #expect(
            reason(HandMadePropertyList([[0xD1, 1, 0], [0x51, 0x61]]).bytes)
                == "object 0 contains itself, at byte 10 of the property list")
    }

    @Test("a billion laughs are not expanded")
    func billionLaughs() {
        let levels = (1...30).map { [0xAA] + [UInt8](repeating: UInt8($0), count: 10) }
        #expect(
            reason(HandMadePropertyList(levels + [[0x53, 0x6C, 0x6F, 0x6C]]).bytes)?
                .hasPrefix("more than 1048576 values once expanded") == true)
    }

    @Test("a large string repeated a thousand times is too much")
    func repeatedString() {
        var limits = BinaryPropertyListLimits()
        limits.contentBytes = 1000
        let text: [UInt8] = [0x5F, 0x10, 100] + [UInt8](repeating: 0x61, count: 100)
        let twelve: [UInt8] = [0xAC] + [UInt8](repeating: 1, count: 12)
        #expect(
            reason(HandMadePropertyList([twelve, text]).bytes, limits: limits)
                == "more than 1000 bytes of text and data, at byte 8 of the property list")
    }

    @Test("nesting is limited")
    func nesting() {
        let levels = (1...200).map { [0xA1, UInt8($0)] } + [[0x08]]
        #expect(
            reason(HandMadePropertyList(levels).bytes)?
                .hasPrefix("more than 128 containers inside each other") == true)
    }

    @Test(
        "a count larger than the file is an error", arguments: [UInt8](arrayLiteral: 0x40, 0x50, 0x60, 0xA0, 0xC0, 0xD0)
    )
    func countTooLarge(type: UInt8) {
        for count: [UInt8] in [
            [0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x13] + [UInt8](repeating: 0xFF, count: 8),
            [0x12, 0x7F, 0xFF, 0xFF, 0xFF], [0x10, 0xFF], [0x51, 0x61], [0x14, 0], [0x1F], [],
        ] {
            #expect(reason(HandMadePropertyList([[type | 0x0F] + count]).bytes) != nil)
        }
    }

    @Test("a trailer that points nowhere is an error")
    func brokenTrailer() {
        for extreme: UInt64 in [.max, UInt64(Int.max), UInt64(Int.max) + 1, 1 << 32, 1000] {
            for number in [\HandMadePropertyList.objectCount, \.topObject, \.tableOffset] {
                var list = HandMadePropertyList([[0x08]])
                list[keyPath: number] = extreme
                #expect(reason(list.bytes) != nil)
            }
        }
        for sizes: [UInt8] in [[0, 1], [1, 0], [9, 1], [1, 9], [255, 255]] {
            var list = HandMadePropertyList([[0x08]])
            list.sizes = sizes
            #expect(reason(list.bytes) != nil)
        }
    }

    @Test(
        "what a value cannot hold is named in the error",
        arguments: [
            ([[0x61, 0xD8, 0x00]], "a string with an unpaired surrogate"),
            ([[0x51, 0xE9]], "an ASCII string with a byte above 127"),
            ([[0xD1, 1, 1], [0x10, 1]], "a key of a dictionary is not a string"),
            ([[0xD2, 1, 1, 1, 1], [0x51, 0x61]], "a dictionary has a duplicate key"),
            ([[0x14, 1] + [UInt8](repeating: 0, count: 15)], "an integer of more than 64 bits"),
            (
                [[0x14] + [UInt8](repeating: 0xFF, count: 8) + [0x7F] + [UInt8](repeating: 0xFF, count: 7)],
                "an integer of more than 64 bits"
            ),
            ([[0x70]], "an unknown object marker, 112"),
            ([[0xA1, 9]], "there is no object 9"),
        ] as [([[UInt8]], String)])
    func unsupportedValues(objects: [[UInt8]], expected: String) {
        #expect(reason(HandMadePropertyList(objects).bytes)?.hasPrefix(expected) == true)
    }

    @Test("other files are recognized")
    func otherFormats() {
        #expect(
            reason(Array("<?xml version".utf8))
                == "this is not a binary property list: it does not begin with bplist0, at byte 0 of the property list")
        var limits = BinaryPropertyListLimits()
        limits.inputBytes = 10
        #expect(
            reason(sample.binaryPropertyList(), limits: limits)?.contains("more than 10, at byte 10") == true)
    }
}
