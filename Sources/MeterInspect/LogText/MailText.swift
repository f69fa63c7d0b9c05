internal import CoreDataStore
internal import Foundation
internal import Texts

/// What is written in the source of a mail, as it was before a mail program encoded it (RFC 2045, RFC 2046): of each part
/// that is text, whatever type it bears. What is not read is named.
struct MailText {
    /// The parts that are text, one after the other; a page only where there is nothing else.
    private(set) var text: [UInt8] = []
    /// Parts that were not read: `screenshot.png (a PNG picture)`.
    private(set) var unread: [String] = []
    private var pages: [UInt8] = []

    /// Bytes of a mail, and of what is packed in it.
    static let longest = 1 << 26
    /// Mails in mails, and lists of parts in lists.
    private static let deepest = 8
    private static let mostParts = 1_000
    private var parts = 0

    /// Whether it is a mail, or text that a mail program has encoded and somebody has copied without the mail's head.
    static func begins(_ start: [UInt8]) -> Bool { FileKind(of: start)?.isMail ?? false || isQuoted(start) }

    /// Quoted-printable has no longer lines, and breaks those of a log.
    private static func isQuoted(_ start: [UInt8]) -> Bool {
        let lines = start.split(separator: 0x0A).dropLast().map { $0.last == 0x0D ? $0.dropLast() : $0 }
        return lines.allSatisfy { $0.count <= 76 } && lines.count { $0.last == UInt8(ascii: "=") } > 2
    }

    init(_ mail: [UInt8]) {
        if FileKind(of: mail)?.isMail ?? false {
            read(mail[...], depth: 0)
        } else {
            text = Self.unquoted(mail[...])
        }
        if text.allSatisfy({ $0.isSpace }) { text = pages }
    }

    /// Reads a part: its head, an empty line, and what it holds.
    private mutating func read(_ part: ArraySlice<UInt8>, depth: Int) {
        parts += 1
        guard depth < Self.deepest, parts <= Self.mostParts else {
            unread.append("parts of parts")
            return
        }
        let head = Head(part)
        let body = part[head.end...]
        if let boundary = head.boundary {
            for inner in Self.parts(of: body, boundary) { read(inner, depth: depth + 1) }
            return
        }
        var bytes =
            switch head.encoding {
            case "base64": Array(Data(base64Encoded: Data(body), options: .ignoreUnknownCharacters) ?? Data())
            case "quoted-printable": Self.unquoted(body)
            default: Array(body)
            }
        if head.type == "message/rfc822" { return read(bytes[...], depth: depth + 1) }
        if bytes.starts(with: [0x1F, 0x8B]), let log = try? bytes.inflated(limit: Self.longest, isGzip: true) {
            bytes = log
        }
        add(bytes, of: head)
    }

    private mutating func add(_ bytes: [UInt8], of head: Head) {
        let utf16 = [[0xFF, 0xFE], [0xFE, 0xFF]].contains { bytes.starts(with: $0) }
        let kind = FileKind(of: bytes)
        if head.type == "text/html" || kind?.name == "an HTML page" {
            pages += Self.textOfPage(bytes)
        } else if utf16 {
            text += Array((String(data: Data(bytes), encoding: .utf16) ?? "").utf8) + [0x0A]
        } else if let kind, kind.isArchive || kind.isForLooking {
            unread.append("\(head.name ?? head.type) (\(kind.name))")
        } else if bytes.contains(0) {
            unread.append("\(head.name ?? head.type) (no text)")
        } else {
            text += bytes + [0x0A]
        }
    }

    private static func parts(of body: ArraySlice<UInt8>, _ boundary: String) -> [ArraySlice<UInt8>] {
        let line = Array("--\(boundary)".utf8)
        var (parts, start): ([ArraySlice<UInt8>], Int?) = ([], nil)
        var place = body.startIndex
        while place < body.endIndex {
            let end = body[place...].firstIndex(of: 0x0A) ?? body.endIndex
            if body[place..<end].starts(with: line) {
                if let start { parts.append(body[start..<place]) }
                let isLast = body[place..<end].dropFirst(line.count).starts(with: "--".utf8)
                start = isLast ? nil : min(end + 1, body.endIndex)
                if isLast { break }
            }
            place = min(end, body.endIndex - 1) + 1
        }
        // A mail that was cut off has no end.
        if let start { parts.append(body[start...]) }
        return parts
    }

    /// `=3D` is `=` again; the last `=` of a line says that it goes on (RFC 2045, 6.7).
    private static func unquoted(_ body: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var rest = body
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                text.append(byte)
                continue
            }
            let blanks = rest.prefix { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            let digits = rest.prefix(2)
            if rest.dropFirst(blanks.count).first == 0x0A {
                rest = rest.dropFirst(blanks.count + 1)
            } else if digits.count == 2, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                text.append(byte)
                rest = rest.dropFirst(2)
            } else if !rest.isEmpty {
                text.append(byte)
            }
        }
        return text
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

/// The head of a mail, or of a part of one, as far as it says what it holds.
private struct Head {
    /// In small letters: `text/plain`.
    private(set) var type = "text/plain"
    private(set) var encoding = ""
    private(set) var boundary: String?
    /// Of the file that is attached.
    private(set) var name: String?
    /// Where it ends.
    let end: Int

    init(_ part: ArraySlice<UInt8>) {
        var place = part.startIndex
        // A long field goes on in lines that begin with a space.
        var field: ArraySlice<UInt8> = []
        var (isOver, fields): (Bool, [ArraySlice<UInt8>]) = (false, [])
        while place < part.endIndex, !isOver {
            let end = part[place...].firstIndex(of: 0x0A) ?? part.endIndex
            let line = part[place..<end].last == 0x0D ? part[place..<end].dropLast() : part[place..<end]
            if line.first == 0x20 || line.first == 0x09 {
                field += line
            } else {
                fields.append(field)
                field = line
            }
            isOver = line.isEmpty
            place = min(end + 1, part.endIndex)
        }
        end = place
        for field in fields + [field] where Self.isAboutContents(field) { read(String(decoding: field, as: UTF8.self)) }
    }

    private static func isAboutContents(_ field: ArraySlice<UInt8>) -> Bool {
        String(decoding: field.prefix(8), as: UTF8.self).lowercased() == "content-" && field.count < 10_000
    }

    private mutating func read(_ field: String) {
        let lowercased = field.lowercased()
        let value = lowercased.drop { $0 != ":" }.dropFirst().prefix { $0 != ";" }
            .trimmingCharacters(in: .whitespaces).replacing("\"", with: "")
        if lowercased.hasPrefix("content-type:") {
            type = value
            if type.hasPrefix("multipart/") { boundary = Self.parameter("boundary", of: field) }
        } else if lowercased.hasPrefix("content-transfer-encoding:") {
            encoding = value
        }
        name = Self.parameter("filename", of: field) ?? name ?? Self.parameter("name", of: field)
    }

    private static func parameter(_ name: String, of field: String) -> String? {
        let parts = field.split(separator: ";").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
        let own = parts.first { $0.lowercased().hasPrefix("\(name)=") }
        return own.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: ["\""]) }
    }
}
