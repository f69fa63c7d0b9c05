internal import Texts

/// Writes JSON value by value through a buffer, so that a text of any size needs no memory but that. The layout is
/// json-c's, to the byte.
///
/// Calls come in the order of the text: `key` before each value in an object, the values of an array one after the
/// other.
package struct JSONWriter: ~Copyable {
    private let isPretty: Bool
    private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.capacity)
    /// Bytes in the buffer.
    private var count = 0
    /// Takes what is written; answers whether it wants more.
    private let sink: (UnsafeRawBufferPointer) -> Bool
    private var isWanted = true
    /// Objects and arrays that are open.
    private var depth = 0
    /// Whether the innermost of them has something in it.
    private var isFilled = false
    private var followsKey = false

    /// Bytes.
    private static let capacity = 1 << 16

    /// - Parameter isPretty: indented by two spaces; otherwise on one line.
    init(isPretty: Bool, sink: @escaping (UnsafeRawBufferPointer) -> Bool) {
        self.isPretty = isPretty
        self.sink = sink
    }

    deinit { buffer.deallocate() }

    // MARK: - Values

    package mutating func null() {
        begin()
        append("null")
    }

    package mutating func bool(_ flag: Bool) {
        begin()
        append(flag ? "true" : "false")
    }

    package mutating func integer(_ number: Int64) {
        begin()
        append("\(number)")
    }

    package mutating func unsigned(_ number: UInt64) {
        begin()
        append("\(number)")
    }

    /// The shortest text that is read back as the same number; null for what JSON has no number for.
    package mutating func double(_ number: Double) {
        begin()
        append(number.isFinite ? "\(number)" : "null")
    }

    package mutating func string(_ text: String) {
        begin()
        appendQuoted(text)
    }

    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "["))
        elements(&self)
        close(UInt8(ascii: "]"))
    }

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        open(UInt8(ascii: "{"))
        members(&self)
        close(UInt8(ascii: "}"))
    }

    /// The key of the value that follows.
    package mutating func key(_ key: String) {
        begin()
        // To json-c, which reads it, a key ends at its first NUL.
        appendQuoted(key.utf8.contains(0) ? Self.visible(key) : key)
        append(UInt8(ascii: ":"))
        if isPretty { append(UInt8(ascii: " ")) }
        followsKey = true
    }

    package mutating func member<Value: JSONWritable>(_ key: String, _ value: Value) {
        self.key(key)
        value.write(to: &self)
    }

    /// A list: `write` writes one element of it.
    package mutating func member<Elements: Sequence>(
        _ key: String, each elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
    ) {
        self.key(key)
        array { writer in
            for element in elements { write(element, &writer) }
        }
    }

    /// Members of an object, each key once.
    package mutating func members(_ members: [JSONValue.Member]) {
        for member in members { self.member(member.key, member.value) }
    }

    /// `key` with the picture of a NUL in the place of each.
    static func visible(_ key: String) -> String {
        String(String.UnicodeScalarView(key.unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 }))
    }

    // MARK: - Layout

    /// What stands in front of a key, or of a value that has none.
    private mutating func begin() {
        if followsKey {
            followsKey = false
            return
        }
        guard depth > 0 else { return }
        if isFilled { append(UInt8(ascii: ",")) }
        isFilled = true
        breakLine()
    }

    private mutating func open(_ bracket: UInt8) {
        begin()
        append(bracket)
        depth += 1
        isFilled = false
    }

    private mutating func close(_ bracket: UInt8) {
        depth -= 1
        // Also where there is nothing in it, like json-c 0.16.
        breakLine()
        append(bracket)
        isFilled = true
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        append(UInt8(ascii: "\n"))
        for _ in 0..<2 * depth { append(UInt8(ascii: " ")) }
    }

    // MARK: - Bytes

    /// Ends the line after a whole value. Another one may follow on the next line.
    package mutating func endLine() { append(UInt8(ascii: "\n")) }

    /// Hands over what is in the buffer.
    mutating func flush() {
        if isWanted { isWanted = sink(UnsafeRawBufferPointer(start: buffer, count: count)) }
        count = 0
    }

    private mutating func append(_ byte: UInt8) {
        if count == Self.capacity { flush() }
        buffer[count] = byte
        count += 1
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if count == Self.capacity { flush() }
            let part = UnsafeBufferPointer(rebasing: rest.prefix(Self.capacity - count))
            (buffer + count).update(from: part.baseAddress!, count: part.count)
            count += part.count
            rest = rest.dropFirst(part.count)
        }
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    private mutating func appendQuoted(_ text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { appendEscaped($0) }
        append(UInt8(ascii: "\""))
    }

    /// Escapes what JSON says must be. DEL and other characters that nobody sees are legal in JSON, but a terminal may obey
    /// them: they are escaped too.
    private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        /// Where what is not written yet begins.
        var start = 0
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                position += 1
                continue
            }
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            let scalar = UnsafeBufferPointer(rebasing: bytes[position..<position + length])
            if let code = Self.escaped(scalar) {
                append(UnsafeBufferPointer(rebasing: bytes[start..<position]))
                appendEscape(of: code)
                start = position + length
            }
            position += length
        }
        append(UnsafeBufferPointer(rebasing: bytes[start...]))
    }

    /// The number of a scalar that must not stand in the text as it is; nil for any other.
    private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
        if bytes.count == 1 { return UInt32(bytes[0]) }
        let lead = UInt32(bytes[0] & (0x7F >> UInt8(bytes.count)))
        let code = bytes.dropFirst().reduce(lead) { $0 << 6 | UInt32($1 & 0x3F) }
        return Unicode.Scalar(code)?.isHidden == true ? code : nil
    }

    private mutating func appendEscape(of code: UInt32) {
        append(UInt8(ascii: "\\"))
        switch code {
        case 0x22: append(UInt8(ascii: "\""))
        case 0x5C: append(UInt8(ascii: "\\"))
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x10000...:
            // As the two units of UTF-16.
            append("u")
            appendHexadecimal(0xD7C0 + (code >> 10))
            append("\\u")
            appendHexadecimal(0xDC00 + (code & 0x3FF))
        default:
            append("u")
            appendHexadecimal(code)
        }
    }

    /// The last four digits.
    private mutating func appendHexadecimal(_ code: UInt32) {
        for shift in [12, 8, 4, 0] as [UInt32] {
            let digit = UInt8(truncatingIfNeeded: code >> shift & 0xF)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
