internal import MeterModel

extension Originals {
    /// An original that a file has.
    package struct Found: Hashable, Sendable, CustomStringConvertible {
        let content: Content
        package let description: String

        package static func == (left: Found, right: Found) -> Bool { left.content == right.content }
        package func hash(into hasher: inout Hasher) { hasher.combine(content) }
    }

    /// The originals in a file, each once, with the first place that is more than harmless words.
    package func found(in haystack: Haystack) -> [Found] {
        var patterns: [[UInt8]] = []
        var owners: [Int] = []
        for (index, original) in all.enumerated() {
            for pattern in Self.patterns(of: original.content) {
                patterns.append(pattern)
                owners.append(index)
            }
        }
        let scan = PatternScan(patterns)
        let words = harmless.patterns
        let harmlessScan = PatternScan(words)
        var result: [Int: Found] = [:]
        for part in haystack.parts {
            var hits: [(pattern: Int, offset: Int)] = []
            scan.forEachOccurrence(in: part.bytes) { pattern, offset in
                guard result[owners[pattern]] == nil, !part.isGuess || patterns[pattern].count >= 6 else { return }
                hits.append((pattern, offset))
            }
            guard !hits.isEmpty else { continue }
            var isHarmless = [Bool](repeating: false, count: part.bytes.count)
            harmlessScan.forEachOccurrence(in: part.bytes) { word, offset in
                for index in offset..<offset + words[word].count { isHarmless[index] = true }
            }
            for (pattern, offset) in hits where result[owners[pattern]] == nil {
                let range = offset..<offset + patterns[pattern].count
                let original = all[owners[pattern]]
                // Between two words that stay there can be a byte of their rows' heads.
                if isHarmless[range].count(where: { !$0 }) <= (original.isLeftOver ? 2 : 0) { continue }
                result[owners[pattern]] = Found(
                    content: original.content,
                    description:
                        "\(Self.shown(original.content)) (\(original.place)) in \(part.name) at byte \(offset): "
                        + Self.excerpt(part.bytes, range))
            }
        }
        return result.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The originals that are not found in a file, for the proof that the search finds what is there. One that is made of
    /// harmless words alone cannot be found.
    /// - Parameter withLeftOvers: whether to miss what no row has as well.
    package func missing(in haystack: Haystack, withLeftOvers: Bool = false) -> [String] {
        let found = Set(found(in: haystack).map(\.content))
        let words = harmless.patterns
        let harmlessScan = PatternScan(words)
        return all.filter { original in
            guard !found.contains(original.content), withLeftOvers || !original.isLeftOver else { return false }
            let text = Self.patterns(of: original.content)[0]
            var isHarmless = [Bool](repeating: false, count: text.count)
            harmlessScan.forEachOccurrence(in: text) { word, offset in
                for index in offset..<offset + words[word].count { isHarmless[index] = true }
            }
            return !isHarmless.allSatisfy { $0 }
        }.map { "\(Self.shown($0.content)) (\($0.place))" }
    }

    /// Everything that would be this original in a file.
    private static func patterns(of content: Content) -> [[UInt8]] {
        func encoded(_ texts: [String]) -> [[UInt8]] {
            texts.flatMap { text in TextEncoding.allCases.map { $0.bytes(of: text) } }
        }
        return switch content {
        case .text(let text): encoded([text])
        case .uuid(let bytes): [bytes] + encoded(AddressText.uuidSpellings(bytes))
        // As bytes, one that is nearly all zeros is everywhere.
        case .address(let octets):
            (Set(octets).count > 3 ? [octets] : []) + encoded(AddressText.spellings(octets))
        case .bytes(let bytes): [bytes]
        }
    }

    private static func shown(_ content: Content) -> String {
        switch content {
        case .text(let text): "\"\(text.prefix(80))\""
        case .uuid(let bytes): "the id \(Hexadecimal.uuidText(of: bytes))"
        case .address(let octets): "the address \(Hexadecimal.text(of: octets))"
        case .bytes(let bytes):
            ContainerContents.printable(bytes).map { "\"\($0)\"" } ?? "the bytes \(Hexadecimal.text(of: bytes))"
        }
    }

    /// What is around a place, with a dot for what cannot be printed.
    private static func excerpt(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        let wide = bytes[max(0, range.lowerBound - 16)..<min(bytes.count, range.upperBound + 16)]
        return String(decoding: wide.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    }
}
