/// The size of the pages of a file whose header may be damaged, told by the pages themselves.
struct PageSizeGuess {
    /// Bytes.
    let pageSize: Int
    /// Bytes at the end of each page that SQLite does not use.
    let reserved: Int

    /// Bytes that are looked at: no more pages are needed to tell.
    private static let most = 1 << 24

    /// Nil if no page of a table is in the file.
    init?(_ file: FileInput, header: [UInt8], known: Int? = nil) throws(StoreError) {
        let rawSize = header.count >= 100 ? Int(header[16]) << 8 | Int(header[17]) : 0
        let claimed = rawSize == 1 ? 65_536 : rawSize
        // Apple's SQLite leaves 12 bytes at the end of each page in some apps' stores.
        let reservations = Set([0, 12, header.count > 20 ? Int(header[20]) : 0]).sorted()
        let all = (9...16).map { 1 << $0 }
        let sizes = known.map { [$0] } ?? all.filter { $0 == claimed } + all.filter { $0 != claimed }
        var best: (size: Int, reserved: Int, bytes: Int)?
        for size in sizes {
            for reserved in reservations where size - reserved >= 480 {
                let bytes = try Self.bytes(inSoundPagesOf: size, reserved: reserved, of: file)
                if bytes > best?.bytes ?? 0 { best = (size, reserved, bytes) }
            }
            // What the header says is so where anything agrees.
            if size == claimed, best != nil { break }
        }
        guard let best else { return nil }
        (pageSize, reserved) = (best.size, best.reserved)
    }

    /// How much of the file is in pages that are a table's, with something on them.
    private static func bytes(
        inSoundPagesOf size: Int, reserved: Int, of file: FileInput
    ) throws(StoreError) -> Int {
        let fileSize = min(try file.size, most)
        var sum = 0
        for index in 0..<fileSize / size {
            let bytes = try file.bytes(at: index * size, count: size)
            guard bytes.count == size,
                let page = BTreePage(bytes, number: UInt32(index + 1), usableSize: size - reserved),
                page.kind == .leafTable || page.kind == .interiorTable, !page.cellOffsets.isEmpty, page.isSound
            else { continue }
            sum += size
        }
        return sum
    }
}
