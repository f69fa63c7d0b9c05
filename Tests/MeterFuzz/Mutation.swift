package import MeterTestSupport

/// Damage to bytes: what a transfer, a disk or a bad will does to them.
package enum Mutation: CaseIterable {
    case flippedBit, strangeByte, truncated, cutOut, repeated, spliced, extremeLength, extremeNumber

    private static let strangeBytes: [UInt8] = [0, 1, 0x20, 0x22, 0x2F, 0x3C, 0x5C, 0x7F, 0x80, 0xC3, 0xED, 0xFE, 0xFF]
    private static let numbers = [
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e308", "-1e308", "1e999", "-1", "0",
        "0.5",
        "4294967296", "1e19",
    ].map { Array($0.utf8) }

    /// One of the seeds with one to four damages.
    package static func damaged(_ seeds: [[UInt8]], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = seeds.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let kind = allCases.randomElement(using: &generator) ?? .flippedBit
            kind.apply(to: &bytes, seeds, using: &generator)
        }
        return bytes
    }

    private func apply(to bytes: inout [UInt8], _ seeds: [[UInt8]], using generator: inout SeededGenerator) {
        let start = Int.random(in: 0..<bytes.count, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 1...64, using: &generator))
        switch self {
        case .flippedBit: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case .strangeByte: bytes[start] = Self.strangeBytes.randomElement(using: &generator) ?? 0
        case .truncated: bytes.removeSubrange(start...)
        case .cutOut: bytes.removeSubrange(start..<end)
        case .repeated:
            let block = Array(repeating: Array(bytes[start..<end]), count: Int.random(in: 1...50, using: &generator))
            bytes.insert(contentsOf: block.joined(), at: start)
        case .spliced:
            let other = seeds.randomElement(using: &generator) ?? []
            bytes.replaceSubrange(start..., with: other.dropFirst(Int.random(in: 0...other.count, using: &generator)))
        case .extremeLength:
            // The binary formats keep their numbers with the most significant byte first.
            let width = min([1, 2, 4, 8].randomElement(using: &generator) ?? 1, bytes.count - start)
            let number: [UInt8] =
                [
                    [UInt8](repeating: 0xFF, count: width), [0x7F] + [UInt8](repeating: 0xFF, count: width - 1),
                    [0x80] + [UInt8](repeating: 0, count: width - 1), [UInt8](repeating: 0, count: width),
                ].randomElement(using: &generator) ?? []
            bytes.replaceSubrange(start..<start + width, with: number)
        case .extremeNumber:
            let digits: ClosedRange<UInt8> = 0x30...0x39
            guard let first = bytes[start...].firstIndex(where: digits.contains) else { return }
            let last = bytes[first...].firstIndex { !digits.contains($0) } ?? bytes.count
            bytes.replaceSubrange(first..<last, with: Self.numbers.randomElement(using: &generator) ?? [])
        }
    }
}
