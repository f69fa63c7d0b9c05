internal import MeterModel
internal import Texts

/// The formats in which people send names, in the order in which they are asked: what can be read, and what can only be
/// named, because it is printed for people and tells no longer what was there.
package enum DumpSyntax: String, Hashable, Sendable, CaseIterable {
    /// macOS 12 and iOS 15 onward: `com.apple.KeyValueService-Production.sqlite`.
    case database = "a key-value database"
    case binaryPropertyList = "a binary property list"
    case printedPropertyList = "what `plutil -p` prints, which is for reading: quotes in a name are not escaped"
    /// What the debugger's `po` and Swift's `dump` print.
    case debugger = "what the debugger prints of objects"
    case python = "a dictionary as Python prints it"
    case html = "a page or a table in HTML"
    case xmlPropertyList = "an XML property list"
    /// What `defaults read` prints.
    case textPropertyList = "an old-style property list"
    /// What Swift's `print` makes of a dictionary.
    case swift = "a dictionary as Swift prints it"
    case json = "JSON"
    /// `MAC = name`, as somebody typed it.
    case lines = "lines with an address and a name"
    /// `MAC;name` or `MAC,name,unit`, as somebody typed it or a spreadsheet saved it.
    case list = "a list"
    /// What `meters --format csv` prints: one of the lists.
    case sheet = "the list of `meters`"
    /// In Markdown or a wiki's.
    case bars = "a table with bars between its columns"

    /// Of the table that `meters --format csv` prints, and that `import-kv` reads again.
    package static let sheetColumns = [
        "mac", "address", "name", "unit", "type", "updated", "last seen", "last seen by", "lock", "locked by",
        "locked since", "locked until", "rows", "waiting", "what waits",
    ]

    /// - Parameter bytes: a database, a binary property list, or text in UTF-8 without a byte-order mark.
    /// - Returns: nil for anything else.
    init?(of bytes: [UInt8]) {
        let head = DumpHead(bytes)
        guard let syntax = Self.allCases.first(where: { $0.recognizes(head) }) else { return nil }
        self = syntax
    }

    /// Whether a text looks like this format, and like none that comes before.
    private func recognizes(_ head: DumpHead) -> Bool {
        switch self {
        case .database: head.bytes.starts(with: "SQLite format 3\u{0}".utf8)
        case .binaryPropertyList: head.bytes.starts(with: "bplist".utf8)
        case .printedPropertyList: head.isBracketed && head.behindKey.starts(with: "=>".utf8)
        case .debugger: head.rest.starts(with: "▿".utf8) || head.rest.starts(with: "(lldb)".utf8)
        case .python: head.first == UInt8(ascii: "{") && head.keyQuote == UInt8(ascii: "'") && head.isBehindKey(":")
        case .html: head.first == UInt8(ascii: "<") && head.hasMarkupOfPages
        case .xmlPropertyList: head.first == UInt8(ascii: "<")
        case .swift: SwiftPrintReader.begins(head)
        case .textPropertyList: isOldStyle(head)
        case .json: head.isBracketed
        case .lines: TypedLines.begins(head.bytes)
        case .list: TypedList.begins(head.bytes)
        case .sheet: false
        case .bars: head.hasBars
        }
    }

    /// Both JSON and old-style property lists begin with `{`: what follows the first key distinguishes them. A part of such
    /// a list has no braces.
    private func isOldStyle(_ head: DumpHead) -> Bool {
        switch head.first {
        case UInt8(ascii: "("), UInt8(ascii: "/"): true
        case UInt8(ascii: "{"):
            head.keyQuote == UInt8(ascii: "'") || head.inner == UInt8(ascii: "/")
                || "=;/".contains { head.isBehindKey($0) }
        default: head.isBehindKey("=") && head.last == UInt8(ascii: ";") && !TypedList.begins(head.bytes)
        }
    }

    /// What to send instead of a format that can only be named; nil for one that can be read.
    var instead: String? {
        switch self {
        case .printedPropertyList, .debugger: Self.fileItself
        case .python: "send it as JSON, which json.dumps makes of it; or a line for each meter, \(Self.example)"
        case .html, .bars: "send a line for each meter, with address, name and unit, \(Self.example)"
        case .database, .binaryPropertyList, .xmlPropertyList, .swift, .textPropertyList, .json, .lines, .list, .sheet:
            nil
        }
    }

    static let example = "such as A4:C1:38:0B:7E:21;Kitchen;celsius"

    /// For what was printed for people.
    static let fileItself =
        "send the file itself, or what `plutil -convert xml1 -o names.plist FILE` or `defaults export "
        + "ro.xdev.USB-Meter names.plist` makes; JSON will do too: {\"MeterNames\": {\"A4:C1:38:0B:7E:21\": \"Kitchen\"}}"
}

struct DumpHead {
    let bytes: [UInt8]
    /// Behind white space at the beginning.
    let rest: ArraySlice<UInt8>
    /// The quote of the first key; nil where it has none.
    private(set) var keyQuote: UInt8?
    let inner: UInt8?
    /// What follows the first key of a dictionary, or the first word; without white space around it.
    private(set) var behindKey: ArraySlice<UInt8>

    private static let length = 4_096

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        rest = bytes.drop(while: TextScanner.isWhite)
        var rest = rest.prefix(Self.length)
        if let first = rest.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            rest = rest.dropFirst().drop(while: TextScanner.isWhite)
        }
        inner = rest.first
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            keyQuote = quote
            var isEscaped = false
            var place = rest.startIndex + 1
            while place < rest.endIndex, isEscaped || rest[place] != quote {
                isEscaped = !isEscaped && rest[place] == UInt8(ascii: "\\")
                place += 1
            }
            rest = rest[min(place + 1, rest.endIndex)...]
        } else {
            rest = rest.drop { TextPropertyListReader.isWord($0) && $0 != UInt8(ascii: ":") }
        }
        behindKey = rest.drop(while: TextScanner.isWhite)
    }

    var first: UInt8? { rest.first }

    /// The last byte of the whole text that is no white space.
    var last: UInt8? { bytes.last { !TextScanner.isWhite($0) } }

    var isBracketed: Bool { first == UInt8(ascii: "{") || first == UInt8(ascii: "[") }

    func isBehindKey(_ sign: Character) -> Bool { behindKey.first == sign.asciiValue }

    private var lines: [ArraySlice<UInt8>] {
        rest.prefix(Self.length).split { $0 == 0x0A || $0 == 0x0D }
    }

    /// Elements that pages have and property lists do not.
    var hasMarkupOfPages: Bool {
        let text = String(decoding: rest.prefix(Self.length), as: UTF8.self).lowercased()
        guard !text.contains("<plist"), !text.contains("<dict") else { return false }
        return [
            "<html", "<!doctype html", "<table", "<tbody", "<tr>", "<tr ", "<td>", "<td ", "<th>", "<div", "<p>", "<ul",
            "<li",
        ]
        .contains {
            text.contains($0)
        }
    }

    /// Whether a line is one of a table with bars: it begins with one and has another, or it has an address beside one.
    var hasBars: Bool {
        lines.contains { line in
            let cells = line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
            guard cells.count > 1 else { return false }
            let texts = cells.map { WhiteSpace.trimmed(String(decoding: $0, as: UTF8.self)) }
            return (texts[0].isEmpty && cells.count > 2) || texts.contains { MACAddress.parse($0) != nil }
        }
    }
}
