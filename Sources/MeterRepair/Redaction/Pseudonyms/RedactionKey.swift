package import CoreDataStore
internal import Digests
internal import Foundation
internal import MeterModel

/// The secret from which every replacement follows: with the same key, equal values become equal in every file.
package struct RedactionKey: Sendable {
    private let secret: [UInt8]
    /// What RFC 2104 hashes in front of a message, and in front of the digest of that: the key, padded.
    private let (inner, outer): (SHA256Hasher, SHA256Hasher)

    private init(_ secret: [UInt8]) {
        func begun(_ pad: UInt8) -> SHA256Hasher {
            var hash = SHA256Hasher()
            // To a block of SHA-256.
            hash.update((secret + [UInt8](repeating: 0, count: 64 - secret.count)).map { $0 ^ pad })
            return hash
        }
        self.secret = secret
        (inner, outer) = (begun(0x36), begun(0x5C))
    }

    /// A new one, 32 random bytes.
    package static func random() -> RedactionKey {
        var generator = SystemRandomNumberGenerator()
        return RedactionKey((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    private static let length = 32

    /// HMAC-SHA-256, 32 bytes.
    /// - Parameter domain: what the message is, so that nothing follows from the replacement of another kind.
    func digest(_ domain: Domain, _ message: some Sequence<UInt8>) -> [UInt8] {
        var (inner, outer) = (inner, outer)
        inner.update([domain.rawValue] + message)
        outer.update(inner.finalize())
        return outer.finalize()
    }

    /// A pseudorandom number for a short message of fixed length: this takes half the time of `digest`.
    func number(_ domain: Domain, _ first: UInt64, _ second: UInt64) -> UInt64 {
        var hash = SHA256Hasher()
        hash.update(secret)
        withUnsafeBytes(of: (UInt64(domain.rawValue).littleEndian, first.littleEndian, second.littleEndian)) {
            hash.update($0)
        }
        return hash.finalize().withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    enum Domain: UInt8 {
        case text, letterCase, uuid, bytes, integer, real, address, dates, digest
    }
}

extension RedactionKey {
    private static let firstLine = "meterfix redaction key 1"

    /// Reads a key, or makes one where there is no such file.
    /// - Returns: the key, and whether it is new: then it has still to be written.
    /// - Throws: `StoreError`, `cannotCreate` where there is a file that is not a key.
    package static func at(_ path: String) throws(StoreError) -> (key: RedactionKey, isNew: Bool) {
        let bytes: [UInt8]?
        do {
            // A key has fewer than a hundred bytes.
            bytes = try FileInput(regular: path).bytes(limit: 1_000)
        } catch {
            if error.kind == .notFound { return (random(), true) }
            // A folder, for instance, is not a key either.
            guard error.kind == .damaged else { throw error }
            bytes = nil
        }
        // A mail program or an editor may have changed the ends of lines.
        let lines = String(decoding: bytes ?? [], as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.count == 2, lines[0] == firstLine, let secret = Hexadecimal.bytes(of: String(lines[1])),
            secret.count == length
        else {
            throw StoreError(
                .cannotCreate, at: path, "this file exists already, and it is not a key of `meterfix redact`",
                hint: "name the key of an earlier redaction, or a new file")
        }
        return (RedactionKey(secret), false)
    }

    /// Writes the key to a new file (mode 0600).
    /// - Throws: `StoreError`.
    func write(to path: String) throws(StoreError) {
        try FileCopy.write(Array("\(Self.firstLine)\n\(Hexadecimal.text(of: secret))\n".utf8), to: path)
    }
}
