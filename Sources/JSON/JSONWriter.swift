internal import CJSONC
internal import Texts

/// Makes a document in json-c, which prints it.
///
/// Calls come in the order of the text: `key` before each value in an object, the values of an array one after the
/// other.
package struct JSONWriter: ~Copyable {
    /// A list of the one value.
    private let root: OpaquePointer = json_object_new_array_ext(1)
    /// The innermost object or array that is open.
    private var container: OpaquePointer
    /// Of the next value.
    private var key: String?

    init() { container = root }

    deinit { json_object_put(root) }

    // MARK: - Values

    package mutating func null() { add(nil) }

    package mutating func bool(_ flag: Bool) { add(json_object_new_boolean(flag ? 1 : 0)!) }

    package mutating func integer(_ number: Int64) { add(json_object_new_int64(number)!) }

    package mutating func unsigned(_ number: UInt64) { add(json_object_new_uint64(number)!) }

    /// The shortest text that is read back as the same number; null for what JSON has no number for.
    package mutating func double(_ number: Double) {
        add(number.isFinite ? json_object_new_double_s(number, "\(number)")! : nil)
    }

    package mutating func string(_ text: String) {
        var text = text
        add(text.withUTF8 { json_object_new_string_len($0.baseAddress, Int32($0.count))! })
    }

    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        fill(json_object_new_array(), elements)
    }

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        fill(json_object_new_object(), members)
    }

    /// The key of the value that follows. Of a key that an object gets twice the last value is kept, in the first place.
    package mutating func key(_ key: String) {
        // To json-c a key ends at its first NUL: a picture stands in its place.
        self.key = key.utf8.contains(0) ? key.replacing("\0", with: "\u{2400}") : key
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

    package mutating func members(_ members: [JSONValue.Member]) {
        for member in members { self.member(member.key, member.value) }
    }

    private mutating func fill(_ inner: OpaquePointer, _ write: (inout JSONWriter) -> Void) {
        add(inner)
        let outer = container
        container = inner
        write(&self)
        container = outer
        let isArray = json_object_get_type(inner) == json_type_array
        guard isArray ? json_object_array_length(inner) == 0 : json_object_object_length(inner) == 0 else { return }
        json_object_set_serializer(inner, { Self.printEmpty($0, to: $1, level: $2, flags: $3) }, nil, nil)
    }

    private mutating func add(_ value: OpaquePointer?) {
        guard let key else {
            json_object_array_add(container, value)
            return
        }
        key.withCString { _ = json_object_object_add(container, $0, value) }
        self.key = nil
    }

    // MARK: - Text

    /// The text of the value that `write` writes.
    /// - Parameter pretty: indented by two spaces; otherwise on one line.
    package static func text(pretty: Bool, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        let flags = JSON_C_TO_STRING_NOSLASHESCAPE | (pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : 0)
        var length = 0
        let start = json_object_to_json_string_length(
            json_object_array_get_idx(writer.root, 0), Int32(flags), &length)
        // What does not fit into two gigabytes json-c leaves out without a word.
        precondition(length < 1 << 30, "JSON of more than a gigabyte")
        let text = UnsafeRawBufferPointer(start: start, count: length)
        return text.allSatisfy { $0 < 0x7F } ? Array(text) : Array(escapingHidden(text).utf8)
    }

    /// The same and a line feed.
    package static func line(pretty: Bool, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        text(pretty: pretty, write) + [UInt8(ascii: "\n")]
    }

    /// What nobody sees is legal in JSON, but a terminal may obey it. json-c escapes what is below DEL.
    private static func escapingHidden(_ text: UnsafeRawBufferPointer) -> String {
        func isHidden(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x7F && scalar.isHidden }
        let text = String(decoding: text, as: UTF8.self)
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            guard isHidden(scalar) else { return escaped.unicodeScalars.append(scalar) }
            for unit in UTF16.encode(scalar)! {
                let digits = String(unit, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }

    /// An empty object or array: versions of json-c differ in whether a line ends in it.
    private static func printEmpty(
        _ object: OpaquePointer?, to text: UnsafeMutablePointer<printbuf>?, level: Int32, flags: Int32
    ) -> Int32 {
        let (start, end) = json_object_get_type(object) == json_type_array ? ("[", "]") : ("{", "}")
        let isPretty = flags & JSON_C_TO_STRING_PRETTY != 0
        let empty = start + (isPretty ? "\n" + String(repeating: "  ", count: Int(level)) : "") + end
        return printbuf_memappend(text, empty, Int32(empty.utf8.count))
    }
}
