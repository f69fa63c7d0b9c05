internal import CoreDataStore
internal import MeterInspect
internal import Texts

/// The text of a log in UTF-8, in chunks, whatever it was encoded in. It is read once, from start to end, so that a pipe
/// will do and memory does not grow with it.
struct LogText {
    private let read: () throws(StoreError) -> [UInt8]?
    private let name: String
    private var first: [UInt8]?
    /// Which byte of a character in UTF-16 comes first; nil for UTF-8.
    private let isBigEndian: Bool?
    /// Bytes of a character, or of a colour, that the last chunk has cut in two.
    private var rest: [UInt8] = []
    private var place = 0
    /// Parts of a mail that were not read.
    let unread: UnreadParts

    /// - Parameters:
    ///   - name: what errors call it.
    ///   - read: the next bytes, at least one; nil at the end.
    /// - Throws: `StoreError`; `damaged` for a file that is no text, with the command that makes text of it.
    init(name: String, _ read: @escaping () throws(StoreError) -> [UInt8]?) throws(StoreError) {
        self.read = read
        self.name = name
        var start: [UInt8] = []
        // A pipe gives less at a time than is wanted here.
        while start.count < 1 << 16, let more = try read() { start += more }
        if CrashReport.begins(start) {
            while start.count < CrashReport.longest, let more = try read() { start += more }
            let report = CrashReport(start)
            guard let report, report.isOfMirror else { throw Self.refusal(of: name, report) }
            start = report.lines
        }
        if let refusal = Self.refusal(of: name, beginning: start) { throw refusal }
        if MailText.begins(start) {
            while start.count <= MailText.longest, let more = try read() { start += more }
            guard start.count <= MailText.longest else {
                throw StoreError(
                    .damaged, at: name, "a mail of more than \(MailText.longest >> 20) MiB",
                    hint: "save the log that is attached to it, and name that file")
            }
            let mail = MailText(start)
            (start, unread) = (mail.text, mail.unread)
        } else {
            unread = UnreadParts()
        }
        if [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]].contains(where: { start.starts(with: $0) }) {
            throw StoreError(.damaged, at: name, "text in UTF-32", hint: "save it as UTF-8")
        }
        let marked = UTF16Text.isBigEndian(start)
        let isMarkedUTF8 = start.starts(with: [0xEF, 0xBB, 0xBF])
        isBigEndian = isMarkedUTF8 ? nil : marked ?? Self.unmarked(start)
        first = Array(start.dropFirst(isMarkedUTF8 ? 3 : marked == nil ? 0 : 2))
    }

    /// Text without a mark: in UTF-16, every other byte of what is in English is 0.
    private static func unmarked(_ start: [UInt8]) -> Bool? {
        let sample = start.prefix(4096)
        var zeros = [0, 0]
        for (position, byte) in sample.enumerated() where byte == 0 { zeros[position & 1] += 1 }
        let half = sample.count / 2
        let isUTF16 = half > 1 && max(zeros[0], zeros[1]) * 10 > half * 7 && min(zeros[0], zeros[1]) * 10 < half
        return isUTF16 ? zeros[0] > zeros[1] : nil
    }

    /// The next part of the text; nil at the end.
    /// - Throws: `StoreError`; `damaged` where the file has bytes that no text has.
    mutating func next() throws(StoreError) -> [UInt8]? {
        let next: [UInt8]? = if let start = first.take() { start } else { try read() }
        guard let bytes = next else { return nil }
        defer { place += bytes.count }
        if let isBigEndian { return decoded(bytes, isBigEndian: isBigEndian) }
        // Most text has neither.
        let odd = bytes.withUnsafeBufferPointer { ByteSearch.firstIndex(of: 0, or: Self.escape, in: $0, from: 0) }
        if odd != nil, let zero = bytes.firstIndex(of: 0) {
            throw StoreError(
                .damaged, at: name, "not text: the byte at \(place + zero) is 0", hint: Self.howTo)
        }
        return odd == nil && rest.isEmpty ? bytes : withoutColours(bytes)
    }

    private static let escape: UInt8 = 0x1B

    /// Takes out what colours a terminal: `ESC [ 31 m` (ECMA-48).
    private mutating func withoutColours(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var part = (rest + bytes)[...]
        rest = []
        while let byte = part.popFirst() {
            guard byte == Self.escape else {
                text.append(byte)
                continue
            }
            let numbers = part.dropFirst().prefix { (0x30...0x3F).contains($0) }
            guard numbers.endIndex < part.endIndex else {
                // It may go on in the next chunk.
                if part.count < 32 { rest = [byte] + part }
                break
            }
            part = part.first == UInt8(ascii: "[") ? part[(numbers.endIndex + 1)...] : part
        }
        return text
    }

    private mutating func decoded(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
        rest += bytes
        var units = UTF16Text.units(in: rest[...], isBigEndian: isBigEndian)
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        rest.removeFirst(2 * units.count)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
