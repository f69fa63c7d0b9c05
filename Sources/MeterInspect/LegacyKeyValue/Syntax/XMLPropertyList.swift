internal import CoreDataStore
internal import Foundation
internal import MeterModel
internal import Texts

extension PropertyList {
    /// Reads an XML property list from UTF-8 text. Foundation's reader follows any nesting until the stack overflows;
    /// this one has limits, and says where it stopped.
    init(xml text: [UInt8]) throws(DumpError) {
        try DumpText.validate(text)
        var reader = XMLPropertyListReader(text)
        self = try reader.document()
    }
}

/// The elements of property lists; their attributes have no meaning.
private struct XMLPropertyListReader {
    private var xml: XMLReader
    private var allowance = ValueBudget()

    init(_ text: [UInt8]) { xml = XMLReader(text) }

    mutating func document() throws(DumpError) -> PropertyList {
        var tag = try openingTag(try element())
        let isWrapped = tag.name == "plist"
        if isWrapped {
            guard !tag.isEmpty else { throw DumpError("an XML property list without a value", at: tag.offset) }
            let inner = try element()
            if case .end(_, let offset) = inner {
                throw DumpError("an XML property list without a value", at: offset)
            }
            tag = try openingTag(inner)
        }
        let value = try value(tag, depth: 0)
        if isWrapped { try closingTag("plist", try element()) }
        var rest = try next()
        if case .text(let text) = rest, text.isBlank { rest = try next() }
        if let rest { throw DumpError("something follows the XML property list", at: rest.offset) }
        return value
    }

    private mutating func value(_ tag: XMLTag, depth: Int) throws(DumpError) -> PropertyList {
        try allowance.count(depth: depth, at: xml.position)
        switch tag.name {
        case "dict":
            let dictionary = try dictionary(tag, depth: depth)
            // As plutil and Foundation write a reference in a keyed archive.
            if dictionary.count == 1, case .integer(let number)? = dictionary["CF$UID"], number >= 0 {
                return .uid(UInt64(number))
            }
            return .dictionary(dictionary)
        case "array": return .array(try array(tag, depth: depth))
        case "string": return .string(try contents(tag))
        case "true", "false":
            guard WhiteSpace.isAll(try contents(tag)) else {
                throw DumpError("text inside <\(tag.name)>", at: tag.offset)
            }
            return .bool(tag.name == "true")
        case "integer": return try integer(tag)
        case "real":
            let text = WhiteSpace.trimmed(try contents(tag))
            guard text.utf8.count <= 1000, let number = Double(text) else {
                throw DumpError("a <real> that is not a number", at: tag.offset)
            }
            return .real(number)
        case "date":
            guard let date = Timestamp(iso8601: WhiteSpace.trimmed(try contents(tag))) else {
                throw DumpError("a <date> that is not a date", at: tag.offset)
            }
            return .date(date.secondsSince2001)
        case "data":
            let text = try contents(tag)
            // As the system writes no bytes: white space that lines the closing tag up.
            if WhiteSpace.isAll(text) { return .data([]) }
            guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                throw DumpError("a <data> that is not base64", at: tag.offset)
            }
            return .data([UInt8](data))
        default: throw DumpError("<\(tag.name)> is not an element of a property list", at: tag.offset)
        }
    }

    private mutating func dictionary(_ tag: XMLTag, depth: Int) throws(DumpError) -> [String: PropertyList] {
        var entries: [String: PropertyList] = [:]
        guard !tag.isEmpty else { return entries }
        while true {
            let token = try element()
            if case .end = token {
                try closingTag("dict", token)
                return entries
            }
            let key = try openingTag(token)
            guard key.name == "key" else { throw DumpError("<\(key.name)> where a <key> should be", at: key.offset) }
            try allowance.count(depth: depth, at: xml.position)
            let name = try contents(key)
            let value = try element()
            if case .end = value { throw DumpError("a <key> without a value", at: key.offset) }
            try entries.add(try self.value(try openingTag(value), depth: depth + 1), for: name, at: key.offset)
        }
    }

    private mutating func array(_ tag: XMLTag, depth: Int) throws(DumpError) -> [PropertyList] {
        var elements: [PropertyList] = []
        guard !tag.isEmpty else { return elements }
        while true {
            let token = try element()
            if case .end = token {
                try closingTag("array", token)
                return elements
            }
            elements.append(try value(try openingTag(token), depth: depth + 1))
        }
    }

    private mutating func integer(_ tag: XMLTag) throws(DumpError) -> PropertyList {
        let text = WhiteSpace.trimmed(try contents(tag))
        let isNegative = text.hasPrefix("-")
        let digits = text.drop { $0 == "-" || $0 == "+" }
        let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let (magnitude, radix) = (digits.dropFirst(isHex ? 2 : 0), isHex ? 16 : 10)
        if digits.utf8.count <= 100, text.utf8.count - digits.utf8.count <= 1 {
            if isNegative, let number = Int64("-" + magnitude, radix: radix) { return .integer(number) }
            if !isNegative, let number = UInt64(magnitude, radix: radix) { return .number(number) }
        }
        throw DumpError("an <integer> that is not a 64-bit integer", at: tag.offset)
    }

    // MARK: Markup

    private mutating func next() throws(DumpError) -> XMLToken? {
        do {
            return try xml.next()
        } catch {
            throw DumpError(error.reason, at: error.offset)
        }
    }

    private mutating func element() throws(DumpError) -> XMLToken? {
        let token = try next()
        guard case .text(let text) = token else { return token }
        guard text.isBlank else { throw DumpError("text where an element should be", at: text.offset) }
        return try next()
    }

    private func openingTag(_ token: XMLToken?) throws(DumpError) -> XMLTag {
        guard let token else { throw DumpError("the XML property list ends too early", at: xml.position) }
        guard case .start(let tag) = token else {
            throw DumpError("a < that does not begin an element", at: token.offset)
        }
        return tag
    }

    private func closingTag(_ name: String, _ token: XMLToken?) throws(DumpError) {
        if case .end(name, _) = token { return }
        throw DumpError("</\(name)> is missing", at: token?.offset ?? xml.position)
    }

    /// The text up to the closing tag of `tag`, which is consumed.
    private mutating func contents(_ tag: XMLTag) throws(DumpError) -> String {
        guard !tag.isEmpty else { return "" }
        var text = ""
        while true {
            switch try next() {
            case .text(let more): text += more.value
            case .end(tag.name, _): return text
            case .end(_, let offset): throw DumpError("</\(tag.name)> is missing", at: offset)
            case .start: throw DumpError("an element inside <\(tag.name)>", at: tag.offset)
            case nil: throw DumpError("the element <\(tag.name)> does not end", at: tag.offset)
            }
        }
    }
}
