internal import CoreDataStore
internal import Foundation
internal import Texts

/// The parts of a mail, or of all mails of a mailbox, as they were before a mail program encoded them (RFC 2045, RFC 2046).
struct Mail {
    struct Part {
        let head: MailHead
        let bytes: [UInt8]
        /// Why the bytes are not what was sent; nil where they are.
        let fault: MailFault?

        /// Of the file, or what it is.
        var name: String { head.name ?? head.type }
    }

    /// What is no list of parts, in the order of the mail.
    private(set) var parts: [Part] = []
    /// Why there may be more than these parts; nil where they are all.
    private(set) var fault: MailFault?

    /// Bytes of all parts together.
    private static let longest = 1 << 27
    /// Mails in mails, and lists of parts in lists.
    private static let deepest = 8
    private static let mostParts = 1_000
    private var (count, length) = (0, 0)

    /// Whether a text begins with the head of a mail.
    static func begins(_ start: [UInt8]) -> Bool { MailHead.begins(MailEnvelope(start).contents) }

    init(_ file: [UInt8]) {
        let envelope = MailEnvelope(file)
        if envelope.isCut { setFault("the mail is cut off: it is shorter than its first line says") }
        for mail in envelope.mails { read(mail, depth: 0) }
    }

    private mutating func setFault(_ reason: String) {
        fault = fault ?? MailFault(reason, hint: "ask for the mail again, or for the file itself")
    }

    /// Reads a part: its head, an empty line, and what it holds.
    private mutating func read(_ part: ArraySlice<UInt8>, depth: Int) {
        count += 1
        guard depth < Self.deepest, count <= Self.mostParts else {
            setFault("a mail with more than \(Self.mostParts) parts, or with more than \(Self.deepest) in each other")
            return
        }
        let head = MailHead(part)
        let body = part[head.end...]
        if let boundary = head.boundary {
            let (inner, isWhole) = Self.parts(of: body, boundary)
            for part in inner { read(part, depth: depth + 1) }
            if !isWhole { setFault("the mail is cut off: the end of \(parts.last?.name ?? head.type) is missing") }
            return
        }
        let (bytes, fault) = Self.decoded(body, head)
        length += bytes.count
        guard length <= Self.longest else {
            setFault("a mail with more than \(Self.longest >> 20) MiB in its parts")
            return
        }
        // Not every program says of an attached mail what it is.
        if fault == nil, head.type == "message/rfc822" || head.isFile && MailHead.begins(bytes[...]) {
            read(bytes[...], depth: depth + 1)
        } else {
            parts.append(Part(head: head, bytes: bytes, fault: fault))
        }
    }

    private static func decoded(_ body: ArraySlice<UInt8>, _ head: MailHead) -> ([UInt8], MailFault?) {
        switch head.encoding {
        case "base64":
            let digits = body.filter { !$0.isSpace }
            if let data = Data(base64Encoded: Data(digits)) { return (Array(data), nil) }
            let whole = Data(digits.dropLast(digits.count % 4))
            return (
                Array(Data(base64Encoded: whole, options: .ignoreUnknownCharacters) ?? Data()),
                MailFault("its base64 is cut off or damaged", hint: "ask for the file again, in another mail")
            )
        case "quoted-printable": return (MailWords.unescaped(body), nil)
        case "", "7bit", "8bit", "binary": return (Array(body), nil)
        default:
            return (
                Array(body),
                MailFault("it is encoded as \(head.encoding)", hint: "ask for it again, in another mail")
            )
        }
    }

    /// What is between the lines with the boundary, and whether the last one of them is there.
    private static func parts(
        of body: ArraySlice<UInt8>, _ boundary: String
    ) -> (parts: [ArraySlice<UInt8>], isWhole: Bool) {
        let mark = Array("--\(boundary)".utf8)
        var (parts, start): ([ArraySlice<UInt8>], Int?) = ([], nil)
        var lines = MailLines(body)
        var place = lines.place
        while let line = lines.next() {
            if line.starts(with: mark) {
                let rest = line.dropFirst(mark.count)
                let isLast = rest.starts(with: "--".utf8)
                // Another boundary may begin like this one.
                if isLast || rest.allSatisfy({ $0.isSpace }) {
                    if let start { parts.append(body[start..<place]) }
                    if isLast { return (parts, true) }
                    start = lines.place
                }
            }
            place = lines.place
        }
        if let start { parts.append(body[start...]) }
        return (parts, false)
    }
}

extension Mail.Part {
    /// What mail programs put beside what is meant.
    private static let typesBeside: Set<String> = [
        "application/ics", "application/pgp-keys", "application/pgp-signature", "application/pkcs7-signature",
        "application/x-pkcs7-signature", "message/delivery-status", "message/disposition-notification",
        "text/calendar", "text/directory", "text/enriched", "text/rfc822-headers", "text/vcard", "text/x-amp-html",
        "text/x-vcard",
    ]
    private static let endingsBeside = [".asc", ".ics", ".p7s", ".sig", ".vcf"]

    /// Whether it is neither what is meant nor a letter.
    var isBeside: Bool {
        let kind = FileKind(of: bytes)
        return Self.typesBeside.contains(head.type)
            || ["image/", "audio/", "video/"].contains { head.type.hasPrefix($0) }
            || kind?.isPicture ?? false || head.type == "text/html" && head.disposition != "attachment"
            || Self.endingsBeside.contains { name.lowercased().hasSuffix($0) }
    }
}

/// What programs put around a mail that they keep in a file.
private struct MailEnvelope {
    let contents: ArraySlice<UInt8>
    /// Whether it is a mailbox, in which each mail begins with a line of its own (RFC 4155).
    private let isMailbox: Bool
    /// Bytes, as the first line of Apple's .emlx says them; nil for others.
    private let length: Int?

    init(_ file: [UInt8]) {
        let start = file.drop { $0.isSpace }
        var lines = MailLines(start)
        let first = lines.next() ?? []
        isMailbox = first.starts(with: "From ".utf8)
        let number = String(decoding: first.prefix(20), as: UTF8.self).trimmingCharacters(in: .whitespaces)
        length = Int(number).flatMap { $0 >= 0 ? $0 : nil }
        contents = isMailbox || length != nil ? file[lines.place...] : start
    }

    var isCut: Bool { length.map { $0 > contents.count } ?? false }

    var mails: [ArraySlice<UInt8>] {
        guard isMailbox else { return [length.map { contents.prefix($0) } ?? contents] }
        var mails: [ArraySlice<UInt8>] = []
        var mail: [UInt8] = []
        var (lines, isBehindEmpty) = (MailLines(contents), false)
        while let line = lines.next() {
            if isBehindEmpty, line.starts(with: "From ".utf8), MailHead.begins(contents[lines.place...]) {
                mails.append(mail[...])
                mail = []
            } else {
                // A sign keeps a line of a mail from being taken for the first one.
                let isSigned = line.drop { $0 == UInt8(ascii: ">") }.starts(with: "From ".utf8)
                mail += isSigned && line.first == UInt8(ascii: ">") ? line.dropFirst() : line
                mail.append(0x0A)
            }
            isBehindEmpty = line.isEmpty
        }
        return mails + [mail[...]]
    }
}
