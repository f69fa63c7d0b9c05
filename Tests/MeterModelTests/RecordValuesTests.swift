import MeterModel
import MeterTestSupport
import Testing
import Texts

@Suite struct RecordValuesTests {
    /// Values of every kind, with the ends of each range.
    private static let samples: [FieldValue] = [
        .null, .integer(0), .integer(.min), .integer(.max), .real(0.5), .real(-0.0), .real(3), .integer(3),
        .real(.infinity), .text(""), .text("Kitchen"), .text(" \n"), .text("a\0b"), .text("电源"), .text("\u{3000}"),
        .text("12345678-9ABC-DEF0-1234-56789ABCDEF0"), .text("12345678-9ABC-DEF0-1234-56789ABCDEFG"),
        .text("12345678-9abc-def0-1234-56789abcdef0"), .text("12345678-9ABC-DEF0-1234-56789ABCDEF-"),
        .text("12345678-9ABC-DEF0-1234--6789ABCDEF0"), .text("123456789ABC-DEF0-1234-56789ABCDEF0-"),
        .text("12345678-9ABC-DEF0-1234-56-789ABCDEF"), .text(String(repeating: "-", count: 36)),
        .text(String(repeating: "long ", count: 200)), .malformedText([0xFF]), .malformedText([]), .blob([]),
        .blob([0]), .blob(Array(0...255)),
    ]

    private static func values(_ seed: UInt64) -> [FieldValue] {
        var random = SeededGenerator(seed: seed)
        return (0..<Int.random(in: 0...20, using: &random)).map { _ in random.pick(samples) }
    }

    @Test("what is put in comes out", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        let values = Self.values(seed)
        let packed = RecordValues(values)
        #expect(packed.count == values.count)
        #expect(Array(packed) == values)
        for (position, value) in values.enumerated() {
            #expect(packed.isNull(position) == value.isNull)
            #expect(packed.isEmpty(position) == value.isEmpty, "\(value)")
            #expect(packed.timestamp(position) == value.timestamp?.ifPlausible)
        }
    }

    /// Where 65,535 bytes are passed, its numbers take four bytes.
    @Test("what is put in comes out, also where it just fits into two bytes", arguments: 65_500...65_560)
    func widths(size: Int) {
        let values: [FieldValue] = [
            .integer(7), .blob(Array(repeating: 1, count: size)), .null, .text("Kitchen"),
        ]
        #expect(Array(RecordValues(values)) == values)
    }

    @Test("values are equal as values of fields are")
    func equality() {
        let packed = RecordValues(Self.samples)
        for left in Self.samples {
            let others = RecordValues(Self.samples.map { _ in left })
            for position in Self.samples.indices {
                #expect(
                    packed.isEqual(position, to: others) == (Self.samples[position] == left),
                    "\(Self.samples[position]) and \(left)")
            }
        }
        let (whole, real) = (RecordValues([.integer(3)]), RecordValues([.real(3)]))
        #expect(whole == real)
        #expect(whole.hashValue == real.hashValue)
        #expect(whole != RecordValues([.integer(3), .null]))
    }

    @Test("a builder starts again with each record")
    func reusedBuilder() {
        var builder = RecordValues.Builder()
        for values in [Self.samples, [], Self.samples.reversed()] {
            for value in values { builder.append(value) }
            #expect(Array(builder.finish()) == values)
        }
    }

    @Test(
        "text is distinguished from bytes that are not text",
        arguments: [
            ("Kitchen", true), ("", true), ("eight is", true), ("eight isn't, 电源", true), ("\u{10FFFF}", true),
        ])
    func textAndBytes(text: String, isValid: Bool) {
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBufferPointer(UTF8Check.isValid) == isValid)
        for broken: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] {
            #expect(!(bytes + broken).withUnsafeBufferPointer(UTF8Check.isValid), "\(text) \(broken)")
        }
    }
}
