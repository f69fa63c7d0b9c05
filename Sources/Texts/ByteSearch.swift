/// Search in bytes, a word of the machine at a time: a log can have gigabytes.
package enum ByteSearch {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Where a byte is for the first time from `start` on; nil where it is not.
    @inline(__always)
    package static func firstIndex(of byte: UInt8, in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        firstIndex(of: byte, or: byte, in: text, from: start)
    }

    /// Where either of two bytes is for the first time from `start` on; nil where neither is.
    @inline(__always)
    package static func firstIndex(
        of byte: UInt8, or other: UInt8, in text: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int? {
        guard let base = text.baseAddress else { return nil }
        let raw = UnsafeRawPointer(base)
        let (wanted, otherWanted) = (UInt64(byte) &* ones, UInt64(other) &* ones)
        var place = start
        // The compiler makes a few instructions of such a loop.
        while place + 64 <= text.count {
            var found: UInt8 = 0
            for index in place..<place + 64 {
                found |= (base[index] == byte ? 1 : 0) | (base[index] == other ? 1 : 0)
            }
            if found != 0 { break }
            place += 64
        }
        while place + 8 <= text.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let (one, two) = (word ^ wanted, word ^ otherWanted)
            let found = ((one &- ones) & ~one | (two &- ones) & ~two) & highs
            if found != 0 { return place + found.trailingZeroBitCount >> 3 }
            place += 8
        }
        while place < text.count {
            if base[place] == byte || base[place] == other { return place }
            place += 1
        }
        return nil
    }

    /// Where a byte that is none of ASCII, or another byte, is for the first time from `start` on; nil where none is.
    package static func firstIndexBeyondASCII(
        or other: UInt8, in text: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int? {
        guard let base = text.baseAddress else { return nil }
        var place = start
        while place + 64 <= text.count {
            var found: UInt8 = 0
            for index in place..<place + 64 { found |= base[index] & 0x80 | (base[index] == other ? 1 : 0) }
            if found != 0 { break }
            place += 64
        }
        while place < text.count {
            if base[place] & 0x80 != 0 || base[place] == other { return place }
            place += 1
        }
        return nil
    }

    /// How often a byte is in a text.
    package static func count(of byte: UInt8, in text: UnsafeBufferPointer<UInt8>) -> Int {
        let (raw, wanted) = (UnsafeRawBufferPointer(text), UInt64(byte) &* ones)
        var (count, place) = (0, 0)
        while place + 8 <= text.count {
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ wanted
            let equal = ~((word & ~highs) &+ ~highs | word) & highs
            count &+= Int(((equal >> 7) &* ones) >> 56)
            place += 8
        }
        return text[place...].reduce(count) { $0 + ($1 == byte ? 1 : 0) }
    }

    /// Where some bytes, at least one, begin for the first time from `start` on; nil where they are not.
    package static func firstIndex(
        of part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int = 0
    ) -> Int? {
        guard let bytes = text.baseAddress, let wanted = part.baseAddress, !part.isEmpty else { return nil }
        func isThere(_ place: Int) -> Bool {
            var length = 0
            while length < part.count, bytes[place + length] == wanted[length] { length += 1 }
            return length == part.count
        }
        let (raw, last) = (UnsafeRawPointer(bytes), part.count - 1)
        let (firstByte, lastByte) = (wanted[0], wanted[last])
        let (first, end) = (UInt64(firstByte) &* ones, UInt64(lastByte) &* ones)
        var place = start
        // Of eight places, those where both the first and the last byte are right.
        while place + last + 8 <= text.count {
            if place + last + 64 <= text.count {
                // Whether both are right at one of 64 places; the compiler makes a few instructions of such a loop.
                var near: UInt8 = 0
                let (starts, ends) = (bytes + place, bytes + (place + last))
                for index in 0..<64 {
                    near |= (starts[index] == firstByte ? 1 : 0) & (ends[index] == lastByte ? 1 : 0)
                }
                if near == 0 {
                    place += 64
                    continue
                }
            }
            let begun = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) ^ first
            let ended = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place + last, as: UInt64.self)) ^ end
            let others = begun | ended
            var found = (others &- ones) & ~others & highs
            while found != 0 {
                let next = place + found.trailingZeroBitCount >> 3
                if isThere(next) { return next }
                found &= found - 1
            }
            place += 8
        }
        while place + last < text.count {
            if isThere(place) { return place }
            place += 1
        }
        return nil
    }
}
