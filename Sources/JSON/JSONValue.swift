/// A JSON value. Objects keep the order of their keys.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// From 2^63 on, which `integer` cannot hold.
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue

        package init(_ key: String, _ value: some JSONConvertible) {
            self.key = key
            self.value = value.json
        }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// An object with its keys in the order they are written in.
    package init(dictionaryLiteral elements: (String, any JSONConvertible)...) {
        self = .object(elements.map { Member($0.0, $0.1.json) })
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue {
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var string: String? { if case .string(let value) = self { value } else { nil } }

    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}

package protocol JSONWritable {
    /// Writes one value.
    func write(to writer: inout JSONWriter)
}

extension JSONWritable {
    /// The text of the value: on one line, or indented by two spaces.
    package func text(pretty: Bool) -> String {
        String(decoding: JSONWriter.text(pretty: pretty, write), as: UTF8.self)
    }

    /// The same and a line feed.
    package func line(pretty: Bool) -> [UInt8] { JSONWriter.line(pretty: pretty, write) }
}

/// What is one value in a document, small enough to be made as a whole.
package protocol JSONConvertible: JSONWritable {
    var json: JSONValue { get }
}

extension JSONConvertible {
    package func write(to writer: inout JSONWriter) { json.write(to: &writer) }
}

extension String: JSONConvertible {
    package var json: JSONValue { .string(self) }
}

extension Int64: JSONConvertible {
    package var json: JSONValue { .integer(self) }
}

extension Int: JSONConvertible {
    package var json: JSONValue { .integer(Int64(self)) }
}

extension Double: JSONConvertible {
    package var json: JSONValue { .double(self) }
}

extension Bool: JSONConvertible {
    package var json: JSONValue { .bool(self) }
}

/// Nil is null.
extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    package var json: JSONValue { self?.json ?? .null }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.array { writer in
            for element in self { element.write(to: &writer) }
        }
    }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    package var json: JSONValue { .array(map(\.json)) }
}

extension JSONValue: JSONConvertible {
    package var json: JSONValue { self }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let flag): writer.bool(flag)
        case .integer(let number): writer.integer(number)
        case .unsigned(let number): writer.unsigned(number)
        case .double(let number): writer.double(number)
        case .string(let text): writer.string(text)
        case .array(let elements): elements.write(to: &writer)
        case .object(let members): writer.object { $0.members(members) }
        }
    }
}
