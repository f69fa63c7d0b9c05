internal import CoreDataStore
internal import Foundation
internal import MeterModel

/// What is written in the source of a mail: of each part that is text, whatever type it bears. What is not read is named.
package struct MailText {
    /// The parts that are text, one after the other; of a page the lines that are in none of them.
    package private(set) var text: [UInt8] = []
    package private(set) var unread = UnreadParts()

    /// Bytes of a mail, and of what is packed in it.
    package static let longest = 1 << 26

    /// Whether it is a mail, or text that a mail program has encoded and somebody has copied without the mail's head.
    package static func begins(_ start: [UInt8]) -> Bool { isMail(start) || isQuoted(start) }

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

    package init(_ source: [UInt8]) {
        guard Self.isMail(source) else {
            text = MailWords.unescaped(source[...])
            return
        }
        let mail = Mail(source)
        var pages: [[UInt8]] = []
        for part in mail.parts {
            let bytes = Self.unpacked(part.bytes)
            if part.head.type == "text/html" || FileKind(of: bytes)?.name == "an HTML page" {
                pages.append(Self.textOfPage(bytes))
            } else {
                add(part, bytes)
            }
        }
        if let fault = mail.fault { unread.add("the rest of the mail (\(fault.reason))", mayBeLog: true) }
        for page in pages { text += MailPages.lines(of: page, notIn: text) }
    }

    private static func unpacked(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        return (try? bytes.inflated(limit: longest, isGzip: true)) ?? bytes
    }

    private mutating func add(_ part: Mail.Part, _ bytes: [UInt8]) {
        let kind = FileKind(of: bytes)
        if let kind, kind.isArchive || kind.isForLooking {
            unread.add("\(part.name) (\(kind.name))", mayBeLog: kind.isArchive)
            return
        }
        guard part.head.type != "message/external-body" else {
            unread.add("\(part.name) (it is not in the mail)", mayBeLog: true)
            return
        }
        var words = (try? MailCharset.utf8(of: bytes, part.head.charset)) ?? bytes
        if part.head.isFlowed {
            words = Array(LetterLine.all(in: words, part.head).map(\.text).joined(separator: "\n").utf8)
        }
        if words.contains(0) {
            unread.add("\(part.name) (no text)", mayBeLog: !part.isBeside)
        } else {
            text += words + [0x0A]
        }
        if let fault = part.fault { unread.add("\(part.name) (\(fault.reason))", mayBeLog: !part.isBeside) }
    }

    /// A page without its tags; each line break of it ends a line.
    private static func textOfPage(_ page: [UInt8]) -> [UInt8] {
        let ends = /(?i)<(?:br|\/p|\/div|\/tr|\/li|\/pre|\/h\d|\/?blockquote)[^<>]*>/
        let text = String(decoding: page, as: UTF8.self)
            .replacing(ends, with: "\n").replacing(/<[^<>]*>/, with: "")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&nbsp;", with: " ").replacing("&amp;", with: "&")
        return Array(text.utf8) + [0x0A]
    }
}

/// What is in a mail and was not read.
package struct UnreadParts {
    /// With what they are: `screenshot.png (a PNG picture)`.
    package private(set) var names: [String] = []
    /// Whether one of them may be a log.
    package private(set) var mayBeLog = false

    package init() {}

    fileprivate mutating func add(_ name: String, mayBeLog: Bool) {
        names.append(name)
        self.mayBeLog = self.mayBeLog || mayBeLog
    }
}

/// A mail program sends a page beside its text, which says the same, or asks for a program that shows pages.
private enum MailPages {
    /// Lines that differ in letters or digits; after so many of them it is another text, and all of it counts.
    private static let most = 20

    /// The lines of a page that are not in the text, in whatever way both are broken into lines.
    static func lines(of page: [UInt8], notIn text: [UInt8]) -> [UInt8] {
        var rest = Data(text.filter(isWord))[...]
        var (others, count): ([UInt8], Int) = ([], 0)
        for line in page.split(separator: 0x0A) {
            let wanted = Data(line.filter(isWord))
            guard !wanted.isEmpty else { continue }
            if let found = rest.range(of: wanted) {
                rest = rest[found.upperBound...]
                continue
            }
            others += line + [0x0A]
            count += 1
            if count > most { return page }
        }
        return others
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
