internal import GRDB

/// Text that only pages or frames have which no row uses any more: it is in the bytes of the file, and no longer there
/// once SQLite has written everything again.
enum Leftovers {
    /// Short pieces of such text, each with the file it is in.
    static func windows(of path: String) throws -> [(text: [UInt8], place: String)] {
        let folder = try TemporaryFolder()
        let clean = folder.path + "/clean.sqlite"
        // A damaged store cannot be written again: then what is left over cannot be told from what is not.
        let isClean: ()? = try? StoreText.read(path) { database in
            try database.execute(sql: "VACUUM INTO ?", arguments: [clean])
        }
        guard isClean != nil else { return [] }
        let alive = try FileBytes.read(clean)
        let statements = try StoreValues(of: clean).statements.flatMap { Array($0.utf8) }
        var result: [(text: [UInt8], place: String)] = []
        for suffix in ["", "-wal", "-journal"] {
            guard let bytes = try? FileBytes.read(path + suffix) else { continue }
            let windows = Set(runs(in: bytes).flatMap { Self.windows(of: Array(bytes[$0])) })
            let sorted = windows.sorted { $0.lexicographicallyPrecedes($1) }
            var isAlive = [Bool](repeating: false, count: sorted.count)
            PatternScan(sorted).forEachOccurrence(in: alive) { index, _ in isAlive[index] = true }
            // At its ends can be bytes of the heads of rows, which are others each time: a statement of the schema with
            // such an end is no text that is left over.
            let cores = sorted.flatMap { window in (0...2).map { Array(window.dropFirst($0).dropLast(2 - $0)) } }
            PatternScan(cores).forEachOccurrence(in: statements) { index, _ in isAlive[index / 3] = true }
            for (window, alive) in zip(sorted, isAlive) where !alive {
                result.append((window, "left over in \(suffix.isEmpty ? "the main file" : suffix)"))
            }
        }
        return result
    }

    private static let length = 12

    /// Overlapping pieces, so that one of them lies inside any text of one and a half times their length. Only those with
    /// letters that are no digits of hex.
    private static func windows(of run: [UInt8]) -> [[UInt8]] {
        var starts = Array(stride(from: 0, through: run.count - length, by: length / 2))
        if let last = starts.last, last != run.count - length { starts.append(run.count - length) }
        if starts.isEmpty { return isTelling(run[...]) ? [run] : [] }
        return starts.map { run[$0..<$0 + length] }.filter(isTelling).map { Array($0) }
    }

    private static func isTelling(_ window: ArraySlice<UInt8>) -> Bool {
        window.count {
            $0 >= 0x80 || ($0 | 0x20) >= UInt8(ascii: "g") && ($0 | 0x20) <= UInt8(ascii: "z")
        } >= 3
    }

    /// Runs of printable bytes, UTF-8 and UTF-16 of plain letters.
    private static func runs(in bytes: [UInt8]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for (step, least) in [(1, 7), (2, 14)] {
                var start = 0
                var position = 0
                while position < buffer.count {
                    let byte = base[position]
                    let isText = byte >= 0x20 && byte != 0x7F && byte < 0xF8 && byte != 0xC0 && byte != 0xC1
                    let isPlain =
                        step == 1
                        ? isText : isText && byte < 0x7F && position + 1 < buffer.count && base[position + 1] == 0
                    if isPlain {
                        position += step
                        continue
                    }
                    if position - start >= least { runs.append(start..<position) }
                    position += 1
                    start = position
                }
                if position - start >= least { runs.append(start..<min(position, buffer.count)) }
            }
        }
        return runs
    }
}
