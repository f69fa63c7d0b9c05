internal import MeterModel
internal import Texts

/// What stands in the copy for the values of a store.
///
/// A replacement follows from the key and the value alone, so that equal values stay equal, in one file and across files.
/// A UUID becomes a UUID, an address an address, also as text, and any other text becomes words that nobody wrote.
final class Pseudonyms {
    private let key: RedactionKey
    private let addresses: PseudonymousAddress
    /// Values whose replacements are not their own: see `WinnerOrder`.
    private var texts: [[UInt8]: [UInt8]] = [:]
    private var blobs: [[UInt8]: [UInt8]] = [:]
    private(set) var tally = RedactionTally()
    /// Nil where nobody wants to know who is who.
    private(set) var map: RedactionMap?

    init(_ key: RedactionKey, keepsMap: Bool) {
        self.key = key
        addresses = PseudonymousAddress(key)
        map = keepsMap ? RedactionMap() : nil
    }

    /// From now on these values have the replacements of others.
    func assign(texts: [[UInt8]: [UInt8]], blobs: [[UInt8]: [UInt8]]) {
        self.texts = texts
        self.blobs = blobs
    }

    /// The replacement of a text. White space around it stays, and so do a placeholder for an address, a word that says
    /// only which kind of device or meter it is, and the end of a host name.
    /// - Parameters:
    ///   - place: where it was found, for the map.
    ///   - isHarmless: whether a text without the white space around it may stay.
    func text(
        _ bytes: UnsafeBufferPointer<UInt8>, in place: String, isHarmless: ((String) -> Bool)? = nil
    ) -> [UInt8] {
        let core = WhiteSpace.trim(bytes)
        guard !core.isEmpty, core.withContiguousBytes({ MachineMadeName(utf8: $0) })?.isKind != true else {
            return Array(bytes)
        }
        let words = Array(core)
        if let isHarmless, isHarmless(String(decoding: words, as: UTF8.self)) { return Array(bytes) }
        let (replacement, kind) = replacement(ofWords: words)
        guard replacement != words else { return Array(bytes) }
        tally.count(kind)
        map?.add(kind, words, replacement, in: place)
        return bytes[..<core.startIndex] + replacement + bytes[core.endIndex...]
    }

    func text(_ text: String, in place: String, isHarmless: ((String) -> Bool)? = nil) -> String {
        var text = text
        return String(
            decoding: text.withUTF8 { self.text($0, in: place, isHarmless: isHarmless) }, as: UTF8.self)
    }

    /// The replacement of a text without white space around it; not counted.
    func plain(_ words: [UInt8]) -> [UInt8] { replacement(ofWords: words).bytes }

    private func replacement(ofWords words: [UInt8]) -> (bytes: [UInt8], kind: RedactionTally.Kind) {
        if !texts.isEmpty, let assigned = texts[words] { return (assigned, .id) }
        if let uuid = UUIDText(words) {
            return (uuid.text(of: self.uuid(uuid.bytes), pattern: casePattern(words)), .id)
        }
        if let address = words.withUnsafeBufferPointer({ MACAddress.parse(utf8: $0) })?.address {
            return (addresses.replacement(of: address, writtenAs: words), .address)
        }
        if let end = words.withUnsafeBufferPointer({ MachineMadeName.hostSuffix(of: $0).map(Array.init) }) {
            return (replacement(ofWords: words.dropLast(end.count)).bytes + end, .text)
        }
        let digest = key.digest(.text, words)
        let text = Proquint.text(of: Self.number(digest))
        // What is not UTF-8 stays so.
        return (words.withUnsafeBufferPointer(UTF8Check.isValid) ? text : text + [0xFF], .text)
    }

    /// The replacement of the bytes of an id or of anything else that is not understood: as many of them.
    func bytes(_ bytes: [UInt8]) -> [UInt8] {
        if !blobs.isEmpty, let assigned = blobs[bytes] { return assigned }
        switch bytes.count {
        case 0: return []
        case 16:
            return uuid(bytes)
        case ..<8:
            // A digest would make the same of different short values now and then.
            let permutation = KeyedPermutation(
                of: 1 << UInt64(8 * bytes.count), key, .bytes, tweak: UInt64(bytes.count))
            let number = permutation(bytes.reduce(0) { $0 << 8 | UInt64($1) })
            return bytes.indices.map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
        default:
            let seed = key.digest(.bytes, bytes)
            var generator = SeededGenerator(seed: Self.number(seed))
            return (seed + bytes.dropFirst(seed.count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
                .prefix(bytes.count).map(\.self)
        }
    }

    /// The same for a blob, which may be an id.
    func blob(_ bytes: [UInt8], in place: String) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        let replacement = self.bytes(bytes)
        if bytes.count == 16 {
            tally.count(.id)
            map?.add(.id, UUIDText.bytes(of: bytes), UUIDText.bytes(of: replacement), in: place)
        } else {
            tally.count(.blob)
            tally.unknown(place)
        }
        return replacement
    }

    /// Version and variant of a UUID say how it was made, and stay.
    private func uuid(_ bytes: [UInt8]) -> [UInt8] {
        var replacement = Array(key.digest(.uuid, bytes).prefix(16))
        replacement[6] = bytes[6] & 0xF0 | replacement[6] & 0x0F
        replacement[8] = bytes[8] & 0xC0 | replacement[8] & 0x3F
        return replacement
    }

    /// Another number with as many digits and the same sign. Different ones stay different.
    func integer(_ number: Int64) -> Int64 {
        tally.count(.number)
        // The smallest and the smallest beyond those with as many digits.
        var (digits, low, high): (UInt64, UInt64, UInt64) = (1, 0, 10)
        while number.magnitude >= high, digits < 18 { (digits, low, high) = (digits + 1, high, high * 10) }
        if number.magnitude >= high { (digits, low, high) = (19, high, UInt64(Int64.max)) }
        // There is no zero below zero.
        if number < 0 { low = max(low, 1) }
        guard number.magnitude < high else { return number }
        let permutation = KeyedPermutation(of: high - low, key, .integer, tweak: digits)
        let other = Int64(low + permutation(number.magnitude - low))
        return number < 0 ? -other : other
    }

    /// Another number, from 0 up to 1.
    func real(_ number: Double) -> Double {
        tally.count(.number)
        return Double(key.number(.real, number.bitPattern, 0) >> 11) / Double(1 << 53 as UInt64)
    }

    /// In place of a digest in hex digits.
    func digest(_ text: String) -> String { Hexadecimal.text(of: key.digest(.digest, text.utf8)) }

    /// A part of the copy is not what it was in the store, and nobody could know whether it was harmless.
    func noteUnknown(_ place: String) { tally.unknown(place) }

    func countDate() { tally.count(.date) }

    private func casePattern(_ words: [UInt8]) -> [UInt8] { key.digest(.letterCase, words) }

    private static func number(_ digest: [UInt8]) -> UInt64 { digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate func withContiguousBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(rebasing: self))
    }
}

/// SplitMix64: the same numbers for the same seed, on every machine.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
