extension [UInt8] {
    /// The number in four bytes, the largest first, as SQLite's files have it.
    func bigEndian(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
