internal import JSON
internal import MeterModel
internal import Texts

extension Reject {
    /// As in a report, but with a value that comes back with every bit.
    var document: JSONValue {
        [
            "kind": "reject", "key": key, "dictionary": dictionary.rawValue, "value": value.document,
            "reason": reason.rawValue,
        ]
    }

    init(_ value: JournalValue) throws(JournalError) {
        let entry = DumpEntry(
            dictionary: try value["dictionary"].word(), key: try value["key"].text,
            value: try DumpValue(value["value"]))
        self.init(entry, try value["reason"].word())
    }
}

extension DumpValue {
    /// Text, nothing, truth values, whole numbers and lists as JSON has them, all else as an object with one key.
    /// A dictionary is a list of key, value, key, value: as keys of JSON two of them could become one.
    var document: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .malformedText(let units): ["utf16": Hexadecimal.text(ofUTF16: units)]
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .unsigned(number)
        case .real(let number): ["real": number.exactText]
        case .date(let date): ["date": date.document]
        case .data(let bytes): ["hex": Hexadecimal.text(of: bytes)]
        case .reference(let number): ["reference": String(number)]
        case .list(let values): .array(values.map(\.document))
        case .dictionary(let members):
            ["dictionary": members.flatMap { [JSONValue.string($0.key), $0.value.document] }]
        }
    }

    init(_ value: JournalValue) throws(JournalError) {
        switch value.json {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        case .unsigned(let number): self = .unsigned(number)
        case .string(let text): self = .text(text)
        case .double: throw JournalError()
        case .array: self = .list(try value.elements.map(DumpValue.init))
        case .object: self = try Self.tagged(value.tagged)
        }
    }

    private static func tagged(_ member: (key: String, value: JournalValue)) throws(JournalError) -> DumpValue {
        let value = member.value
        switch member.key {
        case "real": return .real(try Double(exactText: value.text).orDamage)
        case "date": return .date(try Timestamp(value))
        case "hex": return .data(try value.bytes)
        case "utf16": return .malformedText(try Hexadecimal.utf16(of: value.text).orDamage)
        case "reference": return .reference(try UInt64(value.text).orDamage)
        case "dictionary":
            let elements = try value.elements
            guard elements.count.isMultiple(of: 2) else { throw JournalError() }
            var members: [Member] = []
            for index in stride(from: 0, to: elements.count, by: 2) {
                members.append(Member(try elements[index].text, try DumpValue(elements[index + 1])))
            }
            return .dictionary(members)
        default: throw JournalError()
        }
    }
}

extension Timestamp {
    init(_ value: JournalValue) throws(JournalError) {
        if case .object = value.json {
            self.init(secondsSince2001: try Double(exactText: value["seconds"].text).orDamage)
        } else {
            self = try Timestamp(iso8601: value.text).orDamage
        }
    }
}

extension FieldValue {
    /// Reads what `write(as:in:to:)` wrote in the form of a plan.
    init(_ value: JournalValue, as kind: FieldKind) throws(JournalError) {
        switch value.json {
        case .null: self = .null
        case .integer(let number):
            guard kind != .date else { throw JournalError() }
            self = .integer(number)
        case .string(let text):
            switch kind {
            case .date: self = try Self.date(text)
            case .uuid: self = try Self.uuid(text)
            case .text, .integer, .boolean, .real, .binary: self = .text(text)
            }
        case .object: self = try Self.tagged(value.tagged)
        case .bool, .unsigned, .double, .array: throw JournalError()
        }
    }

    private static func tagged(_ member: (key: String, value: JournalValue)) throws(JournalError) -> FieldValue {
        let value = member.value
        switch member.key {
        case "integer": return .integer(try value.integer)
        case "real":
            let number = try Double(exactText: value.text).orDamage
            // SQLite has none.
            guard !number.isNaN else { throw JournalError() }
            return .real(number)
        case "text": return .text(try value.text)
        case "textHex":
            let bytes = try value.bytes
            guard !bytes.withUnsafeBufferPointer(UTF8Check.isValid) else { throw JournalError() }
            return .malformedText(bytes)
        case "hex": return .blob(try value.bytes)
        default: throw JournalError()
        }
    }

    private static func date(_ text: String) throws(JournalError) -> FieldValue {
        let moment = try Timestamp(iso8601: text).orDamage
        if text.contains(where: { $0 == "." || $0 == "," }) { return .real(moment.secondsSince2001) }
        return .integer(try Int64(exactly: moment.secondsSince2001).orDamage)
    }

    /// 8-4-4-4-12 digits.
    private static func uuid(_ text: String) throws(JournalError) -> FieldValue {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { throw JournalError() }
        return .blob(try Hexadecimal.bytes(of: groups.joined()).orDamage)
    }
}
