internal import MeterModel
internal import Texts

/// The head of a mail, or of a part of one, as far as it says what it holds (RFC 5322, RFC 2045, RFC 2183).
struct MailHead {
    /// In small letters.
    private(set) var type = "text/plain"
    private(set) var encoding = ""
    /// In small letters: of the text, and how its lines are broken.
    private(set) var charset: String?
    private(set) var isFlowed = false
    /// Whether the blank by which a flowed line ends is no part of it.
    private(set) var dropsBlanks = false
    private(set) var boundary: String?
    /// In small letters: `inline` or `attachment`.
    private(set) var disposition = ""
    /// Of the file that is attached.
    private(set) var name: String?
    var isFile: Bool { name != nil || disposition == "attachment" }
    /// Where it ends.
    let end: Int

    init(_ part: ArraySlice<UInt8>) {
        var lines = MailLines(part)
        // A long field goes on in lines that begin with a space.
        var fields: [ArraySlice<UInt8>] = []
        var field: ArraySlice<UInt8> = []
        while let line = lines.next(), !line.isEmpty {
            if line.first == 0x20 || line.first == 0x09 {
                field += line
            } else {
                fields.append(field)
                field = line
            }
        }
        end = lines.place
        for field in fields + [field] where Self.isAboutContents(field) { read(String(decoding: field, as: UTF8.self)) }
    }

    private static func isAboutContents(_ field: ArraySlice<UInt8>) -> Bool {
        String(decoding: field.prefix(8), as: UTF8.self).lowercased() == "content-" && field.count < 10_000
    }

    private mutating func read(_ text: String) {
        let field = MailField(text)
        switch field.name {
        case "content-type":
            type = field.value
            charset = field.text("charset")?.lowercased()
            isFlowed = field.text("format")?.lowercased() == "flowed"
            dropsBlanks = field.text("delsp")?.lowercased() == "yes"
            if type.hasPrefix("multipart/") { boundary = field.text("boundary") }
            name = name ?? field.text("name")
        case "content-disposition":
            disposition = field.value
            name = field.text("filename") ?? name
        case "content-transfer-encoding": encoding = field.value
        default: break
        }
    }
}

extension MailHead {
    private static let known: Set<String> = [
        "bcc", "cc", "content-transfer-encoding", "content-type", "date", "delivered-to", "dkim-signature",
        "in-reply-to", "message-id", "mime-version", "received", "references", "reply-to", "return-path", "sender",
        "subject", "to", "x-received",
    ]
    private static let longest = 1 << 16

    /// Whether a text begins with the head of a mail: nothing but fields, from whom it is and another one that mails have
    /// among them, and an empty line behind them. The lines of a log may look like fields, too.
    static func begins(_ text: ArraySlice<UInt8>) -> Bool {
        var lines = MailLines(text.prefix(longest))
        var (names, isFrom, hasSender): (Set<String>, Bool, Bool) = ([], false, false)
        while let line = lines.next() {
            if line.isEmpty { return hasSender && names.count > 1 }
            if line.first != 0x20, line.first != 0x09 {
                guard let name = fieldName(of: line) else { return false }
                isFrom = name == "from"
                if isFrom || known.contains(name) { names.insert(name) }
                hasSender = hasSender || name == "received"
            } else if names.isEmpty {
                return false
            }
            if isFrom, line.contains(UInt8(ascii: "@")) { hasSender = true }
        }
        return false
    }

    private static func fieldName(of line: ArraySlice<UInt8>) -> String? {
        let name = line.prefix(80).prefix {
            $0.isDigit || (0x41...0x5A).contains($0 & 0xDF) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        guard !name.isEmpty, line[name.endIndex...].first == UInt8(ascii: ":") else { return nil }
        return String(decoding: name, as: UTF8.self).lowercased()
    }
}

/// The lines of a mail, without what ends them.
struct MailLines {
    private let text: ArraySlice<UInt8>
    /// Where the next one begins.
    private(set) var place: Int

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        place = text.startIndex
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard place < text.endIndex else { return nil }
        let end = text[place...].firstIndex(of: 0x0A) ?? text.endIndex
        let line = text[place..<end]
        place = min(end + 1, text.endIndex)
        return line.last == 0x0D ? line.dropLast() : line
    }
}

/// A field with parameters, such as `Content-Type: text/plain; charset=utf-8`.
private struct MailField {
    /// In small letters, as the value.
    let name: String
    let value: String
    private var parameters: [String: String] = [:]

    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        name = parts[0].lowercased()
        var scanner = TextScanner(Array((parts.count > 1 ? parts[1] : "").utf8))
        let value = String(decoding: scanner.take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "(") }, as: UTF8.self)
        self.value = WhiteSpace.trimmed(value).replacing("\"", with: "").lowercased()
        while scanner.skip(past: ";") {
            scanner.skipWhiteSpace()
            let key = scanner.take { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            guard scanner.take("=") else { continue }
            scanner.skipWhiteSpace()
            let value = Self.value(&scanner)
            parameters[WhiteSpace.trimmed(String(decoding: key, as: UTF8.self)).lowercased()] = value
        }
    }

    private static func value(_ scanner: inout TextScanner) -> String {
        guard scanner.take("\"") else {
            let word = scanner.take { $0 != UInt8(ascii: ";") && !TextScanner.isWhite($0) }
            return String(decoding: word, as: UTF8.self)
        }
        var text: [UInt8] = []
        while let byte = scanner.take(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let next = scanner.take() { text.append(next) } else { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A parameter, put together and decoded where it was cut or is not in ASCII (RFC 2231, and RFC 2047 as mail programs
    /// use it here, too).
    func text(_ name: String) -> String? {
        if let plain = parameters[name] { return MailWords.decoded(plain) }
        var pieces: [(text: String, isEncoded: Bool)] = []
        if let whole = parameters["\(name)*"] { pieces = [(whole, true)] }
        while pieces.count < 100 {
            if let piece = parameters["\(name)*\(pieces.count)"] {
                pieces.append((piece, false))
            } else if let piece = parameters["\(name)*\(pieces.count)*"] {
                pieces.append((piece, true))
            } else {
                break
            }
        }
        guard let first = pieces.first else { return nil }
        var charset = "utf-8"
        let parts = first.text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        if first.isEncoded, parts.count == 3 { (charset, pieces[0].text) = (String(parts[0]), String(parts[2])) }
        let bytes = pieces.flatMap { piece in
            piece.isEncoded
                ? MailWords.unescaped(Array(piece.text.utf8)[...], sign: UInt8(ascii: "%")) : Array(piece.text.utf8)
        }
        return MailWords.text(bytes, charset)
    }
}
