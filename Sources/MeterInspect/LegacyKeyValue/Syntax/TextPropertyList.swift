internal import CoreDataStore
internal import Foundation
internal import MeterModel
internal import Texts

extension PropertyList {
    /// Reads an old-style property list from UTF-8 text, as `defaults read` prints it. The format has only text, data,
    /// lists and dictionaries: numbers and dates are text.
    init(oldStyle text: [UInt8]) throws(DumpError) {
        try DumpText.validate(text)
        // A part of a list, such as `MeterNames = { … };`, has no braces around it.
        let head = DumpHead(text)
        let isPart = head.isBehindKey("=") && !head.isBracketed
        var reader = TextPropertyListReader(isPart ? [UInt8(ascii: "{")] + text + [UInt8(ascii: "}")] : text)
        do {
            self = try reader.document()
        } catch {
            throw DumpError(
                error.reason, at: error.offset.map { isPart ? max(0, $0 - 1) : $0 },
                hint: error.hint ?? DumpSyntax.fileItself)
        }
    }
}

/// `{ key = value; }`, `( a, b )`, `<0fbd>`, `"text"`, `'text'`, words without quotes; `//` and `/* */` comments.
struct TextPropertyListReader {
    private var scanner: TextScanner
    private var allowance = ValueBudget()

    init(_ text: [UInt8]) { scanner = TextScanner(text) }

    mutating func document() throws(DumpError) -> PropertyList {
        try skipBlank()
        let value = try value(depth: 0)
        try skipBlank()
        guard scanner.isAtEnd else { throw DumpError("something follows the property list", at: scanner.position) }
        return value
    }

    private mutating func value(depth: Int) throws(DumpError) -> PropertyList {
        try allowance.count(depth: depth, at: scanner.position)
        switch scanner.next {
        case UInt8(ascii: "{"):
            if let data = summarizedData() { return data }
            return .dictionary(try dictionary(depth: depth))
        case UInt8(ascii: "("): return .array(try array(depth: depth))
        case UInt8(ascii: "<"):
            if let value = try typed() { return value }
            return .data(try data())
        case nil: throw DumpError("the property list ends where a value should be", at: scanner.position)
        default: return .string(try string(expected: "a value"))
        }
    }

    private mutating func dictionary(depth: Int) throws(DumpError) -> [String: PropertyList] {
        let start = scanner.position
        scanner.skip()
        var entries: [String: PropertyList] = [:]
        while true {
            try skipBlank()
            if scanner.take("}") { return entries }
            guard !scanner.isAtEnd else { throw DumpError("a dictionary that does not end", at: start) }
            let place = scanner.position
            try allowance.count(depth: depth, at: scanner.position)
            let key = try string(expected: "a key")
            try skipBlank()
            // `"a";` is short for `"a" = "a";`.
            if scanner.take(";") {
                try entries.add(.string(key), for: key, at: place)
                continue
            }
            guard scanner.take("=") else { throw DumpError("no = after a key", at: scanner.position) }
            try skipBlank()
            try entries.add(try value(depth: depth + 1), for: key, at: place)
            try skipBlank()
            guard scanner.take(";") || scanner.isNext("}") else {
                throw DumpError("no ; after a value", at: scanner.position)
            }
        }
    }

    private mutating func array(depth: Int) throws(DumpError) -> [PropertyList] {
        let start = scanner.position
        scanner.skip()
        var elements: [PropertyList] = []
        while true {
            try skipBlank()
            if scanner.take(")") { return elements }
            guard !scanner.isAtEnd else { throw DumpError("a list that does not end", at: start) }
            elements.append(try value(depth: depth + 1))
            try skipBlank()
            guard scanner.take(",") || scanner.isNext(")") else {
                throw DumpError("no , after a value", at: scanner.position)
            }
        }
    }

    /// GNUstep's values of other types: `<*I5>`, `<*R0.5>`, `<*BY>`, `<*D2026-11-21 10:15:00 +0000>`, with or without quotes,
    /// and data in base 64, `<[D71x]>`. Nil for data in hex digits.
    private mutating func typed() throws(DumpError) -> PropertyList? {
        let start = scanner.position
        let isData = scanner.take("<[")
        guard isData || scanner.take("<*") else { return nil }
        let text = String(decoding: scanner.take { $0 != UInt8(ascii: ">") }, as: UTF8.self)
        let isClosed = scanner.take(">")
        let value: PropertyList? =
            if !isClosed {
                nil
            } else if isData {
                text.last == "]" ? Data(base64Encoded: String(text.dropLast())).map { .data([UInt8]($0)) } : nil
            } else {
                Self.value(WhiteSpace.trimmed(text.dropFirst().filter { $0 != "\"" }), ofType: text.first)
            }
        guard let value else { throw DumpError("a value of GNUstep's that cannot be read", at: start) }
        return value
    }

    private static func value(_ text: String, ofType type: Character?) -> PropertyList? {
        switch type {
        case "I": Int64(text).map(PropertyList.integer) ?? UInt64(text).map(PropertyList.unsigned)
        case "R": Double(text).map(PropertyList.real)
        case "B": text == "Y" ? .bool(true) : text == "N" ? .bool(false) : nil
        // "2026-11-21 10:15:00 +0000"
        case "D":
            Timestamp(iso8601: text.replacing(" +", with: "+").replacing(" -", with: "-")).map {
                .date($0.secondsSince2001)
            }
        default: nil
        }
    }

