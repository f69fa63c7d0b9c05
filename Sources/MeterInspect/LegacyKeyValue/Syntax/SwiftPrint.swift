internal import MeterModel
internal import Texts

/// What Swift's `print` makes of dictionaries, `["A4:…": "Kitchen"]`, as JSON: with `Optional(…)` or `AnyHashable(…)` around
/// anything, and with labels in front of several. Texts are as `String.debugDescription` escapes them, so that they come
/// back exactly; what Foundation prints without quotes is refused.
struct SwiftPrintReader {
    private var scanner: TextScanner
    private var allowance = ValueBudget()
    private var json: [UInt8] = []

    /// Whether a text begins like that: with a key in square brackets, an optional, or a label in front of one of these.
    static func begins(_ head: DumpHead) -> Bool {
        if head.first == UInt8(ascii: "[") {
            let inner = head.rest.dropFirst()
            return head.isBehindKey(":") || inner.starts(with: "AnyHashable(".utf8) || inner.starts(with: "(key:".utf8)
        }
        if head.rest.starts(with: "Optional(".utf8) { return true }
        var reader = SwiftPrintReader(Array(head.rest.prefix(200)))
        guard reader.label() != nil else { return false }
        return reader.scanner.isNext("[") || reader.scanner.isNext("{") || reader.scanner.isNext("Optional(")
    }

    private init(_ text: [UInt8]) { scanner = TextScanner(text) }

    static func json(of text: [UInt8]) throws(DumpError) -> [UInt8] {
        var reader = SwiftPrintReader(text)
        try reader.document()
        return reader.json
    }

    private mutating func document() throws(DumpError) {
        json.reserveCapacity(scanner.text.count)
        scanner.skipWhiteSpace()
        if let label = label() {
            json.append(UInt8(ascii: "{"))
            var next: String? = label
            while let label = next {
                if json.count > 1 { json.append(UInt8(ascii: ",")) }
                write(Array(label.utf8)[...])
                json.append(UInt8(ascii: ":"))
                try value(depth: 1)
                scanner.skipWhiteSpace()
                next = self.label()
            }
            json.append(UInt8(ascii: "}"))
        } else {
            try value(depth: 0)
            scanner.skipWhiteSpace()
        }
        guard scanner.isAtEnd else { throw error("something follows the dictionary") }
    }

    private func error(_ reason: String) -> DumpError {
        DumpError(
            "a dictionary as Swift prints it, and \(reason)", at: scanner.position, hint: DumpSyntax.fileItself)
    }

    /// `MeterNames:` or `names =` in front of a value.
    private mutating func label() -> String? {
        let start = scanner.position
        let word = scanner.take { TextPropertyListReader.isWord($0) && $0 != UInt8(ascii: ":") }
        scanner.skipWhiteSpace()
        if !word.isEmpty, scanner.take(":") || (scanner.take("=") && !scanner.isNext(">")) {
            scanner.skipWhiteSpace()
            return String(decoding: word, as: UTF8.self)
        }
        scanner.rewind(to: start)
        return nil
    }

    private mutating func value(depth: Int) throws(DumpError) {
        try allowance.count(depth: depth, at: scanner.position)
        scanner.skipWhiteSpace()
        switch scanner.next {
        case UInt8(ascii: "["), UInt8(ascii: "{"): try container(depth: depth)
        case UInt8(ascii: "\""): try text()
        default:
            if scanner.take("Optional(") || scanner.take("AnyHashable(") {
                try value(depth: depth + 1)
                scanner.skipWhiteSpace()
                guard scanner.take(")") else { throw error("a ) is missing") }
                return
            }
            try word()
        }
    }

    /// A dictionary or a list: what follows the first value tells.
    private mutating func container(depth: Int) throws(DumpError) {
        let closing = scanner.take() == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        let start = json.count
        json.append(UInt8(ascii: "["))
        scanner.skipWhiteSpace()
        var isDictionary = closing == UInt8(ascii: "}")
        if closing == UInt8(ascii: "]"), scanner.take(":") {
            isDictionary = true
            scanner.skipWhiteSpace()
        }
        var isFirst = true
        while scanner.next != closing {
            if !isFirst { json.append(UInt8(ascii: ",")) }
            try value(depth: depth + 1)
            scanner.skipWhiteSpace()
            if scanner.take(":") {
                guard isFirst || isDictionary else { throw error("a list has a key in it") }
                isDictionary = true
                json.append(UInt8(ascii: ":"))
                try value(depth: depth + 1)
                scanner.skipWhiteSpace()
            } else if isDictionary {
                throw error("a key has no value")
            }
            isFirst = false
            guard scanner.take(",") || scanner.next == closing else { throw error("a comma is missing") }
            scanner.skipWhiteSpace()
        }
        scanner.skip()
        if isDictionary { json[start] = UInt8(ascii: "{") }
        json.append(isDictionary ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    /// `nil`, a truth value or a number.
    private mutating func word() throws(DumpError) {
        let place = scanner.position
        let word = scanner.take { TextPropertyListReader.isWord($0) && $0 != UInt8(ascii: ":") }
        let text = String(decoding: word, as: UTF8.self)
        if text == "nil" {
            json += "null".utf8
        } else if ["true", "false"].contains(text) || (Double(text) != nil && text.utf8.contains { 0x30...0x39 ~= $0 })
        {
            json += text.utf8
        } else {
            scanner.rewind(to: place)
            throw error("a text without quotes is in it")
        }
    }

    /// A text, with the escapes of `debugDescription`.
    private mutating func text() throws(DumpError) {
        let start = scanner.position
        scanner.skip()
        var bytes: [UInt8] = []
        while true {
            bytes += scanner.take { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= 0x20 }
            if scanner.take("\"") { break }
            let place = scanner.position
            guard scanner.take("\\"), let scalar = escaped() else {
                scanner.rewind(to: scanner.isAtEnd ? start : place)
                throw error("a text in it does not end, or has what Swift would escape")
            }
            bytes += String(scalar).utf8
        }
        write(bytes[...])
    }

    private mutating func escaped() -> Unicode.Scalar? {
        switch scanner.take() {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "0"): return "\0"
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "'"): return "'"
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "u"):
            guard scanner.take("{") else { return nil }
            let digits = String(decoding: scanner.take { Hexadecimal.digit($0) != nil }, as: UTF8.self)
            guard scanner.take("}"), digits.utf8.count <= 8, let value = UInt32(digits, radix: 16) else { return nil }
            return Unicode.Scalar(value)
        default: return nil
        }
    }

    private mutating func write(_ text: ArraySlice<UInt8>) {
        json.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case ..<0x20: json += "\\u00\(Hexadecimal.text(of: [byte]))".utf8
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }
}
