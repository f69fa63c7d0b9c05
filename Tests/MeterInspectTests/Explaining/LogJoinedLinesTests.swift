import Testing

@testable import MeterInspect

@Suite("the lines of a message")
struct LogJoinedLinesTests {
    /// Byte by byte, what eight bytes at a time have to give, too.
    private static func joined(_ lines: [[UInt8]]) -> [UInt8] {
        lines.joined(separator: [0x20]).reduce(into: []) { joined, byte in
            let isSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            if !isSpace || joined.last != 0x20 { joined.append(isSpace ? 0x20 : byte) }
        }
    }

    @Test("have every white space as one space", arguments: 1..<300)
    func spaces(_ seed: UInt64) {
        var state = seed
        func next(below count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let letters: [UInt8] = [0x20, 0x20, 0x09, 0x0A, 0x61, 0x62, 0x1F, 0x21, 0xA0, 0xC3, 0x7B, 0x00]
        let lines = (0...next(below: 3)).map { _ in
            // Of many letters few are spaces.
            (0..<next(below: 60)).map { _ in letters[next(below: 2) == 0 ? 4 : next(below: letters.count)] }
        }
        var message = LogJoinedLines()
        for line in lines { line.withUnsafeBufferPointer { message.add($0[...]) } }
        #expect(message.bytes == Self.joined(lines))
        #expect(message.lines == lines.count)
        #expect(message.tabs.allSatisfy { message.bytes[$0] == 0x20 } && message.tabs.count <= 3)
    }
}
