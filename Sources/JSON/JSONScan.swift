internal import Texts

/// One pass over a text before json-c's: what json-c lets pass or quietly alters though it is not JSON, or not a value
/// that can be held unaltered; and how much json-c will have to hold.
///
/// json-c takes, even where it is strict and checks UTF-8: Infinity and NaN, `-01` and `1.`, numbers out of range (as the
/// nearest in range), keys in single quotes, control characters in strings, keys with a NUL (cut there), unpaired
/// surrogates (as U+FFFD), overlong UTF-8 and surrogates in UTF-8. It counts nothing, and says of a NUL that the text
/// ends there. Other versions of it differ: with this pass all give the same answer.
struct JSONScan {
    /// As json-c is to read it: the backslash of an unpaired surrogate's escape is `JSONTree.mark`.
    private(set) var text: [UInt8]
    /// Where it begins behind a byte-order mark.
    let start: Int
    /// The first flaw. What follows it was not looked at.
    private(set) var flaw: JSONError?
    /// Objects and arrays.
    private(set) var containers = 0
    /// As often as they stand there.
    private(set) var keys = 0
    private(set) var hasUnpairedSurrogates = false

    private let limits: JSONLimits
    private let keepsUnpairedSurrogates: Bool
    private var position: Int
    private var commas = 0

    /// - Parameters:
    ///   - limits: of values, objects and arrays.
    ///   - keepsUnpairedSurrogates: take them for a flaw in keys only.
    init(_ text: [UInt8], _ limits: JSONLimits, keepsUnpairedSurrogates: Bool) {
        self.text = text
        self.limits = limits
        self.keepsUnpairedSurrogates = keepsUnpairedSurrogates
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        start = text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        position = start
        let encoding = UTF8Check.firstInvalid(in: text, from: start).map {
            JSONError(reason: "invalid UTF-8", offset: $0)
        }
        do {
            try readTokens()
            flaw = encoding
        } catch {
            flaw = encoding.map { $0.offset <= error.offset ? $0 : error } ?? error
        }
    }

    private var byte: UInt8? { position < text.count ? text[position] : nil }

    /// What is wrong with a text that ends too early, json-c says.
    private mutating func readTokens() throws(JSONError) {
        var depth = 0
        while let byte {
            switch byte {
            case UInt8(ascii: "\""): try readString()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= JSONValue.deepestNesting else { throw flaw("nesting too deep") }
                containers += 1
                try checkCounts()
                position += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma = commaBefore { throw JSONError(reason: "a comma that nothing follows", offset: comma) }
                depth -= 1
                position += 1
            case UInt8(ascii: ","):
                commas += 1
                try checkCounts()
                position += 1
            case UInt8(ascii: ":"):
                keys += 1
                position += 1
            // The beginnings of Infinity and NaN, single quotes, and NUL.
            case UInt8(ascii: "I"), UInt8(ascii: "N"), UInt8(ascii: "'"), 0: throw flaw("unexpected character")
            case 0x80...: throw flaw(strangeCharacter)
            default: position += 1
            }
        }
    }

    private func checkCounts() throws(JSONError) {
        // No fewer than there are.
        guard commas + containers < limits.values else {
            throw JSONError(reason: "more than \(limits.values) values", offset: 0)
        }
        guard containers <= limits.containers else {
            throw JSONError(reason: "more than \(limits.containers) objects and arrays", offset: 0)
        }
    }

    /// Of the comma that is the last character before `position`, white space left out; nil where there is none.
    private var commaBefore: Int? {
        let last = text[..<position].lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return last.flatMap { text[$0] == UInt8(ascii: ",") ? $0 : nil }
    }

    /// Outside strings JSON is ASCII: what is wrong with the character at `position`, and with a quotation mark above all,
    /// which an editor may have put in the place of a straight one.
    private var strangeCharacter: String {
        var decoder = UTF8()
        var bytes = text[position...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return "invalid UTF-8" }
        return scalar.properties.isQuotationMark
            ? "the quotation mark \(scalar) instead of \"" : "unexpected character \(scalar)"
    }

    private mutating func readString() throws(JSONError) {
        let start = position
        var hasNUL = false
        /// Of the escape of the first unpaired surrogate.
        var firstUnpaired: Int?
        position += 1
        while let byte, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw flaw("control character in a string") }
            guard byte == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            let unit = escapedUnit(at: position)
            hasNUL = hasNUL || unit == 0
            if let unit, UTF16.isLeadSurrogate(unit),
                escapedUnit(at: position + 6).map(UTF16.isTrailSurrogate) == true
            {
                position += 12
                continue
            }
            if let unit, UTF16.isSurrogate(unit) {
                guard keepsUnpairedSurrogates else { throw flaw("an unpaired surrogate") }
                firstUnpaired = firstUnpaired ?? position
                hasUnpairedSurrogates = true
                text[position] = JSONTree.mark
            }
            position += 2
        }
        position += 1
        guard hasNUL || firstUnpaired != nil else { return }
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
        guard byte == UInt8(ascii: ":") else { return }
        if hasNUL { throw JSONError(reason: "NUL in a key", offset: start) }
        if let firstUnpaired { throw JSONError(reason: "an unpaired surrogate in a key", offset: firstUnpaired) }
    }

    /// The UTF-16 code unit of the `\u` escape at `position`; nil where there is none.
    private func escapedUnit(at position: Int) -> UInt16? {
        guard position + 6 <= text.count, text[position] == UInt8(ascii: "\\"), text[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in text[position + 2..<position + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private mutating func readNumber() throws(JSONError) {
        let start = position
        var isWhole = true
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") { position += 1 } else { try readDigits() }
        if byte == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try readDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try readDigits()
        }
        if let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { throw flaw("unexpected character") }
        let number = String(decoding: text[start..<position], as: UTF8.self)
        let isInRange = isWhole ? Int64(number) != nil || UInt64(number) != nil : Double(number)?.isFinite ?? false
        guard isInRange else { throw JSONError(reason: "number out of range", offset: start) }
    }

    private mutating func readDigits() throws(JSONError) {
        let start = position
        while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw flaw(byte == nil ? JSONError.endReason : "digit expected") }
    }

    private func flaw(_ reason: String) -> JSONError { JSONError(reason: reason, offset: position) }
}
