internal import CoreDataStore
internal import MeterModel
internal import Texts

/// What stands in the copy for the values of a store: "Meter 1", "Device 2", addresses, UUIDs and numbers in a row.
///
/// First all values are collected; then each gets its number, in the order of their bytes: what the order of addresses,
/// ids or record names decides is decided alike in the copy. Equal values of a kind have one number.
final class Replacements {
    /// Values that are counted together.
    private struct Series: Hashable {
        let kind: RedactedKind
        /// Of blobs and digests: how many bytes they have; of numbers: which of four kinds they are.
        var form = 0
    }

    /// The numbers of the values, from 1 up; 0 while they are collected.
    private var numbers: [Series: [[UInt8]: Int]] = [:]
    /// Of each text that is neither an address nor an id: it stands for one thing, wherever it is.
    private var kinds: [[UInt8]: RedactedKind] = [:]
    private var isCollecting = true
    private let letterCase: LetterCase
    /// Of this copy and of those before it.
    private(set) var map: RedactionMap
    private(set) var tally = RedactionTally()

    /// - Parameters:
    ///   - map: of copies before, whose values keep their numbers.
    ///   - letterCase: the store's, for an address without letters.
    init(continuing map: RedactionMap, letterCase: LetterCase) {
        self.map = map
        self.letterCase = letterCase
        for entry in map.entries {
            let value = Array(entry.original.utf8)
            numbers[Series(kind: entry.kind), default: [:]][value] = entry.number
            if RedactedKind.ofTexts.contains(entry.kind) { kinds[value] = entry.kind }
        }
    }

    /// Numbers the values that were collected, after those that have a number already. From now on they are replaced.
    func assignNumbers() {
        isCollecting = false
        for (value, kind) in kinds { _ = number(of: value, in: Series(kind: kind)) }
        for series in Array(numbers.keys) {
            let new = numbers[series, default: [:]].filter { $0.value == 0 }.keys
            var last = numbers[series]?.values.max() ?? 0
            for value in new.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                last += 1
                numbers[series]?[value] = last
            }
        }
    }

    /// 0 for a value that is only collected.
    private func number(of value: [UInt8], in series: Series) -> Int {
        if let number = numbers[series]?[value] { return number }
        numbers[series, default: [:]][value] = 0
        return 0
    }

    /// The number of a value that the map tells.
    private func number(
        of value: [UInt8], _ kind: RedactedKind, in place: String, shownAs replacement: (Int) -> [UInt8]
    ) -> Int {
        let number = number(of: value, in: Series(kind: kind))
        guard !isCollecting else { return number }
        tally.count(kind)
        map.add(kind, number, value, replacement(number), in: place)
        return number
    }

    /// The number of a text, and the kind that it counts among: a name if it is one anywhere.
    private func numbered(_ value: [UInt8], _ kind: RedactedKind, in place: String) -> (kind: RedactedKind, Int) {
        guard isCollecting else {
            let kind = kinds[value] ?? kind
            return (kind, number(of: value, kind, in: place) { Array("\(kind.word) \($0)".utf8) })
        }
        let known = kinds[value]
        if known.map({ numbers[Series(kind: $0)]?[value] == nil && kind < $0 }) ?? true { kinds[value] = kind }
        return (kind, 0)
    }

    private func count(_ kind: RedactedKind) {
        if !isCollecting { tally.count(kind) }
    }

    /// A part of the copy is not what it was in the store, and nobody could know whether it was harmless.
    func noteUnknown(_ place: String) {
        if !isCollecting { tally.unknown(place) }
    }
}

// MARK: - Texts

extension Replacements {
    /// The replacement of a text. White space around it stays, and so do a placeholder for an address, a word that says
    /// only which kind of device or meter it is, and the end of a host name.
    /// - Parameters:
    ///   - kind: of a text that is neither an address nor a UUID.
    ///   - place: where it was found, for the map.
    ///   - isHarmless: whether a text without the white space around it may stay.
    func text(
        _ bytes: UnsafeBufferPointer<UInt8>, _ kind: RedactedKind, in place: String,
        isHarmless: ((String) -> Bool)? = nil
    ) -> [UInt8] {
        let core = WhiteSpace.trim(bytes)
        guard !core.isEmpty, MachineMadeName(utf8: UnsafeBufferPointer(rebasing: core))?.isKind != true else {
            return Array(bytes)
        }
        let words = Array(core)
        if let isHarmless, isHarmless(String(decoding: words, as: UTF8.self)) { return Array(bytes) }
        return bytes[..<core.startIndex] + replacement(of: words, kind, in: place) + bytes[core.endIndex...]
    }

    func text(
        _ text: String, _ kind: RedactedKind, in place: String, isHarmless: ((String) -> Bool)? = nil
    ) -> String {
        var text = text
        return String(
            decoding: text.withUTF8 { self.text($0, kind, in: place, isHarmless: isHarmless) }, as: UTF8.self)
    }

