internal import Crypto

/// UUIDs derived from what they name, so that a dry run and the real run make the same ones.
package enum NameBasedUUID {
    /// 16 bytes: the beginning of the SHA-256 of `name`, marked as version 8 (RFC 9562, section 5.8).
    package static func bytes(of name: [UInt8]) -> [UInt8] {
        var bytes = SHA256.hash(data: name).withUnsafeBytes { Array($0.prefix(16)) }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }
}
