internal import Texts

/// What is wrong with a text that should be an address, as a person needs it who corrects a list. Nothing of it is
/// imported: the address that is meant is a guess.
package struct AddressFault: Hashable, Sendable {
    /// In words: lower case, no full stop.
    package let words: String
    /// The address without the fault, where there is one.
    package let meant: MACAddress?
    /// Whether the text is a UUID, as Core Bluetooth names a peripheral.
    package let isCoreBluetooth: Bool

    private init(_ words: String, meant: MACAddress? = nil, isCoreBluetooth: Bool = false) {
        self.words = words
        self.meant = meant
        self.isCoreBluetooth = isCoreBluetooth
    }

    /// A whole sentence about the fault, without its end.
    /// - Parameter letterCase: of the address that is meant.
    package func hint(in letterCase: LetterCase) -> String {
        guard let meant else { return words }
        return "\(words); \(meant.text(in: letterCase)) may be meant"
    }

    /// Nil for an address, and for a text of which nothing can be said.
    package init?(in text: String) {
        guard MACAddress.parse(text) == nil else { return nil }
        let trimmed = WhiteSpace.trimmed(text)
        guard !trimmed.isEmpty else {
            self.init("there is no address")
            return
        }
        guard trimmed.utf8.count <= 200 else {
            self.init("it is too long: an address has 12 hex digits")
            return
        }
        guard !Hexadecimal.isUUID(trimmed.utf8) else {
            self.init(
                "it is a UUID, Core Bluetooth's identifier of a peripheral, which is a different one on each device; no "
                    + "address follows from it",
                isCoreBluetooth: true)
            return
        }
        let typed = TypedAddress(trimmed)
        let rest = Self.fault(in: typed.text)
        let meant = MACAddress.parse(typed.text)?.address ?? rest?.meant
        let words = typed.faults + (rest.map { [$0.words] } ?? [])
        guard !words.isEmpty else { return nil }
        self.init(words.joined(separator: "; "), meant: meant)
    }

    /// Of a text in ASCII's characters, as far as they were put right; nil for an address.
    private static func fault(in text: String) -> AddressFault? {
        guard MACAddress.parse(text) == nil else { return nil }
        let groups = text.utf8.split(omittingEmptySubsequences: false) { MACAddress.separators.contains($0) }
        if groups.joined().allSatisfy({ Hexadecimal.digit($0) != nil }) {
            return number(of: groups.map { String(decoding: $0, as: UTF8.self) })
        }
        return besides(text) ?? letters(in: text)
    }

    /// Too many or too few digits.
    private static func number(of groups: [String]) -> AddressFault {
        let digits = groups.reduce(0) { $0 + $1.utf8.count }
        if groups.count == 6, groups.allSatisfy({ (1...2).contains($0.utf8.count) }) {
            let padded = groups.map { $0.utf8.count == 1 ? "0" + $0 : $0 }
            let short = groups.filter { $0.utf8.count == 1 }
            return AddressFault(
                short.isEmpty
                    ? "between its pairs are neither colons nor hyphens throughout"
                    : "the zero in front of \(short.joinedByAnd) is missing: each pair has two digits",
                meant: MACAddress.parse(padded.joined(separator: ":"))?.address)
        }
        if groups.count > 1, groups.allSatisfy({ $0.utf8.count == 2 }) {
            return AddressFault("it has \(groups.count) pairs of digits; an address has 6")
        }
        if digits == 12 { return AddressFault("its 12 digits are grouped as in no address: six pairs are wanted") }
        return AddressFault("it has \(digits) hex digits; an address has 12")
    }

    /// An address with text in front of it or behind it.
    private static func besides(_ text: String) -> AddressFault? {
        let bytes = Array(text.utf8)
        func isDigit(_ place: Int) -> Bool { bytes.indices.contains(place) && Hexadecimal.digit(bytes[place]) != nil }
        for length in [17, 14, 12] where bytes.count > length {
            for start in 0...bytes.count - length where !isDigit(start - 1) && !isDigit(start + length) {
                let part = String(decoding: bytes[start..<start + length], as: UTF8.self)
                guard let (address, _) = MACAddress.parse(part), WhiteSpace.trimmed(part).utf8.count == length else {
                    continue
                }
                let isLast = start + length == bytes.count
                let place = start == 0 ? "behind" : isLast ? "in front of" : "around"
                return AddressFault("there is text \(place) the address", meant: address)
            }
        }
        return nil
    }

    /// Letters in the place of digits.
    private static func letters(in text: String) -> AddressFault? {
        var (read, wrong, twins, digits) = ("", [String](), [String](), 0)
        for scalar in text.unicodeScalars {
            let byte = scalar.isASCII ? UInt8(scalar.value) : nil
            if let byte, MACAddress.separators.contains(byte) || Hexadecimal.digit(byte) != nil {
                digits += Hexadecimal.digit(byte) == nil ? 0 : 1
                read.unicodeScalars.append(scalar)
            } else if let byte, let digit = MACAddress.lookalikes[byte | 0x20] {
                let twin = "the letter \(scalar) for a \(Unicode.Scalar(digit))"
                if !twins.contains(twin) { twins.append(twin) }
                read.unicodeScalars.append(Unicode.Scalar(digit))
            } else {
                if !wrong.contains("\(scalar)") { wrong.append("\(scalar)") }
                read.unicodeScalars.append(scalar)
            }
        }
        // Something else, such as a name.
        guard digits >= 8, wrong.count <= 3 else { return nil }
        guard wrong.isEmpty else {
            return AddressFault("\(wrong.joinedByAnd) \(wrong.count == 1 ? "is no hex digit" : "are no hex digits")")
        }
        let meant = MACAddress.parse(read)?.address ?? fault(in: read)?.meant
        return AddressFault("it has \(twins.joinedByAnd)", meant: meant)
    }
}

