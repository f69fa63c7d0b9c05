/// Splits XML into tags and texts: it knows CDATA, comments, the five entities of XML and numeric character references.
/// A DOCTYPE may come first but must not declare anything, so nothing is fetched and nothing expands. The caller checks
/// that tags match, because it knows what should be there.
///
/// The text has to be UTF-8 (`UTF8Check`). The time is proportional to its length.
package struct XMLReader {
    private var scanner: TextScanner
    private var isProlog = true

    package init(_ text: [UInt8]) { scanner = TextScanner(text) }

    /// Where the next token begins.
    package var position: Int { scanner.position }

    /// The next tag or text; nil at the end.
    /// - Throws: `XMLError` with the position.
    package mutating func next() throws(XMLError) -> XMLToken? {
        if let text = try text() { return .text(text) }
        if scanner.isAtEnd { return nil }
        return scanner.isNext("</") ? try closingTag() : .start(try openingTag())
    }

    /// The attributes of a tag that this reader returned, in their order.
    /// - Throws: `XMLError` with the position.
    package func attributes(of tag: XMLTag) throws(XMLError) -> [(name: String, value: String)] {
        var reader = XMLReader(Array(scanner.text[tag.attributeRange]))
        do {
            return try reader.attributes()
        } catch {
            throw XMLError(error.reason, at: tag.attributeRange.lowerBound + error.offset)
        }
    }

    // MARK: Tags

    private mutating func openingTag() throws(XMLError) -> XMLTag {
        let start = scanner.position
        scanner.skip()
        let name = name()
        guard !name.isEmpty else { throw XMLError("a < that does not begin an element", at: start) }
        isProlog = false
        let attributes = scanner.position
        while let byte = scanner.take() {
            switch byte {
            case UInt8(ascii: ">"):
                return XMLTag(
                    name: name, isEmpty: false, offset: start, attributeRange: attributes..<scanner.position - 1)
            case UInt8(ascii: "/") where scanner.take(">"):
                return XMLTag(
                    name: name, isEmpty: true, offset: start, attributeRange: attributes..<scanner.position - 2)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = scanner.take { $0 != byte }
                scanner.skip()
            case UInt8(ascii: "<"): throw XMLError("a < inside the element <\(name)>", at: start)
            default: break
            }
        }
        throw XMLError("the element <\(name)> does not end", at: start)
    }

    private mutating func closingTag() throws(XMLError) -> XMLToken {
        let start = scanner.position
        scanner.skip(2)
        let name = name()
        scanner.skipWhiteSpace()
        guard scanner.take(">") else { throw XMLError("</\(name)> does not end", at: start) }
        return .end(name: name, offset: start)
    }

    private mutating func name() -> String {
        String(decoding: scanner.take(while: Self.isNameByte).prefix(64), as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"):
            true
        default: byte >= 0x80
        }
    }

    private mutating func attributes() throws(XMLError) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        while true {
            scanner.skipWhiteSpace()
            guard !scanner.isAtEnd else { return attributes }
            let start = scanner.position
            let name = name()
            scanner.skipWhiteSpace()
            guard !name.isEmpty, scanner.take("=") else { throw XMLError("an attribute without a value", at: start) }
            scanner.skipWhiteSpace()
            guard let quote = scanner.take(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw XMLError("the attribute \(name) without quotes around its value", at: start)
            }
            var value: [UInt8] = []
            while true {
                value += scanner.take { $0 != quote && $0 != UInt8(ascii: "&") }
                let place = scanner.position
                guard let byte = scanner.take() else {
                    throw XMLError("the attribute \(name) without a closing quote", at: start)
                }
                if byte == quote { break }
                value += try character(at: place)
            }
            attributes.append((name, String(decoding: value, as: UTF8.self)))
        }
    }

    // MARK: Text

    /// Nil if there is none, or only comments.
    private mutating func text() throws(XMLError) -> XMLText? {
        let start = scanner.position
        var bytes: [UInt8] = []
        var ink: Int?
        while true {
            let plain = scanner.take { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
            if ink == nil, let first = plain.firstIndex(where: { !TextScanner.isWhite($0) }) { ink = first }
            bytes += plain
            let place = scanner.position
            if scanner.take("&") {
                bytes += try character(at: place)
                ink = ink ?? place
            } else if scanner.take("<![CDATA[") {
                let content = scanner.position
                guard scanner.skip(past: "]]>") else { throw XMLError("a CDATA that does not end", at: place) }
                bytes += scanner.text[content..<scanner.position - 3]
                ink = ink ?? place
            } else if scanner.take("<!--") {
                guard scanner.skip(past: "-->") else { throw XMLError("a comment that does not end", at: place) }
            } else if scanner.take("<?") {
                guard scanner.skip(past: "?>") else { throw XMLError("an instruction that does not end", at: place) }
            } else if isProlog, scanner.take("<!DOCTYPE") {
                try skipDocumentType(from: place)
            } else {
                break
            }
        }
        guard !bytes.isEmpty || ink != nil else { return nil }
        return XMLText(value: String(decoding: bytes, as: UTF8.self), isBlank: ink == nil, offset: ink ?? start)
    }

    private mutating func skipDocumentType(from start: Int) throws(XMLError) {
        while let byte = scanner.take() {
            switch byte {
            case UInt8(ascii: ">"): return
            case UInt8(ascii: "["): throw XMLError("a DOCTYPE with declarations of its own", at: start)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = scanner.take { $0 != byte }
                scanner.skip()
            default: break
            }
        }
        throw XMLError("a DOCTYPE that does not end", at: start)
    }

    /// The character of an entity, after its `&`.
    private mutating func character(at start: Int) throws(XMLError) -> String.UTF8View {
        let name = String(decoding: scanner.take { $0 != UInt8(ascii: ";") && $0 > 0x20 }.prefix(16), as: UTF8.self)
        guard scanner.take(";") else { throw XMLError("a & that does not begin an entity", at: start) }
        switch name {
        case "lt": return "<".utf8
        case "gt": return ">".utf8
        case "amp": return "&".utf8
        case "quot": return "\"".utf8
        case "apos": return "'".utf8
        default:
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            guard let scalar = number.flatMap(Unicode.Scalar.init) else {
                throw XMLError("an unknown entity", at: start)
            }
            return String(scalar).utf8
        }
    }
}

/// Why a text is not XML, or not supported XML.
package struct XMLError: Error, Hashable {
    /// Lower case, no full stop.
    package let reason: String
    /// Bytes from the start of the text.
    package let offset: Int

    package init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// A piece of XML. Offsets are bytes from the start of the text.
package enum XMLToken: Hashable, Sendable {
    case start(XMLTag)
    case end(name: String, offset: Int)
    /// All text up to the next tag, with entities and CDATA resolved.
    case text(XMLText)

    package var offset: Int {
        switch self {
        case .start(let tag): tag.offset
        case .end(_, let offset): offset
        case .text(let text): text.offset
        }
    }
}

/// `<name …>` or `<name …/>`.
package struct XMLTag: Hashable, Sendable {
    package let name: String
    /// Without contents: `<true/>`.
    package let isEmpty: Bool
    package let offset: Int
    /// What is between the name and the end of the tag. Attributes are often not needed, so they are read on demand.
    let attributeRange: Range<Int>
}

package struct XMLText: Hashable, Sendable {
    package let value: String
    /// Only white space, not written as entities.
    package let isBlank: Bool
    /// Where it begins, without leading white space.
    package let offset: Int
}
