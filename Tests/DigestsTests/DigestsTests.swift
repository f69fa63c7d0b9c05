import Digests
import Testing

/// Messages and digests from the examples of FIPS 180-4
/// (https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values) and their archive.
@Suite("digests")
struct DigestsTests {
    private static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    private static let twoLongBlocks =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
    private static let million = String(repeating: "a", count: 1_000_000)

    private func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.finalize()
    }

    private func sha512(_ bytes: [UInt8]) -> [UInt8] {
        var hasher = SHA512Hasher()
        hasher.update(bytes)
        return hasher.finalize()
    }

    @Test(
        "SHA-1 is that of FIPS 180-4",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (twoBlocks, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
            (million, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ])
    func sha1Vectors(message: String, digest: String) {
        #expect(hex(sha1(Array(message.utf8))) == digest)
    }

    @Test(
        "SHA-256 is that of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            (million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func sha256Vectors(message: String, digest: String) {
        #expect(hex(sha256(Array(message.utf8))) == digest)
    }

    @Test(
        "SHA-512 is that of FIPS 180-4",
        arguments: [
            (
                "",
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
            (
                "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (
                twoLongBlocks,
                "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
            ),
            (
                million,
                "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
            ),
        ])
    func sha512Vectors(message: String, digest: String) {
        #expect(hex(sha512(Array(message.utf8))) == digest)
    }

    @Test("bytes in parts have the digest of the whole", arguments: [1, 3, 55, 63, 64, 65, 127, 128, 129, 400])
    func parts(size: Int) {
        let bytes = (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var (short, long) = (SHA256Hasher(), SHA512Hasher())
        for start in stride(from: 0, to: bytes.count, by: size) {
            let part = Array(bytes[start...].prefix(size))
            short.update(part)
            short.update([])
            part.withUnsafeBytes { long.update($0) }
            long.update([])
        }
        #expect(short.finalize() == sha256(bytes))
        #expect(long.finalize() == sha512(bytes))
    }

    @Test("more may follow a digest, and a copy goes on by itself")
    func copies() {
        var hasher = SHA256Hasher()
        hasher.update(Array("ab".utf8))
        #expect(hasher.finalize() == sha256(Array("ab".utf8)))
        var copy = hasher
        copy.update(Array("c".utf8))
        hasher.update(Array("d".utf8))
        #expect(copy.finalize() == sha256(Array("abc".utf8)))
        #expect(hasher.finalize() == sha256(Array("abd".utf8)))
    }
}
