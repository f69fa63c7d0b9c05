internal import Texts

/// Quotes as people type them, and as a phone makes of them.
enum TypedText {
    enum Quote { case straight, curly }

    static let curlyQuotes = "curly quotes were read as straight ones"

    /// Takes an opening quote; nil where there is none.
    static func quote(_ scanner: inout TextScanner) -> Quote? {
        if scanner.take("\"") { return .straight }
        return scanner.take("“") || scanner.take("„") || scanner.take("”") ? .curly : nil
    }

    /// The text up to the closing quote, which is doubled where it is in the text; nil where it is not closed.
    static func quoted(_ scanner: inout TextScanner, closedBy quote: Quote) -> String? {
        var bytes: [UInt8] = []
        while let byte = scanner.next {
            switch quote {
            case .straight where scanner.take("\"\""): bytes.append(UInt8(ascii: "\""))
            case .straight where scanner.take("\""): return String(decoding: bytes, as: UTF8.self)
            case .curly where scanner.take("”") || scanner.take("“"): return String(decoding: bytes, as: UTF8.self)
            case .straight, .curly:
                bytes.append(byte)
                scanner.skip()
            }
        }
        return nil
    }

    /// A value of JSON in each line as one list, its bytes one place further on; nil where the first line is no value, or
    /// there are no more. https://jsonlines.org
    static func jsonOfLines(_ text: [UInt8], isValue: ([UInt8]) -> Bool) -> [UInt8]? {
        let isLineEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        let lines = text.split(whereSeparator: isLineEnd).filter { !$0.allSatisfy(TextScanner.isWhite) }
        guard lines.count > 1, isValue(Array(lines[0])) else { return nil }
        var list = text.map { isLineEnd($0) ? UInt8(ascii: " ") : $0 }
        for line in lines.dropLast() { list[line.endIndex] = UInt8(ascii: ",") }
        return [UInt8(ascii: "[")] + list + [UInt8(ascii: "]")]
    }

    /// JSON with what a text editor or a person made of it put right: curly quotes around a text, and a comma behind the
    /// last member or element. Nil where there is neither.
    static func mendedJSON(_ text: [UInt8]) -> (text: [UInt8], warnings: [String])? {
        var scanner = TextScanner(text)
        var mended: [UInt8] = []
        mended.reserveCapacity(text.count)
        var (hasCurly, hasComma) = (false, false)
        /// Where in `mended` the last comma is, if nothing but white space is behind it.
        var comma: Int?
        while let byte = scanner.next {
            let closing = quote(&scanner)
            if let closing {
                comma = nil
                if closing == .curly { hasCurly = true }
                mended.append(UInt8(ascii: "\""))
                copyString(&scanner, closing, to: &mended)
                continue
            }
            scanner.skip()
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), let place = comma {
                mended[place] = UInt8(ascii: " ")
                hasComma = true
            }
            if byte == UInt8(ascii: ",") {
                comma = mended.count
            } else if !TextScanner.isWhite(byte) {
                comma = nil
            }
            mended.append(byte)
        }
        guard hasCurly || hasComma else { return nil }
        return (
            mended,
            (hasCurly ? [curlyQuotes] : []) + (hasComma ? ["a comma behind the last entry was left out"] : [])
        )
    }

    private static func copyString(_ scanner: inout TextScanner, _ quote: Quote, to mended: inout [UInt8]) {
        while let byte = scanner.next {
            if byte == UInt8(ascii: "\\") {
                mended.append(byte)
                scanner.skip()
                if let escaped = scanner.take() { mended.append(escaped) }
                continue
            }
            if quote == .curly, scanner.take("”") || scanner.take("“") { break }
            if quote == .straight, scanner.take("\"") { break }
            if byte == UInt8(ascii: "\"") { mended.append(UInt8(ascii: "\\")) }
            mended.append(byte)
            scanner.skip()
        }
        mended.append(UInt8(ascii: "\""))
    }
}