    /// `<0fbd 777f>`.
    private mutating func data() throws(DumpError) -> [UInt8] {
        let start = scanner.position
        scanner.skip()
        var nibbles: [UInt8] = []
        while let byte = scanner.take() {
            if byte == UInt8(ascii: ">") {
                guard nibbles.count.isMultiple(of: 2) else {
                    throw DumpError("data with an odd number of hex digits", at: start)
                }
                return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
            }
            if TextScanner.isWhite(byte) { continue }
            guard let nibble = Hexadecimal.digit(byte) else {
                throw DumpError("data with a character that is not a hex digit", at: scanner.position - 1)
            }
            nibbles.append(nibble)
        }
        throw DumpError("data that does not end", at: start)
    }

    /// `{length = 12, bytes = 0x62706c69 7374 ... 00000000 }`: how newer systems print data, without the middle. It
    /// cannot be read back, but other keys of the same dump can.
    private mutating func summarizedData() -> PropertyList? {
        let start = scanner.position
        scanner.skip()
        func take(_ word: StaticString) -> Bool {
            scanner.skipWhiteSpace()
            return scanner.take(word)
        }
        func takeDigits() -> Bool {
            scanner.skipWhiteSpace()
            return !scanner.take { Hexadecimal.digit($0) != nil }.isEmpty
        }
        if take("length"), take("="), takeDigits(), take(","), take("bytes") {
            let rest = scanner.take { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "\"") }
            if scanner.take("}") {
                let head = rest.drop { $0 != UInt8(ascii: "x") }.dropFirst()
                let nibbles = head.filter { !TextScanner.isWhite($0) }.prefix { Hexadecimal.digit($0) != nil }
                    .compactMap(Hexadecimal.digit)
                return .data(stride(from: 1, to: nibbles.count, by: 2).map { nibbles[$0 - 1] << 4 | nibbles[$0] })
            }
        }
        scanner.rewind(to: start)
        return nil
    }

    // MARK: Text

    private mutating func string(expected: StaticString) throws(DumpError) -> String {
        switch scanner.next {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try quoted()
        default:
            let word = scanner.take(while: Self.isWord)
            guard !word.isEmpty else {
                throw DumpError("an unexpected character where \(expected) should be", at: scanner.position)
            }
            return String(decoding: word, as: UTF8.self)
        }
    }

    /// What needs no quotes.
    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "$"), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    private mutating func quoted() throws(DumpError) -> String {
        let start = scanner.position
        let quote = scanner.take() ?? 0
        var bytes: [UInt8] = []
        /// UTF-16 from `\U` escapes, collected because a character may need two.
        var units: [UInt16] = []
        while true {
            let plain = scanner.take { $0 != quote && $0 != UInt8(ascii: "\\") }
            if !plain.isEmpty {
                try Self.flush(&units, to: &bytes, at: start)
                bytes += plain
            }
            let place = scanner.position
            guard let byte = scanner.take() else { throw DumpError("text without a closing quote", at: start) }
            if byte == quote {
                try Self.flush(&units, to: &bytes, at: start)
                return String(decoding: bytes, as: UTF8.self)
            }
            if let unit = unicodeEscape() {
                units.append(unit)
            } else {
                try Self.flush(&units, to: &bytes, at: start)
                bytes.append(try escape(at: place))
            }
        }
    }

    private static func flush(_ units: inout [UInt16], to bytes: inout [UInt8], at start: Int) throws(DumpError) {
        guard !units.isEmpty else { return }
        let isDamaged = transcode(
            units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true
        ) { bytes.append($0) }
        guard !isDamaged else { throw DumpError("text with an unpaired surrogate", at: start) }
        units = []
    }

    /// `U` and four hex digits after a backslash. `defaults read` doubles that backslash, and only that one.
    private mutating func unicodeEscape() -> UInt16? {
        let start = scanner.position
        if !scanner.take("U") {
            guard scanner.take("\\U") else { return nil }
        }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = scanner.take().flatMap(Hexadecimal.digit) else {
                scanner.rewind(to: start)
                return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private mutating func escape(at place: Int) throws(DumpError) -> UInt8 {
        guard let byte = scanner.take() else { throw DumpError("a backslash at the end", at: place) }
        switch byte {
        case UInt8(ascii: "a"): return 0x07
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "v"): return 0x0B
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "\n"): return byte
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var number = Int(byte - UInt8(ascii: "0"))
            for _ in 0..<2 {
                guard let next = scanner.next, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(next) else { break }
                number = number << 3 | Int(next - UInt8(ascii: "0"))
                scanner.skip()
            }
            // Above that, such numbers are in the NeXTSTEP encoding; the systems on which this app runs write \U
            // instead.
            guard number < 0x80 else { throw DumpError("an octal escape above \\177", at: place) }
            return UInt8(number)
        default: throw DumpError("an unknown escape", at: place)
        }
    }

    // MARK: Blank

    private mutating func skipBlank() throws(DumpError) {
        while true {
            scanner.skipWhiteSpace()
            let start = scanner.position
            if scanner.take("//") {
                _ = scanner.take { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            } else if scanner.take("/*") {
                guard scanner.skip(past: "*/") else { throw DumpError("a comment that does not end", at: start) }
            } else {
                return
            }
        }
    }
}
