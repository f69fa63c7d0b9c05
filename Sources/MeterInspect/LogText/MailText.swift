internal import CoreDataStore
internal import Foundation
internal import MeterModel

/// What is written in the source of a mail: of each part that is text, whatever type it bears. What is not read is named.
struct MailText {
    /// The parts that are text, one after the other; a page only where there is nothing else.
    private(set) var text: [UInt8] = []
    /// Parts that were not read: `screenshot.png (a PNG picture)`.
    private(set) var unread: [String] = []
    private var pages: [UInt8] = []

    /// Bytes of a mail, and of what is packed in it.
    static let longest = 1 << 26

    /// Whether it is a mail, or text that a mail program has encoded and somebody has copied without the mail's head.
    static func begins(_ start: [UInt8]) -> Bool { isMail(start) || isQuoted(start) }

    private static func isMail(_ start: [UInt8]) -> Bool { FileKind(of: start)?.isMail ?? false || Mail.begins(start) }

    /// Quoted-printable has no longer lines, and breaks those of a log.
    private static func isQuoted(_ start: [UInt8]) -> Bool {
        var (place, broken) = (0, 0)
        var line: ArraySlice<UInt8> = []
        while place < start.count {
            let end = start[place...].firstIndex(of: 0x0A) ?? start.count
            // The last line may have been cut: only those before it are looked at.
            if end > place {
                let text = line.last == 0x0D ? line.dropLast() : line
                guard text.count <= 76, hasOnlyCodes(text) else { return false }
                broken += text.last == UInt8(ascii: "=") ? 1 : 0
                line = start[place..<end]
            }
            place = end + 1
        }
        return broken > 2
    }

    /// Whether each equals sign in a line has the number of a byte behind it, as quoted-printable has it: a log whose lines
    /// somebody has broken has others, too.
    private static func hasOnlyCodes(_ line: ArraySlice<UInt8>) -> Bool {
        line.indices.allSatisfy { place in
            let code = line[place...].dropFirst().prefix(2)
            return line[place] != UInt8(ascii: "=") || code.isEmpty || code.allSatisfy { Hexadecimal.digit($0) != nil }
        }
    }

    init(_ source: [UInt8]) {
        guard Self.isMail(source) else {
            text = MailWords.unescaped(source[...])
            return
        }
        let mail = Mail(source)
        for part in mail.parts { add(part) }
        if let fault = mail.fault { unread.append("the rest of the mail (\(fault.reason))") }
        if text.allSatisfy({ $0.isSpace }) { text = pages }
    }

    private mutating func add(_ part: Mail.Part) {
        var bytes = part.bytes
        if bytes.starts(with: [0x1F, 0x8B]), let log = try? bytes.inflated(limit: Self.longest, isGzip: true) {
            bytes = log
        }
        let kind = FileKind(of: bytes)
        if part.head.type == "text/html" || kind?.name == "an HTML page" {
            pages += Self.textOfPage(bytes)
        } else if let kind, kind.isArchive || kind.isForLooking {
            unread.append("\(part.name) (\(kind.name))")
        } else {
            bytes = (try? MailCharset.utf8(of: bytes, part.head.charset)) ?? bytes
            if bytes.contains(0) { unread.append("\(part.name) (no text)") } else { text += bytes + [0x0A] }
            if let fault = part.fault { unread.append("\(part.name) (\(fault.reason))") }
        }
    }

    /// A page without its tags; each line break of it ends a line.
    private static func textOfPage(_ page: [UInt8]) -> [UInt8] {
        let text = String(decoding: page, as: UTF8.self)
            .replacing(/(?i)<(?:br|\/p|\/div|\/tr|\/li)[^<>]*>/, with: "\n").replacing(/<[^<>]*>/, with: "")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&nbsp;", with: " ").replacing("&amp;", with: "&")
        return Array(text.utf8) + [0x0A]
    }
}