    /// - Parameter words: without white space around them.
    private func replacement(of words: [UInt8], _ kind: RedactedKind, in place: String) -> [UInt8] {
        if let address = words.withUnsafeBufferPointer({ MACAddress.parse(utf8: $0) })?.address {
            return address.isPlaceholder ? words : self.address(address, writtenAs: words, in: place)
        }
        if kind == .id || words.withUnsafeBufferPointer({ MachineMadeName(utf8: $0) }) == .uuid {
            return Self.uuidText(of: number(of: words, .id, in: place, shownAs: Self.uuidText))
        }
        if let end = words.withUnsafeBufferPointer({ MachineMadeName.hostSuffix(of: $0).map(Array.init) }) {
            let (kind, number) = numbered(words.dropLast(end.count), kind, in: place)
            return Array("\(kind.word)-\(number)".utf8) + end
        }
        let (kind, number) = numbered(words, kind, in: place)
        let replacement = Array("\(kind.word) \(number)".utf8)
        // What is not UTF-8 stays so.
        return words.withUnsafeBufferPointer(UTF8Check.isValid) ? replacement : replacement + [0xFF]
    }

    /// In the notation of the text.
    private func address(_ address: MACAddress, writtenAs text: [UInt8], in place: String) -> [UInt8] {
        func digits(_ number: Int) -> [UInt8] {
            Array(MACAddress(bits: Self.firstAddress + UInt64(number)).text(in: .upper).utf8)
        }
        let original = Array(address.text(in: .upper).utf8)
        var rest = digits(number(of: original, .address, in: place, shownAs: digits))
            .filter { $0 != UInt8(ascii: ":") }[...]
        let areUpper = text.filter { Hexadecimal.digit($0) ?? 0 > 9 }.map { $0 < UInt8(ascii: "a") }
        var isUpper = areUpper.first ?? (letterCase == .upper)
        // Letters of both cases stay so: the first one is as it was, and the others are not.
        let hasBoth = areUpper.contains(!isUpper)
        return text.map { byte in
            guard Hexadecimal.digit(byte) != nil, let digit = rest.popFirst() else { return byte }
            guard digit >= UInt8(ascii: "A") else { return digit }
            defer { if hasBoth, rest.count == 11 { isUpper.toggle() } }
            return isUpper ? digit : digit | 0x20
        }
    }

    /// Before `AA:00:00:00:00:01`. No maker has such addresses: the second bit says that they are given locally.
    private static let firstAddress: UInt64 = 0xAA00_0000_0000

    /// 32 bytes in hex digits, in place of a digest.
    func digest(_ text: String) -> String {
        let series = Series(kind: .id, form: 32)
        count(.id)
        return Hexadecimal.text(of: Self.bytes(of: number(of: Array(text.utf8), in: series), count: 32))
    }
}

// MARK: - Bytes and numbers

extension Replacements {
    /// As many bytes. Any 16 bytes can be an id.
    func blob(_ bytes: [UInt8], in place: String) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        if bytes.count == 16 {
            let text = Array(Hexadecimal.uuidText(of: bytes).utf8)
            return Self.uuid(of: number(of: text, .id, in: place, shownAs: Self.uuidText))
        }
        count(.blob)
        noteUnknown(place)
        // The first one is 0, so that a single byte has room for all of them.
        let number = max(0, number(of: bytes, in: Series(kind: .blob, form: bytes.count)) - 1)
        return (1...bytes.count).reversed().map { $0 > 8 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * $0 - 8)) }
    }

    /// Another number with the same sign. Different ones stay different, and in their order; 0 tells nothing of anybody.
    func integer(_ number: Int64) -> Int64 {
        let rank = rank(of: number.magnitude, in: number < 0 ? 1 : 2)
        return number < 0 ? -rank : rank
    }

    /// The same for a number from 2^63 on.
    func unsigned(_ number: UInt64) -> Int64 { rank(of: number, in: 2) }

    /// The same, and no whole number: SQLite would store that as an integer in some columns.
    func real(_ number: Double) -> Double {
        guard number != 0 else { return 0 }
        // Without a sign the bits of a number have the order of the numbers.
        let rank = Double(rank(of: number.magnitude.bitPattern, in: number < 0 ? 3 : 4)) + 0.5
        return number < 0 ? -rank : rank
    }

    private func rank(of magnitude: UInt64, in form: Int) -> Int64 {
        guard magnitude != 0 else { return 0 }
        count(.number)
        let bytes = withUnsafeBytes(of: magnitude.bigEndian) { Array($0) }
        return Int64(number(of: bytes, in: Series(kind: .number, form: form)))
    }

    /// A UUID of version 4 that ends in the number, in decimal digits: these have no letter case.
    private static func uuid(of number: Int) -> [UInt8] {
        var bytes = bytes(of: number, count: 16)
        bytes[6] = 0x40
        bytes[8] = 0x80
        return bytes
    }

    private static func uuidText(of number: Int) -> [UInt8] { Array(Hexadecimal.uuidText(of: uuid(of: number)).utf8) }

    /// The number's decimal digits at the end, two in a byte.
    private static func bytes(of number: Int, count: Int) -> [UInt8] {
        var rest = number
        var bytes: [UInt8] = []
        for _ in 0..<count {
            bytes.append(UInt8(rest / 10 % 10) << 4 | UInt8(rest % 10))
            rest /= 100
        }
        return bytes.reversed()
    }
}
