internal import CoreDataStore
internal import Foundation
internal import MeterModel

extension PropertyList {
    /// Reads an XML property list from UTF-8 text. Foundation's reader follows any nesting until the stack is gone;
    /// this one has limits, and says where it stopped.
    init(xml text: [UInt8]) throws(DumpFault) {
        try DumpText.validate(text)
        var reader = XMLPropertyListReader(text)
        self = try reader.document()
    }
}

/// The part of XML that property lists use: elements without meaning in their attributes, text, CDATA, comments, the
/// five entities of XML and numbered characters. A DOCTYPE may name Apple's, but must not declare anything.
private struct XMLPropertyListReader {
    private struct Tag {
        let name: String
        /// Without contents: `<true/>`.
        let isEmpty: Bool
        let offset: Int
    }

    private var scanner: TextScanner

    init(_ text: [UInt8]) { scanner = TextScanner(text) }

    mutating func document() throws(DumpFault) -> PropertyList {
        try skipBetweenElements(isProlog: true)
        var tag = try openingTag()
        let isWrapped = tag.name == "plist"
        if isWrapped {
            guard !tag.isEmpty else { throw DumpFault("an XML property list without a value", at: tag.offset) }
            try skipBetweenElements()
            guard !scanner.isNext("</") else {
                throw DumpFault("an XML property list without a value", at: scanner.position)
            }
            tag = try openingTag()
        }
        let value = try value(tag, depth: 0)
        if isWrapped { try closingTag("plist") }
        try skipBetweenElements()
        guard scanner.isAtEnd else {
            throw DumpFault("something follows the XML property list", at: scanner.position)
        }
        return value
    }

    private mutating func value(_ tag: Tag, depth: Int) throws(DumpFault) -> PropertyList {
        try scanner.count(depth: depth)
        switch tag.name {
        case "dict": return .dictionary(try dictionary(tag, depth: depth))
        case "array": return .array(try array(tag, depth: depth))
        case "string": return .string(try contents(tag))
        case "true", "false":
            guard WhiteSpace.isAll(try contents(tag)) else {
                throw DumpFault("text inside <\(tag.name)>", at: tag.offset)
            }
            return .bool(tag.name == "true")
        case "integer": return .integer(try integer(tag))
        case "real":
            let text = WhiteSpace.trimmed(try contents(tag))
            guard text.utf8.count <= 1000, let number = Double(text) else {
                throw DumpFault("a <real> that is not a number", at: tag.offset)
            }
            return .real(number)
        case "date":
            guard let date = Timestamp(iso8601: WhiteSpace.trimmed(try contents(tag))) else {
                throw DumpFault("a <date> that is not a date", at: tag.offset)
            }
            return .date(date.secondsSince2001)
        case "data":
            guard let data = Data(base64Encoded: try contents(tag), options: .ignoreUnknownCharacters) else {
                throw DumpFault("a <data> that is not base64", at: tag.offset)
            }
            return .data([UInt8](data))
        default: throw DumpFault("<\(tag.name)> is no element of a property list", at: tag.offset)
        }
    }

    private mutating func dictionary(_ tag: Tag, depth: Int) throws(DumpFault) -> [String: PropertyList] {
        var entries: [String: PropertyList] = [:]
        guard !tag.isEmpty else { return entries }
        while true {
            try skipBetweenElements()
            if scanner.isNext("</") { break }
            let key = try openingTag()
            guard key.name == "key" else { throw DumpFault("<\(key.name)> where a <key> should be", at: key.offset) }
            try scanner.count(depth: depth)
            let name = try contents(key)
            try skipBetweenElements()
            guard !scanner.isNext("</") else { throw DumpFault("a <key> without a value", at: key.offset) }
            try entries.add(try value(try openingTag(), depth: depth + 1), for: name, at: key.offset)
        }
        try closingTag("dict")
        return entries
    }

    private mutating func array(_ tag: Tag, depth: Int) throws(DumpFault) -> [PropertyList] {
        var elements: [PropertyList] = []
        guard !tag.isEmpty else { return elements }
        while true {
            try skipBetweenElements()
            if scanner.isNext("</") { break }
            elements.append(try value(try openingTag(), depth: depth + 1))
        }
        try closingTag("array")
        return elements
    }

    private mutating func integer(_ tag: Tag) throws(DumpFault) -> Int64 {
        let text = WhiteSpace.trimmed(try contents(tag))
        let isNegative = text.hasPrefix("-")
        let digits = text.drop { $0 == "-" || $0 == "+" }
        let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        guard digits.utf8.count <= 100, text.utf8.count - digits.utf8.count <= 1,
            let number = Int64((isNegative ? "-" : "") + digits.dropFirst(isHex ? 2 : 0), radix: isHex ? 16 : 10)
        else { throw DumpFault("an <integer> that is not one of 64 bits", at: tag.offset) }
        return number
    }

