/// What a file is that somebody took for a store or a dump: the formats that supporters really receive.
package enum FileKind {
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        ([0x25, 0x50, 0x44, 0x46], "a PDF document"),
        ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive; unpack it first"),
        ([0x1F, 0x8B], "a gzip archive; unpack it first"),
        (Array("bplist".utf8), "a binary property list"),
        (Array("<?xml".utf8), "an XML file"),
        ([0x37, 0x7F, 0x06, 0x82], "the -wal file of a store; name the main file"),
        ([0x37, 0x7F, 0x06, 0x83], "the -wal file of a store; name the main file"),
    ]

    /// Nil if the format is not recognized.
    package static func name(of bytes: [UInt8]) -> String? {
        signatures.first { bytes.starts(with: $0.bytes) }?.name
    }
}
