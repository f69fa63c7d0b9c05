internal import CoreDataStore
internal import Texts

/// The text of a log in UTF-8, in chunks, whatever it was encoded in. It is read once, from start to end, so that a pipe
/// will do and memory does not grow with it.
struct LogText {
    private let read: () throws(StoreError) -> [UInt8]?
    private let name: String
    private var first: [UInt8]?
    /// Which byte of a character in UTF-16 comes first; nil for UTF-8.
    private let isBigEndian: Bool?
    /// Bytes of a character that the last chunk has cut in two.
    private var rest: [UInt8] = []
    private var place = 0
    private var mail: LogMail?

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
        if let refusal = MirrorLog.refusal(of: name, beginning: start) { throw refusal }
        let marks: [(bytes: [UInt8], isBigEndian: Bool?)] = [
            ([0xFF, 0xFE], false), ([0xFE, 0xFF], true), ([0xEF, 0xBB, 0xBF], nil),
        ]
        let mark = marks.first { start.starts(with: $0.bytes) }
        isBigEndian = if let mark { mark.isBigEndian } else { Self.unmarked(start) }
        first = Array(start.dropFirst(mark?.bytes.count ?? 0))
        mail = isBigEndian == nil ? LogMail(start) : nil
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
        guard var bytes = next else {
            guard var rest = mail.take() else { return nil }
            return rest.decoded(nil)
        }
        defer { place += bytes.count }
        if let decoded = mail?.decoded(bytes) { bytes = decoded }
        if let isBigEndian { return decoded(bytes, isBigEndian: isBigEndian) }
        if let zero = bytes.withUnsafeBufferPointer({ ByteSearch.firstIndex(of: 0, in: $0, from: 0) }) {
            throw StoreError(
                .damaged, at: name, "not text: the byte at \(place + zero) is 0", hint: MirrorLog.howTo)
        }
        return bytes
    }

    private mutating func decoded(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
        rest += bytes
        let (high, low) = isBigEndian ? (0, 1) : (1, 0)
        var units = stride(from: 0, to: rest.count - 1, by: 2).map { place in
            UInt16(rest[place + high]) << 8 | UInt16(rest[place + low])
        }
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        rest.removeFirst(2 * units.count)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