    // MARK: Markup

    /// Skips white space, comments and processing instructions, before the first element also a DOCTYPE.
    private mutating func skipBetweenElements(isProlog: Bool = false) throws(DumpFault) {
        while true {
            scanner.skipWhiteSpace()
            let start = scanner.position
            if scanner.take("<!--") {
                guard scanner.skip(past: "-->") else { throw DumpFault("a comment that does not end", at: start) }
            } else if scanner.take("<?") {
                guard scanner.skip(past: "?>") else { throw DumpFault("an instruction that does not end", at: start) }
            } else if isProlog, scanner.take("<!DOCTYPE") {
                try skipDocumentType(from: start)
            } else {
                return
            }
        }
    }

    private mutating func skipDocumentType(from start: Int) throws(DumpFault) {
        while let byte = scanner.take() {
            switch byte {
            case UInt8(ascii: ">"): return
            case UInt8(ascii: "["): throw DumpFault("a DOCTYPE with declarations of its own", at: start)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = scanner.take { $0 != byte }
                scanner.skip()
            default: break
            }
        }
        throw DumpFault("a DOCTYPE that does not end", at: start)
    }

    private mutating func openingTag() throws(DumpFault) -> Tag {
        let start = scanner.position
        guard scanner.take("<") else {
            throw DumpFault(
                scanner.isAtEnd ? "the XML property list ends too early" : "text where an element should be", at: start)
        }
        let name = String(decoding: scanner.take(while: Self.isNameByte).prefix(64), as: UTF8.self)
        guard !name.isEmpty else { throw DumpFault("a < that begins no element", at: start) }
        while let byte = scanner.take() {
            switch byte {
            case UInt8(ascii: ">"): return Tag(name: name, isEmpty: false, offset: start)
            case UInt8(ascii: "/") where scanner.take(">"): return Tag(name: name, isEmpty: true, offset: start)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = scanner.take { $0 != byte }
                scanner.skip()
            case UInt8(ascii: "<"): throw DumpFault("a < inside the element <\(name)>", at: start)
            default: break
            }
        }
        throw DumpFault("the element <\(name)> does not end", at: start)
    }

    /// White space, comments and `</name>`.
    private mutating func closingTag(_ name: StaticString) throws(DumpFault) {
        try skipBetweenElements()
        let start = scanner.position
        guard scanner.take("</"), scanner.take(name) else { throw DumpFault("</\(name)> is missing", at: start) }
        scanner.skipWhiteSpace()
        guard scanner.take(">") else { throw DumpFault("</\(name)> is missing", at: start) }
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

    // MARK: Text

    /// The text up to and with the closing tag of `tag`.
    private mutating func contents(_ tag: Tag) throws(DumpFault) -> String {
        guard !tag.isEmpty else { return "" }
        var bytes: [UInt8] = []
        while true {
            bytes += scanner.take { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
            let start = scanner.position
            if scanner.take("&") {
                bytes += try character(at: start)
            } else if scanner.take("<![CDATA[") {
                let from = scanner.position
                guard scanner.skip(past: "]]>") else { throw DumpFault("a CDATA that does not end", at: start) }
                bytes += scanner.text[from..<scanner.position - 3]
            } else if scanner.take("<!--") {
                guard scanner.skip(past: "-->") else { throw DumpFault("a comment that does not end", at: start) }
            } else if scanner.take("</") {
                let name = scanner.take(while: Self.isNameByte)
                scanner.skipWhiteSpace()
                guard name.elementsEqual(tag.name.utf8), scanner.take(">") else {
                    throw DumpFault("</\(tag.name)> is missing", at: start)
                }
                return String(decoding: bytes, as: UTF8.self)
            } else {
                throw DumpFault(
                    scanner.isAtEnd ? "the element <\(tag.name)> does not end" : "an element inside <\(tag.name)>",
                    at: tag.offset)
            }
        }
    }

    /// The character of an entity, behind its `&`.
    private mutating func character(at start: Int) throws(DumpFault) -> String.UTF8View {
        let name = String(decoding: scanner.take { $0 != UInt8(ascii: ";") && $0 > 0x20 }.prefix(16), as: UTF8.self)
        guard scanner.take(";") else { throw DumpFault("a & that begins no entity", at: start) }
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
                throw DumpFault("an unknown entity", at: start)
            }
            return String(scalar).utf8
        }
    }
}
