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
    /// Writes one value, or several on a line each.
    func write(to writer: inout JSONWriter)
}

extension JSONWritable {
    /// Hands the text of the value and a line feed to `sink`, piece by piece.
    /// - Parameter pretty: indented by two spaces; otherwise on one line.
    /// - Throws: what `sink` throws; after that it is not called again.
    package func writeLine<Failure: Error>(
        pretty: Bool, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var failure: Failure?
        write(pretty: pretty, endsLine: true) { bytes in
            do throws(Failure) {
                try sink(bytes)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// The text of the value: on one line, or indented by two spaces.
    package func text(pretty: Bool) -> String {
        var text: [UInt8] = []
        write(pretty: pretty, endsLine: false) { bytes in
            text.append(contentsOf: bytes)
            return true
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func write(pretty: Bool, endsLine: Bool, to sink: (UnsafeRawBufferPointer) -> Bool) {
        withoutActuallyEscaping(sink) { sink in
            var writer = JSONWriter(isPretty: pretty, sink: sink)
            write(to: &writer)
            if endsLine { writer.endLine() }
            writer.flush()
        }
    }
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
        case .object(let members): writer.object { $0.members(Self.distinct(members)) }
        }
    }

    /// The members with each key once: of a key that stands there twice the first place and the last value.
    private static func distinct(_ members: [Member]) -> [Member] {
        // Swift takes composed and decomposed strings for the same, and so finds no fewer than there are.
        guard Set(members.map(\.key)).count < members.count || members.contains(where: { $0.key.utf8.contains(0) })
        else { return members }
        var places: [[UInt8]: Int] = [:]
        var distinct: [Member] = []
        for member in members {
            let key = member.key.utf8.contains(0) ? JSONWriter.visible(member.key) : member.key
            if let place = places[Array(key.utf8)] {
                distinct[place] = Member(key, member.value)
            } else {
                places[Array(key.utf8)] = distinct.count
                distinct.append(Member(key, member.value))
            }
        }
        return distinct
    }
}
