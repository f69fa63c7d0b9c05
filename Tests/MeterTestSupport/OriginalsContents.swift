internal import CoreDataStore

/// What a text or a BLOB consists of where it is a container: a property list, an archive, JSON, compressed bytes.
/// Property lists are read here by another way than the program's own: object by object, whatever refers to them.
enum ContainerContents {
    enum Piece: Hashable {
        case text(String)
        case bytes([UInt8])

        /// A text in UTF-8.
        var data: [UInt8] {
            switch self {
            case .text(let text): Array(text.utf8)
            case .bytes(let bytes): bytes
            }
        }
    }

    /// The pieces of a container; nil for bytes that are none that is known.
    static func pieces(of bytes: [UInt8]) -> [Piece]? {
        if bytes.starts(with: Array("bplist".utf8)), let pieces = binaryPropertyList(bytes) { return pieces }
        if let inflated = inflated(bytes) { return [.bytes(inflated)] }
        guard let text = printable(bytes) else { return nil }
        if let pieces = xmlPropertyList(text) { return pieces }
        if let pieces = json(text) { return pieces }
        return nil
    }

    /// Text that a person could have written, in one of three encodings; nil for other bytes.
    static func printable(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty else { return nil }
        let zeros = bytes.count { $0 == 0 }
        // UTF-16 is only assumed where it is plain: half of the bytes are zeros, or it begins with its mark.
        if bytes.starts(with: [0xFF, 0xFE]) {
            return TextEncoding.utf16LittleEndian.text(of: Array(bytes.dropFirst(2)))
        }
        if bytes.starts(with: [0xFE, 0xFF]) { return TextEncoding.utf16BigEndian.text(of: Array(bytes.dropFirst(2))) }
        if zeros * 3 >= bytes.count, bytes.count >= 4 {
            let encoding: TextEncoding = bytes[1] == 0 ? .utf16LittleEndian : .utf16BigEndian
            return encoding.text(of: bytes).flatMap { isPrintable($0) ? $0 : nil }
        }
        return TextEncoding.utf8.text(of: bytes).flatMap { isPrintable($0) ? $0 : nil }
    }

