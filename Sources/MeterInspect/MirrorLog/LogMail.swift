internal import CoreDataStore

/// The text of a log in the source of a mail, as it was before a mail program encoded it (RFC 2045): of each part that can
/// be a log, `=3D` is `=` again, or base64 is text. A page and a picture beside it are left out.
struct LogMail {
    private enum Encoding { case none, quotedPrintable, base64 }

    /// Bytes of a line whose end is waited for; no mail program writes longer ones.
    private static let longest = 1 << 16

    private var isInHeader: Bool
    private var encoding: Encoding
    private var canBeLog = true
    /// The lines that stand between parts.
    private var boundaries: [[UInt8]] = []
    /// Of a line that has no end yet, and of base64 that is no whole byte yet.
    private var rest: [UInt8] = []
    private var bits: (value: UInt32, count: UInt32) = (0, 0)

    /// Nil for what no mail program has encoded.
    /// - Parameter start: the first bytes of the file.
    init?(_ start: [UInt8]) {
        let isMail = FileKind(of: start)?.isMail ?? false
        let isEncoded: Bool
        if isMail {
            let encoding = /(?i)content-transfer-encoding:\s*"?(quoted-printable|base64)/
            isEncoded = String(decoding: start, as: UTF8.self).firstMatch(of: encoding) != nil
        } else {
            // Quoted-printable has no longer lines, and breaks those of a log.
            let lines = start.split(separator: 0x0A).dropLast().map { $0.last == 0x0D ? $0.dropLast() : $0 }
            isEncoded = lines.allSatisfy { $0.count <= 76 } && lines.count { $0.last == UInt8(ascii: "=") } > 2
        }
        guard isEncoded else { return nil }
        (isInHeader, encoding) = (isMail, isMail ? .none : .quotedPrintable)
    }

    /// - Parameter bytes: nil at the end of the file.
    mutating func decoded(_ bytes: [UInt8]?) -> [UInt8] {
        rest += bytes ?? []
        var text: [UInt8] = []
        var start = 0
        while start < rest.count {
            let isWhole = bytes == nil || rest.count - start > Self.longest
            guard let end = rest[start...].firstIndex(of: 0x0A) ?? (isWhole ? rest.count : nil) else { break }
            add(rest[start..<end], to: &text)
            start = min(end + 1, rest.count)
        }
        rest.removeFirst(start)
        return text
    }

    private mutating func add(_ line: ArraySlice<UInt8>, to text: inout [UInt8]) {
        let line = line.last == 0x0D ? line.dropLast() : line
        if line.starts(with: "--".utf8), boundaries.contains(where: line.dropFirst(2).starts) {
            (isInHeader, encoding, canBeLog, bits) = (true, .none, true, (0, 0))
        } else if isInHeader {
            isInHeader = !line.isEmpty
            readHeader(String(decoding: line, as: UTF8.self))
        } else if canBeLog {
            switch encoding {
            case .none: text += line + [0x0A]
            case .quotedPrintable: addQuoted(line, to: &text)
            case .base64: addBase64(line, to: &text)
            }
        }
    }

    private mutating func readHeader(_ line: String) {
        if let boundary = line.firstMatch(of: /(?i)boundary="?([^";]+)/)?.1 { boundaries.append(Array(boundary.utf8)) }
        let line = line.lowercased()
        if line.hasPrefix("content-transfer-encoding:") {
            encoding = line.contains("base64") ? .base64 : line.contains("quoted-printable") ? .quotedPrintable : .none
        } else if line.hasPrefix("content-type:") {
            let isText = line.contains("text/") && !line.contains("text/html")
            canBeLog = isText || line.contains("octet-stream")
        }
    }

    /// The last `=` of a line says that it goes on.
    private func addQuoted(_ line: ArraySlice<UInt8>, to text: inout [UInt8]) {
        var place = line.startIndex
        while place < line.endIndex {
            let digits = line[place...].dropFirst().prefix(2)
            if line[place] != UInt8(ascii: "=") {
                text.append(line[place])
            } else if let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), digits.count == 2 {
                text.append(byte)
                place += 2
            } else if digits.isEmpty {
                return
            } else {
                text.append(line[place])
            }
            place += 1
        }
        text.append(0x0A)
    }

    private mutating func addBase64(_ line: ArraySlice<UInt8>, to text: inout [UInt8]) {
        for byte in line {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: continue
            }
            bits = (bits.value << 6 | UInt32(value), bits.count + 6)
            guard bits.count >= 8 else { continue }
            text.append(UInt8(truncatingIfNeeded: bits.value >> (bits.count - 8)))
            bits.count -= 8
        }
    }
}
