internal import CoreDataStore
internal import MeterModel

/// Everything in which originals are looked for: the bytes of a file, and what they become once each thing in them that
/// could hide a text is undone: property lists, archives, compressed parts, Base64, hex, escapes. A value that SQLite
/// spreads over several pages is put together again.
package struct Haystack: Sendable {
    struct Part: Sendable {
        let name: String
        let bytes: [UInt8]
        /// Whether it is only a guess that the bytes were encoded so: nearly all of such a part is noise, in which a text of
        /// three letters is found by chance.
        let isGuess: Bool
    }

    let parts: [Part]

    /// The file at `path` as bytes, and, if it is a database, each of its values.
    package init(file path: String) throws {
        var parts = [Part(name: "the file", bytes: try FileBytes.read(path), isGuess: false)]
        if parts[0].bytes.starts(with: Array("SQLite format 3".utf8)) {
            parts.append(Part(name: "a value", bytes: try Self.decodedValues(of: path), isGuess: false))
        }
        self.init(parts)
    }

    package init(bytes: [UInt8]) { self.init([Part(name: "the bytes", bytes: bytes, isGuess: false)]) }

    private init(_ parts: [Part]) {
        var all = parts
        var level = parts
        for _ in 0..<3 {
            level = level.flatMap(Self.undone)
            all += level
        }
        self.parts = all
    }

    /// Between two pieces in one buffer.
    private static let border: [UInt8] = [0x00, 0xFF, 0xFE, 0x00]

    // MARK: values

    private static func decodedValues(of path: String) throws -> [UInt8] {
        var result: [UInt8] = []
        var seen: Set<[UInt8]> = []
        func take(_ bytes: [UInt8], depth: Int) {
            guard depth < 6, bytes.count >= 3, seen.insert(bytes).inserted else { return }
            if depth > 0 || bytes.count > 400 { result += border + bytes }
            for piece in ContainerContents.pieces(of: bytes) ?? [] { take(piece.data, depth: depth + 1) }
        }
        for value in try StoreValues(of: path).values { take(value.utf8, depth: 0) }
        return result
    }

    // MARK: what is in a buffer

    /// What a buffer becomes when each kind of encoding in it is undone; a part each, without those that do not occur.
    private static func undone(_ part: Part) -> [Part] {
        guard part.bytes.count < 1 << 25 else { return [] }
        let runs: [(String, Bool, [UInt8])] = [
            ("compressed", false, inflated(part.bytes)), ("escaped", false, unescaped(part.bytes)),
            ("as Base64", true, base64(part.bytes)), ("as hex", true, hex(part.bytes)),
            ("as UTF-16", part.isGuess, narrowed(part.bytes)),
        ]
        return runs.filter { !$0.2.isEmpty }.map {
            Part(name: "\(part.name), \($0.0)", bytes: $0.2, isGuess: part.isGuess || $0.1)
        }
    }

    /// The first bytes of what zlib and gzip write.
    private static let compressedStarts: PatternScan = {
        let starts: [[UInt8]] = [[0x78, 0x01], [0x78, 0x5E], [0x78, 0x9C], [0x78, 0xDA]]
        let all = starts.flatMap { start in (0...255).map { start + [UInt8($0)] } }
        return PatternScan(all + [[0x1F, 0x8B, 0x08]])
    }()

    /// Three bytes with which an escape of JSON, XML or a URL begins.
    private static let escapeStarts: PatternScan = {
        let digits = Array("0123456789abcdefABCDEF".utf8)
        let ofJSON = digits.map { Array("\\u".utf8) + [$0] } + [Array("\\\\u".utf8), Array("\\/".utf8) + [0x2F]]
        let ofXML =
            ["&#x", "&am", "&ap", "&qu", "&lt", "&gt"].map { Array($0.utf8) } + digits.map { Array("&#".utf8) + [$0] }
        let ofURLs = digits.dropFirst(2).flatMap { high in digits.map { [UInt8(ascii: "%"), high, $0] } }
        return PatternScan(ofJSON + ofXML + ofURLs)
    }()

    private static func inflated(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        compressedStarts.forEachOccurrence(in: bytes) { _, offset in
            guard let header = ContainerContents.headerLength(bytes[offset...]) else { return }
            let end = min(bytes.count, offset + 1 << 20)
            guard offset + header < end else { return }
            if let whole = try? Array(bytes[(offset + header)..<end]).inflated(limit: 1 << 22) {
                result += border + whole
            }
        }
        return result
    }

    /// The buffer without the escapes of JSON, XML and URLs; empty where there are none.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var signs: Set<UInt8> = []
        escapeStarts.forEachOccurrence(in: bytes) { _, offset in signs.insert(bytes[offset]) }
        var result: [UInt8] = []
        if signs.contains(UInt8(ascii: "\\")) { result += border + Escapes.withoutJSONEscapes(bytes[...]) }
        if signs.contains(UInt8(ascii: "&")) {
            // Only runs that are text: replacing bad UTF-8 elsewhere does no harm here.
            let text = String(decoding: bytes, as: UTF8.self)
            result += border + Array(ContainerContents.withoutEntities(text).utf8)
        }
        if signs.contains(UInt8(ascii: "%")) { result += border + withoutPercents(bytes) }
        return result
    }

    private static func withoutPercents(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
                let high = Hexadecimal.digit(bytes[position + 1]),
                let low = Hexadecimal.digit(bytes[position + 2])
            {
                result.append(high << 4 | low)
                position += 3
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }

    /// All runs of digits of Base64, from each place of four at which they can begin.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        forEachRun(in: bytes, of: 12, Base64Run.values.map { $0 != 255 }) { run in
            for skipped in 0..<4 { result += border + Base64Run.decoded(run.dropFirst(skipped)) }
        }
        return result
    }

    private static func hex(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        forEachRun(in: bytes, of: 8, (0...255).map { Hexadecimal.digit(UInt8($0)) != nil }) { run in
            for skipped in 0..<2 {
                let digits = Array(run.dropFirst(skipped))
                result += border
                for index in stride(from: 0, to: digits.count - 1, by: 2) {
                    result.append(
                        (Hexadecimal.digit(digits[index]) ?? 0) << 4 | (Hexadecimal.digit(digits[index + 1]) ?? 0))
                }
            }
        }
        return result
    }

    /// Runs in which every second byte is zero, without the zeros: what was UTF-16 can be encoded in other ways besides.
    private static func narrowed(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var position = 0
            while position + 1 < buffer.count {
                if base[position] >= 0x20, base[position] < 0x7F, base[position + 1] == 0 {
                    position += 2
                } else {
                    if position - start >= 16 {
                        result += border + stride(from: start, to: position, by: 2).map { base[$0] }
                    }
                    position += 1
                    start = position
                }
            }
            if position - start >= 16 { result += border + stride(from: start, to: position, by: 2).map { base[$0] } }
        }
        return result
    }

    private static func forEachRun(
        in bytes: [UInt8], of length: Int, _ isMember: [Bool], _ body: (ArraySlice<UInt8>) -> Void
    ) {
        var runs: [Range<Int>] = []
        bytes.withUnsafeBufferPointer { buffer in
            isMember.withUnsafeBufferPointer { members in
                guard let base = buffer.baseAddress, let flags = members.baseAddress else { return }
                var start = 0
                var position = 0
                while position < buffer.count {
                    if !flags[Int(base[position])] {
                        if position - start >= length { runs.append(start..<position) }
                        start = position + 1
                    }
                    position += 1
                }
                if position - start >= length { runs.append(start..<position) }
            }
        }
        for run in runs { body(bytes[run]) }
    }
}
