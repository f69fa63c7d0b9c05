internal import Crypto

/// A digest of any number of values, in 32 bytes: SHA-256 over each value's storage class, length and bytes, so that
/// different lists of values are never hashed as the same bytes.
package struct ValueDigest {
    private var hash = SHA256()
    /// Not hashed yet: a call for every few bytes costs more than the hash.
    private var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
    /// Bytes of the buffer that are used.
    private var count = 0
    private static let bufferSize = 1 << 16

    package init() {}

    package mutating func add(_ row: SQLiteRow, _ column: Int) {
        switch row[column] {
        case .null: add(0, 0)
        case .integer(let value): add(1, UInt64(bitPattern: value))
        case .real(let value): add(2, value.bitPattern)
        case .text(let bytes): add(3, bytes)
        case .blob(let bytes): add(4, bytes)
        }
    }

    private mutating func add(_ kind: UInt8, _ number: UInt64) {
        if count + 9 > Self.bufferSize { feed() }
        let start = count
        buffer.withUnsafeMutableBytes { buffer in
            buffer[start] = kind
            buffer.storeBytes(of: number.littleEndian, toByteOffset: start + 1, as: UInt64.self)
        }
        count += 9
    }

    private mutating func add(_ kind: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) {
        add(kind, UInt64(bytes.count))
        if count + bytes.count > Self.bufferSize { feed() }
        if bytes.count > Self.bufferSize {
            hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
        } else {
            let start = count
            buffer.withUnsafeMutableBytes {
                UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: UnsafeRawBufferPointer(bytes))
            }
            count += bytes.count
        }
    }

    private mutating func feed() {
        buffer.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        count = 0
    }

    /// The digest of all values added so far.
    package mutating func finish() -> [UInt8] {
        feed()
        return Array(hash.finalize())
    }
}
