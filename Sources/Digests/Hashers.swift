#if canImport(CryptoKit)
    internal import CryptoKit

    typealias SHA1State = Insecure.SHA1
    typealias SHA256State = SHA256
    typealias SHA512State = SHA512
#endif

/// SHA-256 (FIPS 180-4) of bytes that come in parts.
package struct SHA256Hasher: Sendable {
    private var state = SHA256State()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { state.update(bufferPointer: bytes) }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The digest of all bytes so far, in 32 bytes; more may follow.
    package func finalize() -> [UInt8] { Array(state.finalize()) }
}

/// SHA-512, likewise, in 64 bytes.
package struct SHA512Hasher: Sendable {
    private var state = SHA512State()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { state.update(bufferPointer: bytes) }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    package func finalize() -> [UInt8] { Array(state.finalize()) }
}

/// SHA-1, in 20 bytes: for names that others have derived with it, not for anything that must be safe.
package func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var state = SHA1State()
    bytes.withUnsafeBytes { state.update(bufferPointer: $0) }
    return Array(state.finalize())
}
