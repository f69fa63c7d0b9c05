internal import Crypto
internal import MeterModel

/// SHA-256 of a dump's bytes.
struct DumpDigest {
    private var hash = SHA256()

    mutating func add(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { hash.update(bufferPointer: .init($0)) }
        if isDone == nil { hash.update(data: Array(bytes)) }
    }

    /// Lower-case hex.
    var hex: String { Hexadecimal.text(of: hash.finalize()) }

    static func hex(of bytes: [UInt8]) -> String {
        var digest = DumpDigest()
        digest.add(bytes)
        return digest.hex
    }
}
