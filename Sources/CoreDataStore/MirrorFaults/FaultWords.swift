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
            half.split(separator: "|").map { $0.split(separator: "*").map { Self.folded($0.utf8) } }
        }
        wanted = alternatives(halves[0])
        unwanted = halves.count > 1 ? alternatives(halves[1]) : []
    }

    /// - Parameter text: folded.
    func areIn(_ text: ArraySlice<UInt8>) -> Bool {
        wanted.contains { Self.follow($0, in: text) } && !unwanted.contains { Self.follow($0, in: text) }
    }

    private static func follow(_ parts: [[UInt8]], in text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        for part in parts {
            guard let place = rest.firstRange(of: part[...]) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }

    /// With small letters for capital ones of ASCII: the system writes nothing else in its fixed words.
    package static func folded(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