/// A text with what looks like ASCII's characters read as these, and what was read so.
struct TypedAddress {
    private(set) var text = ""
    private(set) var faults: [String] = []

    /// Letters of other alphabets that look like hex digits, and like the letters that are taken for some.
    private static let twins: [(script: String, letters: [Unicode.Scalar: Unicode.Scalar])] = [
        (
            "Cyrillic",
            [
                "А": "A", "В": "B", "С": "C", "Е": "E", "О": "0", "З": "3", "б": "6", "а": "a", "с": "c", "е": "e",
                "о": "0", "Ԁ": "D", "ԁ": "d", "Ь": "b",
            ]
        ),
        ("Greek", ["Α": "A", "Β": "B", "Ε": "E", "Ο": "0", "ο": "0", "Ϲ": "C", "ϲ": "c", "α": "a"]),
    ]

    /// What stands for a colon or a hyphen: dashes, wide and raised colons, what a person takes for one.
    private static let separators = Set("‐‑‒–—―−_/|;,·∶˸։".unicodeScalars)

    init(_ typed: String) {
        var (hidden, wide, foreign, other) = ([String](), false, false, [Unicode.Scalar]())
        var letters = [[Unicode.Scalar]](repeating: [], count: Self.twins.count)
        for scalar in typed.unicodeScalars {
            if let script = Self.twins.firstIndex(where: { $0.letters[scalar] != nil }) {
                if !letters[script].contains(scalar) { letters[script].append(scalar) }
                text.unicodeScalars.append(Self.twins[script].letters[scalar]!)
            } else if (0xFF01...0xFF5E).contains(scalar.value) {
                wide = true
                text.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)))
            } else if Self.separators.contains(scalar) {
                if !other.contains(scalar) { other.append(scalar) }
                text += ":"
            } else if !scalar.isASCII, scalar.properties.numericType == .decimal,
                let digit = scalar.properties.numericValue
            {
                foreign = true
                text += String(Int(digit))
            } else if scalar.isHidden || scalar.value == 0x200C || scalar.value == 0x200D {
                let name = "U+" + String(scalar.value, radix: 16, uppercase: true)
                if !hidden.contains(name) { hidden.append(name) }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        for (script, found) in zip(Self.twins, letters) where !found.isEmpty {
            let latin = found.map { String(script.letters[$0]!) }
            faults.append("it has \(script.script) letters that only look like \(latin.joined(separator: ", "))")
        }
        if wide { faults.append("it has full-width characters, as East Asian keyboards type them") }
        if foreign { faults.append("it has digits of another script") }
        if !hidden.isEmpty { faults.append("it has characters that nobody sees (\(hidden.joined(separator: ", ")))") }
        if !other.isEmpty, MACAddress.parse(text) != nil {
            faults.append("\(other.map(String.init).joined(separator: " ")) stands in place of colons")
        }
    }
}
