internal import CoreDataStore
internal import MeterInspect
internal import Texts

/// What `codesign -d --entitlements -` prints: since macOS 12 lines such as `[Key] aps-environment`, before that XML behind
/// the eight bytes of its blob; a line with the executable may stand in front of either.
struct PrintedEntitlements {
    private struct Line {
        let indent: Int
        /// What stands in brackets.
        let tag: Substring
        let text: String
    }

    private var lines: ArraySlice<Line>
    private let path: String
    private static let deepest = 64
    /// Bytes in front of the list, at most.
    private static let front = 1 << 12

    /// Whether a file of any name begins so.
    static func isBeginning(_ head: [UInt8]) -> Bool {
        guard let start = place(of: "[Dict]", in: head) else { return list(in: head) != nil }
        return ByteSearch.firstIndex(of: "[Key]", in: head, from: start) != nil
    }

    /// The entitlements; nil where the bytes are not what codesign printed.
    /// - Throws: `StoreError`, `damaged` where they are, and cannot be read.
    static func values(_ bytes: [UInt8], at path: String) throws(StoreError) -> [String: PropertyList]? {
        if let start = place(of: "[Dict]", in: bytes) {
            var printed = PrintedEntitlements(bytes[start...], path)
            guard let values = try printed.value(depth: 0).dictionary else { return nil }
            return values
        }
        guard let start = list(in: bytes) else { return nil }
        return try PropertyListFile.dictionary(Array(bytes[start...]), at: path)
    }

    private static let magic: [UInt8] = [0xFA, 0xDE, 0x71, 0x71]

    /// Where XML begins behind what codesign prints in front of it; nil where it does not.
    private static func list(in bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: magic) || place(of: "Executable=", in: bytes) != nil else { return nil }
        let head = Array(bytes.prefix(front))
        return ["<?xml", "<plist"].compactMap { ByteSearch.firstIndex(of: $0, in: head) }.min()
    }

    /// Where a line begins with a text.
    private static func place(of text: String, in bytes: [UInt8]) -> Int? {
        guard let place = ByteSearch.firstIndex(of: text, in: Array(bytes.prefix(front))) else { return nil }
        return place == 0 || bytes[place - 1] == UInt8(ascii: "\n") ? place : nil
    }

    private init(_ text: ArraySlice<UInt8>, _ path: String) {
        let lines = text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { line in
            let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
            let text = String(decoding: line.dropFirst(indent), as: UTF8.self)
            guard text.first == "[", let end = text.firstIndex(of: "]") else {
                return Line(indent: 0, tag: "", text: text)
            }
            let tag = text[..<end].dropFirst()
            return Line(indent: indent, tag: tag, text: String(text[end...].dropFirst().drop { $0 == " " }))
        }
        self.lines = lines[...]
        self.path = path
    }

    /// The next value, with all that is indented below it.
    private mutating func value(depth: Int) throws(StoreError) -> PropertyList {
        guard let line = lines.popFirst() else { throw damaged("it ends behind a key") }
        guard depth < Self.deepest else { throw damaged("more than \(Self.deepest) containers inside each other") }
        switch line.tag {
        case "Dict":
            var entries: [String: PropertyList] = [:]
            while let key = lines.first, key.indent > line.indent {
                guard key.tag == "Key" else { throw damaged("[\(key.tag)] in the place of a key") }
                lines.removeFirst()
                if lines.first?.tag == "Value" { lines.removeFirst() }
                guard let value = lines.first, value.indent > line.indent, value.tag != "Key" else {
                    throw damaged("no value for \(key.text)")
                }
                entries[key.text] = try self.value(depth: depth + 1)
            }
            return .dictionary(entries)
        case "Array":
            var elements: [PropertyList] = []
            while let element = lines.first, element.indent > line.indent {
                elements.append(try value(depth: depth + 1))
            }
            return .array(elements)
        case "String": return .string(line.text)
        case "Bool": return .bool(line.text == "true")
        default: return .null
        }
    }

    private func damaged(_ reason: String) -> StoreError {
        StoreError(
            .damaged, at: path, "not as codesign prints entitlements: \(reason)",
            hint: "codesign -d --entitlements - --xml APP prints them so that they are read everywhere")
    }
}
