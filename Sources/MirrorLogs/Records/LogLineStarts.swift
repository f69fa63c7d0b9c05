internal import Texts

/// Changes the beginnings of lines, in whatever parts a text comes.
struct LogLineStarts {
    /// Bytes in which all is that is changed.
    private let longest: Int
    private let lineEnd: UInt8
    private var isAtLineStart = true
    private var isInDropped = false
    /// Lines that were left out.
    private(set) var dropped = 0
    private var rest: [UInt8] = []

    /// - Parameter start: the first part.
    init(_ start: [UInt8], longest: Int) {
        self.longest = longest
        lineEnd = Self.lineEnd(of: start)
    }

    /// The programs that write before lines know no other line end than a line feed, where the text has one.
    private static func lineEnd(of start: some Sequence<UInt8>) -> UInt8 { start.contains(0x0A) ? 0x0A : 0x0D }

    /// The lines that such a program has seen, as far as they are looked at, and none that is empty.
    /// - Parameter start: the first part.
    static func lines(of start: UnsafeBufferPointer<UInt8>) -> [LogPart] {
        start.prefix(1 << 18).split(separator: lineEnd(of: start)).filter { !$0.allSatisfy(\.isSpace) }
    }

    /// - Parameter change: is handed a line, or its beginning, with what ends it; nil for a line that is left out.
    mutating func mend(_ text: inout [UInt8], isEnd: Bool, _ change: (LogPart) -> LogPart?) {
        let whole = rest + text
        rest = []
        text.removeAll(keepingCapacity: true)
        whole.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count {
                let end = ByteSearch.firstIndex(of: lineEnd, in: bytes, from: place)
                if isAtLineStart, end == nil, !isEnd, bytes.count - place < longest {
                    rest = Array(bytes[place...])
                    return
                }
                let line = bytes[place..<(end.map { $0 + 1 } ?? bytes.count)]
                if isAtLineStart {
                    let changed = change(line)
                    isInDropped = changed == nil
                    dropped += isInDropped ? 1 : 0
                    text += changed ?? line.prefix(0)
                } else if !isInDropped {
                    text += line
                }
                isAtLineStart = end != nil
                place = line.endIndex
            }
        }
    }
}