    private static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7F || [0x09, 0x0A, 0x0D].contains($0.value)
        }
    }

    // MARK: binary property lists

    /// Every text and every data object of a binary property list, keys included.
    private static func binaryPropertyList(_ bytes: [UInt8]) -> [Piece]? {
        guard bytes.count >= 40 else { return nil }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        func number(at offset: Int, size: Int) -> Int? {
            guard offset >= 0, size >= 0, size <= 8, offset + size <= bytes.count else { return nil }
            let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Int(exactly: value)
        }
        guard let count = number(at: trailer + 8, size: 8), let table = number(at: trailer + 24, size: 8),
            count < 1 << 20
        else { return nil }
        var pieces: [Piece] = []
        for index in 0..<count {
            guard var place = number(at: table + index * offsetSize, size: offsetSize), place < bytes.count else {
                return nil
            }
            let marker = bytes[place]
            var length = Int(marker & 0x0F)
            place += 1
            guard [4, 5, 6].contains(marker >> 4) else { continue }
            if length == 15 {
                guard place < bytes.count, bytes[place] >> 4 == 1 else { return nil }
                let size = 1 << Int(bytes[place] & 0x0F)
                guard let long = number(at: place + 1, size: size) else { return nil }
                length = long
                place += 1 + size
            }
            let width = marker >> 4 == 6 ? 2 : 1
            guard length < bytes.count, place + length * width <= bytes.count else { return nil }
            let content = Array(bytes[place..<place + length * width])
            switch marker >> 4 {
            case 4: pieces.append(.bytes(content))
            case 5: pieces.append(.text(String(decoding: content, as: UTF8.self)))
            default: pieces.append(TextEncoding.utf16BigEndian.text(of: content).map(Piece.text) ?? .bytes(content))
            }
        }
        return pieces
    }

    // MARK: XML property lists

    /// Every text and every data element of an XML property list, keys included.
    private static func xmlPropertyList(_ text: String) -> [Piece]? {
        guard text.contains("<plist") else { return nil }
        var pieces: [Piece] = []
        for (tag, isData) in [("key", false), ("string", false), ("data", true)] {
            var rest = text[...]
            while let start = rest.firstRange(of: "<\(tag)>") {
                rest = rest[start.upperBound...]
                guard let end = rest.firstRange(of: "</\(tag)>") else { break }
                let content = String(rest[..<end.lowerBound])
                rest = rest[end.upperBound...]
                if isData {
                    let digits = Array(content.utf8).filter { $0 > 0x20 }
                    pieces.append(.bytes(Base64Run.decoded(digits[...])))
                } else {
                    pieces.append(.text(withoutEntities(content)))
                }
            }
        }
        return pieces
    }

    static func withoutEntities(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = rest.prefix(12).firstIndex(of: ";") else { break }
            let name = rest[rest.index(after: start)..<end]
            let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
            if let text = names[String(name)] {
                result += text
            } else if name.hasPrefix("#x"), let value = UInt32(name.dropFirst(2), radix: 16),
                let scalar = Unicode.Scalar(value)
            {
                result.unicodeScalars.append(scalar)
            } else if name.hasPrefix("#"), let value = UInt32(name.dropFirst()), let scalar = Unicode.Scalar(value) {
                result.unicodeScalars.append(scalar)
            } else {
                result += rest[...end]
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    // MARK: JSON

    /// Every string of a text that begins as a JSON object or array, keys included; of one that is cut off too.
    private static func json(_ text: String) -> [Piece]? {
        let trimmed = text.drop(while: \.isWhitespace)
        guard let first = trimmed.first, "{[".contains(first) else { return nil }
        var pieces: [Piece] = []
        let bytes = Array(trimmed.utf8)
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "\"") else {
                position += 1
                continue
            }
            let start = position + 1
            position = start
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            let content = bytes[start..<min(position, bytes.count)]
            pieces.append(.text(String(decoding: Escapes.withoutJSONEscapes(content), as: UTF8.self)))
            position += 1
        }
        return pieces.isEmpty ? nil : pieces
    }

    // MARK: compressed bytes

    /// What zlib, gzip or raw DEFLATE makes of the bytes; nil where they are not compressed.
    private static func inflated(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 8 else { return nil }
        if let skipped = headerLength(bytes[...]) {
            return try? Array(bytes.dropFirst(skipped)).inflated(limit: 1 << 24)
        }
        // Nothing marks raw DEFLATE. Random bytes end as such at times, but not in something that can be read.
        guard let result = try? bytes.inflated(limit: 1 << 24), result.count >= 8 else { return nil }
        return printable(result) != nil || result.starts(with: Array("bplist".utf8)) ? result : nil
    }

    /// How many bytes a header of zlib or gzip without options has; nil where there is none.
    static func headerLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        if bytes.starts(with: [0x1F, 0x8B, 0x08, 0x00]) { return 10 }
        guard bytes.count > 2, bytes[bytes.startIndex] == 0x78 else { return nil }
        return [0x01, 0x5E, 0x9C, 0xDA].contains(bytes[bytes.startIndex + 1]) ? 2 : nil
    }
}

enum Base64Run {
    /// The value of a digit of Base64, in either alphabet; 255 for any other byte.
    static let values: [UInt8] = (0...255).map { (byte: Int) -> UInt8 in
        switch UInt8(byte) {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(byte) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(byte) - 48 + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: 255
        }
    }

    /// The bytes that the digits stand for; padding and an incomplete rest are dropped.
    static func decoded(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(digits.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for digit in digits {
            let value = values[Int(digit)]
            if value == 255 { break }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(bits >> UInt32(count) & 0xFF))
            }
        }
        return result
    }
}

enum Escapes {
    /// The text of a JSON string: `\u00e9`, `\/`, `\n` and the others are what they stand for.
    static func withoutJSONEscapes(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
        var result: [UInt8] = []
        var surrogate: UInt16?
        var position = text.startIndex
        while position < text.endIndex {
            guard text[position] == UInt8(ascii: "\\"), position + 1 < text.endIndex else {
                result.append(text[position])
                position += 1
                continue
            }
            let letter = text[position + 1]
            if letter == UInt8(ascii: "u"), position + 6 <= text.endIndex,
                let unit = UInt16(String(decoding: text[position + 2..<position + 6], as: UTF8.self), radix: 16)
            {
                position += 6
                if UTF16.isLeadSurrogate(unit) {
                    surrogate = unit
                } else {
                    let units = (surrogate.map { [$0] } ?? []) + [unit]
                    result += Array(String(decoding: units, as: UTF16.self).utf8)
                    surrogate = nil
                }
                continue
            }
            let letters: [UInt8: UInt8] = [
                UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "b"): 0x08,
                UInt8(ascii: "f"): 0x0C,
            ]
            result.append(letters[letter] ?? letter)
            position += 2
        }
        return result
    }
}
