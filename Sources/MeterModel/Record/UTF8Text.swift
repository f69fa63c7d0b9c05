/// Bytes that may be UTF-8.
package enum UTF8Text {
    /// Whether all of `bytes` is valid UTF-8. (`String(validating:as:)` needs macOS 15.)
    package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = bytes[lengthOfASCII(UnsafeRawBufferPointer(bytes))...].makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid: continue
            case .error: return false
            case .emptyInput: return true
            }
        }
    }

    /// How many bytes at the start are ASCII; looks at eight at a time.
    private static func lengthOfASCII(_ bytes: UnsafeRawBufferPointer) -> Int {
        var offset = 0
        while offset + 8 <= bytes.count,
            bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { offset += 8 }
        while offset < bytes.count, bytes[offset] < 0x80 { offset += 1 }
        return offset
    }
}
