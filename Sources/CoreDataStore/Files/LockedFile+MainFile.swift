/// Whole main files, compared and written without SQLite.
extension LockedFile {
    /// Bytes compared, and written, at a time.
    private static let chunk = 1 << 16
    /// Bytes that a disk writes whole or not at all.
    private static let sector = 512

    /// Whether this main file has the pages of the one at `path`. What SQLite counts up with each change does not count.
    package func hasSameContents(as path: String) throws(StoreError) -> Bool {
        let other = try FileInput(regular: path)
        var offset = 0
        while var theirs = try other.nextChunk(upTo: Self.chunk) {
            var ours = try read(at: offset, count: theirs.count)
            guard ours.count == theirs.count else { return false }
            if offset == 0 { SQLiteHeader.clearBookkeeping(of: &ours, &theirs) }
            guard ours == theirs else { return false }
            offset += theirs.count
        }
        return try size() == offset
    }

    /// Writes the bytes of the main file at `path` where this one has others, and waits until they are on the disk.
    ///
    /// Where that one has a rollback journal, this one keeps its counters: processes that hold no lock go by them to tell
    /// whether what they remember of the file is still so (https://www.sqlite.org/fileformat2.html#file_change_counter).
    package func write(bytesOf path: String) throws(StoreError) {
        let other = try FileInput(regular: path)
        var offset = 0
        while var theirs = try other.nextChunk(upTo: Self.chunk) {
            let ours = try read(at: offset, count: theirs.count)
            if offset == 0 { SQLiteHeader.keepCounters(of: ours, in: &theirs) }
            for start in stride(from: 0, to: theirs.count, by: Self.sector) {
                let sector = start..<min(start + Self.sector, theirs.count)
                if sector.upperBound > ours.count || ours[sector] != theirs[sector] {
                    try write(theirs[sector], at: offset + start)
                }
            }
            offset += theirs.count
        }
        try finish(size: offset)
    }
}

extension SQLiteHeader {
    /// The bytes that SQLite counts up: with each change, with each change of the schema, and, when it wrote the number
    /// of pages, the first of them again with its own version.
    private static let counters = [24..<28, 40..<44, 92..<100]
    /// The two bytes that tell the journal mode.
    private static let journalMode = 18..<20

    /// Makes two beginnings of main files equal in what does not belong to the contents.
    fileprivate static func clearBookkeeping(of first: inout [UInt8], _ second: inout [UInt8]) {
        for range in counters + [journalMode] where range.upperBound <= min(first.count, second.count) {
            for index in range { (first[index], second[index]) = (0, 0) }
        }
    }

    /// Puts the counters of one main file in the place of those of another that has a rollback journal.
    fileprivate static func keepCounters(of first: [UInt8], in second: inout [UInt8]) {
        guard second.count >= 100, first.count >= 100, second[journalMode.lowerBound] == 1 else { return }
        for range in counters { second.replaceSubrange(range, with: first[range]) }
    }
}
