internal import CoreDataStore
internal import Texts

/// The text of a log in UTF-8, in chunks, whatever it was encoded in. It is read once, from start to end, so that a pipe
/// will do and memory does not grow with it.
struct LogText {
    private enum Encoding {
        case utf8
        case utf16(isBigEndian: Bool)
    }

    private let read: () throws(StoreError) -> [UInt8]?
    private let name: String
    private var first: [UInt8]?
    private let encoding: Encoding
    /// Bytes of a character that the last chunk has cut in two.
    private var rest: [UInt8] = []
    private var place = 0

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
        if let refusal = LogKind.refusal(of: name, beginning: start) { throw refusal }
        switch (start.first, start.dropFirst().first) {
        case (0xFF, 0xFE): (encoding, start) = (.utf16(isBigEndian: false), Array(start.dropFirst(2)))
        case (0xFE, 0xFF): (encoding, start) = (.utf16(isBigEndian: true), Array(start.dropFirst(2)))
        default:
            encoding = Self.unmarked(start)
            if start.starts(with: [0xEF, 0xBB, 0xBF]) { start.removeFirst(3) }
        }
        first = start
    }

    /// Text without a mark: in UTF-16, every other byte of what is in English is 0.
    private static func unmarked(_ start: [UInt8]) -> Encoding {
        let sample = start.prefix(4096)
        var zeros = [0, 0]
        for (position, byte) in sample.enumerated() where byte == 0 { zeros[position & 1] += 1 }
        let half = sample.count / 2
        guard half > 1, max(zeros[0], zeros[1]) * 10 > half * 7, min(zeros[0], zeros[1]) * 10 < half else {
            return .utf8
        }
        return .utf16(isBigEndian: zeros[0] > zeros[1])
    }

    /// The next part of the text; nil at the end.
    /// - Throws: `StoreError`; `damaged` where the file has bytes that no text has.
    mutating func next() throws(StoreError) -> [UInt8]? {
        let read = if let first { first } else { try read() }
        guard let bytes = read else {
            return nil
        }
        first = nil
        defer { place += bytes.count }
        switch encoding {
        case .utf8:
            if let zero = bytes.withUnsafeBufferPointer({ ByteSearch.firstIndex(of: 0, in: $0, from: 0) }) {
                throw StoreError(
                    .damaged, at: name, "not text: the byte at \(place + zero) is 0", hint: LogHelp.howTo)
            }
            return bytes
        case .utf16(let isBigEndian): return decoded(bytes, isBigEndian: isBigEndian)
        }
    }

    private mutating func decoded(_ bytes: [UInt8], isBigEndian: Bool) -> [UInt8] {
        rest += bytes
        var units: [UInt16] = []
        units.reserveCapacity(rest.count / 2)
        for index in stride(from: 0, to: rest.count - 1, by: 2) {
            let (one, two) = (UInt16(rest[index]), UInt16(rest[index + 1]))
            units.append(isBigEndian ? one << 8 | two : two << 8 | one)
        }
        let odd = Array(rest.suffix(rest.count % 2))
        if let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            rest = Array(rest.dropLast(odd.count).suffix(2)) + odd
        } else {
            rest = odd
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
