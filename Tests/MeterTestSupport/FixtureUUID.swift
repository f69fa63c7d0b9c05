internal import MeterModel

/// A UUID that is the same on every run: number in, random-looking bytes out.
package struct FixtureUUID: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ number: UInt64) {
        var generator = SeededGenerator(seed: number &* 0x9E37_79B9 &+ 1)
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.bytes = bytes
    }

    /// Upper case with dashes, as `UUID.uuidString` has it.
    package var text: String { Hexadecimal.uuidText(of: bytes) }
}
