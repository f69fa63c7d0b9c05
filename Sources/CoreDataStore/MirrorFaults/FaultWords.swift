internal import Texts

/// Words that a text must have: alternatives, each of them parts that follow each other with anything between.
struct FaultWords: Hashable, Sendable {
    let text: String
    fileprivate let wanted: [[[UInt8]]]
    private let unwanted: [[[UInt8]]]

    /// - Parameter text: see ``MirrorFault/condition``.
    init(_ text: String) {
        self.text = text
        let halves = text.split(separator: "!", maxSplits: 1)
        func alternatives(_ half: Substring) -> [[[UInt8]]] {
            half.split(separator: "|").map { $0.split(separator: "*").map { Self.folded($0.utf8) } }
        }
        wanted = alternatives(halves[0])
        unwanted = halves.count > 1 ? alternatives(halves[1]) : []
    }

    /// - Parameter text: folded.
    func areIn(_ text: ArraySlice<UInt8>) -> Bool {
        text.withUnsafeBufferPointer { text in
            wanted.contains { Self.follow($0, in: text) } && !unwanted.contains { Self.follow($0, in: text) }
        }
    }

    private static func follow(_ parts: [[UInt8]], in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var place = 0
        for part in parts {
            guard let start = part.withUnsafeBufferPointer({ ByteSearch.firstIndex(of: $0, in: text, from: place) })
            else {
                return false
            }
            place = start + part.count
        }
        return true
    }

    /// With small letters for capital ones of ASCII: the system writes nothing else in its fixed words.
    package static func folded(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}

/// Tells in one pass which of many words can be in a text at all.
struct FaultWordFilter: Sendable {
    /// For each first byte of a pair of bytes, and for each second one, a bit for each word.
    private var firsts = [UInt64](repeating: 0, count: 256)
    private var seconds = [UInt64](repeating: 0, count: 256)

    /// - Parameter words: the first 64 of them have a bit of their own.
    init(_ words: [FaultWords]) {
        for (number, word) in words.enumerated() {
            for parts in word.wanted {
                // The pair in the middle of the longest part: beginnings are alike more often.
                guard let part = parts.max(by: { $0.count < $1.count }), part.count > 1 else { continue }
                let pair = Self.rarest(in: part)
                firsts[Int(part[pair])] |= 1 << UInt64(number & 63)
                seconds[Int(part[pair + 1])] |= 1 << UInt64(number & 63)
            }
        }
    }

    /// Where the pair begins whose letters are rarest in English.
    private static func rarest(in part: [UInt8]) -> Int {
        let common = Array(" etaoinsrhldcumfpgwybvkxjqz".utf8)
        func rank(_ byte: UInt8) -> Int { common.firstIndex(of: byte) ?? 20 }
        return (0..<part.count - 1).max { rank(part[$0]) + rank(part[$0 + 1]) < rank(part[$1]) + rank(part[$1 + 1]) }
            ?? 0
    }

    /// A bit for each word that can be in the text.
    func candidates(in text: ArraySlice<UInt8>) -> UInt64 {
        text.withUnsafeBufferPointer { text in
            firsts.withUnsafeBufferPointer { firsts in
                seconds.withUnsafeBufferPointer { seconds in
                    var found: UInt64 = 0
                    guard text.count > 1 else { return found }
                    var before = firsts[Int(text[0])]
                    for place in 1..<text.count {
                        let byte = Int(text[place])
                        found |= before & seconds[byte]
                        before = firsts[byte]
                    }
                    return found
                }
            }
        }
    }
}
