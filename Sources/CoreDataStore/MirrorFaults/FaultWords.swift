internal import Texts

/// Words that a text must have: alternatives, each of them parts that follow each other with anything between.
struct FaultWords: Hashable, Sendable {
    let text: String
    private let wanted: [[[UInt8]]]
    private let unwanted: [[[UInt8]]]

    /// - Parameter text: see ``MirrorFault/condition``.
    init(_ text: String) {
        self.text = text
        let halves = text.split(separator: "!", maxSplits: 1)
        func alternatives(_ half: Substring) -> [[[UInt8]]] {
            half.split(separator: "|").map { words in
                words.split(separator: "*").map { Array($0.utf8).withUnsafeBufferPointer(Self.folded) }
            }
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

    /// One of these must be in a text: the longest part of each alternative, for beginnings are alike more often.
    var signs: [String] {
        wanted.compactMap { parts in parts.max { $0.count < $1.count }.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// With small letters for capital ones of ASCII: the system writes nothing else in its fixed words.
    static func folded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        // The compiler makes a few instructions of such a loop.
        Array(unsafeUninitializedCapacity: text.count) { room, count in
            for place in text.indices { room[place] = folded(text[place]) }
            count = text.count
        }
    }

    static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
