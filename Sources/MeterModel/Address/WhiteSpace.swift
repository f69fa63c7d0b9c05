/// White space as Unicode defines it (`White_Space`), on UTF-8 bytes.
package enum WhiteSpace {
    /// `bytes` without white space at either end.
    package static func trim(_ bytes: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var slice = Slice(base: bytes, bounds: bytes.indices)
        // Most text has no white space at either end.
        if let first = bytes.first, let last = bytes.last, first < 0x80, last < 0x80, !isASCII(first), !isASCII(last) {
            return slice
        }
        while let first = slice.first {
            if isASCII(first) {
                slice = slice.dropFirst()
            } else if first >= 0x80, let length = leadingLength(slice) {
                slice = slice.dropFirst(length)
            } else {
                break
            }
        }
        while let last = slice.last {
            if isASCII(last) {
                slice = slice.dropLast()
            } else if last >= 0x80, let length = trailingLength(slice) {
                slice = slice.dropLast(length)
            } else {
                break
            }
        }
        return slice
    }

    /// `text` without white space at either end; the same text if there is none.
    package static func trimmed(_ text: String) -> String {
        var text = text
        let inner: String? = text.withUTF8 { bytes in
            let slice = trim(bytes)
            return slice.count == bytes.count ? nil : String(decoding: slice, as: UTF8.self)
        }
        return inner ?? text
    }

    /// Whether `text` is empty or only white space.
    package static func isAll(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            // Unicode lookups are slow, and for most text the first letter decides.
            scalar.isASCII ? isASCII(UInt8(scalar.value)) : scalar.properties.isWhitespace
        }
    }

    /// Whether a reader of `text` sees nothing: it has only white space, control characters, and characters that no font
    /// draws, such as U+200B or U+3164 (Unicode's `Default_Ignorable_Code_Point`), or draws empty (U+2800).
    package static func showsNothing(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            guard !scalar.isASCII else { return scalar.value <= 0x20 || scalar.value == 0x7F }
            let properties = scalar.properties
            return properties.isWhitespace || properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
                || properties.isNoncharacterCodePoint || properties.generalCategory == .control
        }
    }

    /// Whether UTF-8 bytes are only white space.
    package static func isAll(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if let first = bytes.first, first < 0x80, !isASCII(first) { return false }
        return trim(bytes).isEmpty
    }

    private static func isASCII(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func leadingLength(_ slice: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        [2, 3].first { isScalar(slice.prefix($0), ofLength: $0) }
    }

    private static func trailingLength(_ slice: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        [2, 3].first { isScalar(slice.suffix($0), ofLength: $0) }
    }

    /// Whether `slice` is exactly one white-space scalar of `length` bytes.
    private static func isScalar(_ slice: Slice<UnsafeBufferPointer<UInt8>>, ofLength length: Int) -> Bool {
        guard slice.count == length else { return false }
        // (`String(validating:as:)` needs macOS 15.)
        var bytes = slice.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        guard case .valid(let encoded) = parser.parseScalar(from: &bytes), encoded.count == length else { return false }
        return Unicode.UTF8.decode(encoded).properties.isWhitespace
    }
}
