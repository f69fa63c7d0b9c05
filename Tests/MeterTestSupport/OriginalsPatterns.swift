/// Looks for many byte strings at once. Tests run unoptimized, and a store has thousands of texts: one pass for all of
/// them instead of one for each.
struct PatternScan {
    private let patterns: [[UInt8]]
    /// The short patterns by their first three bytes, and the others by their first eight: many texts begin alike.
    private var byPrefix: [UInt64: [Int]] = [:]
    private var byLongPrefix: [UInt64: [Int]] = [:]
    /// Whether a pattern begins with two bytes.
    private var mayBegin = [Bool](repeating: false, count: 1 << 16)

    /// - Parameter patterns: of three bytes or more; shorter ones are never found.
    init(_ patterns: [[UInt8]]) {
        self.patterns = patterns
        for (index, pattern) in patterns.enumerated() where pattern.count >= 3 {
            if pattern.count < 8 {
                byPrefix[pattern.withUnsafeBufferPointer { Self.prefix($0, 0, 3) }, default: []].append(index)
            } else {
                byLongPrefix[pattern.withUnsafeBufferPointer { Self.prefix($0, 0, 8) }, default: []].append(index)
            }
            mayBegin[Int(pattern[0]) << 8 | Int(pattern[1])] = true
        }
    }

    /// Hands every occurrence to `body`: the pattern's index, and where it begins.
    func forEachOccurrence(in bytes: [UInt8], _ body: (_ pattern: Int, _ offset: Int) -> Void) {
        guard bytes.count >= 3 else { return }
        bytes.withUnsafeBufferPointer { buffer in
            mayBegin.withUnsafeBufferPointer { mayBegin in
                guard let start = buffer.baseAddress, let flags = mayBegin.baseAddress else { return }
                let end = buffer.count - 2
                var offset = 0
                while offset < end {
                    if flags[Int(start[offset]) << 8 | Int(start[offset + 1])] {
                        for index in candidates(buffer, offset) where isThere(patterns[index], buffer, offset) {
                            body(index, offset)
                        }
                    }
                    offset += 1
                }
            }
        }
    }

    private func isThere(_ pattern: [UInt8], _ buffer: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Bool {
        guard pattern.count <= buffer.count - offset else { return false }
        return buffer[offset..<offset + pattern.count].elementsEqual(pattern)
    }

    private func candidates(_ buffer: UnsafeBufferPointer<UInt8>, _ offset: Int) -> [Int] {
        let short = byPrefix[Self.prefix(buffer, offset, 3)] ?? []
        guard buffer.count - offset >= 8, !byLongPrefix.isEmpty else { return short }
        return short + (byLongPrefix[Self.prefix(buffer, offset, 8)] ?? [])
    }

    private static func prefix(_ buffer: UnsafeBufferPointer<UInt8>, _ offset: Int, _ count: Int) -> UInt64 {
        var prefix: UInt64 = 0
        for index in offset..<offset + count { prefix = prefix << 8 | UInt64(buffer[index]) }
        return prefix
    }
}

/// A text in the encodings that a file of a store may have it in.
enum TextEncoding: CaseIterable {
    case utf8, utf16LittleEndian, utf16BigEndian

    func bytes(of text: String) -> [UInt8] {
        switch self {
        case .utf8: Array(text.utf8)
        case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        }
    }

    /// The text that these bytes are; nil for bytes that are none.
    func text(of bytes: [UInt8]) -> String? {
        switch self {
        case .utf8:
            let text = String(decoding: bytes, as: UTF8.self)
            return text.utf8.elementsEqual(bytes) ? text : nil
        case .utf16LittleEndian, .utf16BigEndian:
            guard bytes.count.isMultiple(of: 2) else { return nil }
            let isLittle = self == .utf16LittleEndian
            let units = stride(from: 0, to: bytes.count, by: 2).map { (index: Int) -> UInt16 in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isLittle ? second << 8 | first : first << 8 | second
            }
            let text = String(decoding: units, as: UTF16.self)
            return text.utf16.elementsEqual(units) ? text : nil
        }
    }
}
