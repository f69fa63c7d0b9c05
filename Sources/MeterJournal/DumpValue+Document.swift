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

    init(_ node: PlanNode) throws(PlanError) {
        let members = try node.members(["kind", "key", "dictionary", "value", "reason"])
        let entry = DumpEntry(
            dictionary: try members["dictionary"].word(LegacyDictionary.self, "legacy dictionary"),
            key: try members["key"].text, value: try DumpValue(members["value"]))
        self.init(entry, try members["reason"].word(RejectReason.self, "reason"))
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

    init(_ node: PlanNode) throws(PlanError) {
        switch node.value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .integer(number)
        case .unsigned(let number): self = .unsigned(number)
        case .string(let text): self = .text(text)
        case .double: throw node.flaw("a number that is not whole is an object with the key `real`")
        case .array: self = .list(try node.elements.map(DumpValue.init))
        case .object:
            let (key, node) = try node.tagged
            self = try Self.tagged(key, node)
        }
    }

    private static func tagged(_ key: String, _ node: PlanNode) throws(PlanError) -> DumpValue {
        switch key {
        case "real":
            guard let number = Double(exactText: try node.text) else { throw node.flaw("not a number") }
            return .real(number)
        case "date": return .date(try Timestamp(node))
        case "hex": return .data(try node.bytes)
        case "utf16":
            guard let units = Hexadecimal.utf16(of: try node.text) else { throw node.flaw("not UTF-16 in hex") }
            return .malformedText(units)
        case "reference":
            guard let number = UInt64(try node.text) else { throw node.flaw("not a reference") }
            return .reference(number)
        case "dictionary":
            let elements = try node.elements
            guard elements.count.isMultiple(of: 2) else { throw node.flaw("a key without a value") }
            var members: [Member] = []
            for index in stride(from: 0, to: elements.count, by: 2) {
                members.append(Member(try elements[index].text, try DumpValue(elements[index + 1])))
            }
            return .dictionary(members)
        default: throw node.flaw("`\(key)` is no way to write a value")
        }
    }
}

extension Timestamp {
    init(_ node: PlanNode) throws(PlanError) {
        if case .object = node.value {
            let seconds = try node.members(["seconds"])["seconds"]
            guard let number = Double(exactText: try seconds.text) else { throw seconds.flaw("not a number") }
            self.init(secondsSince2001: number)
        } else {
            guard let moment = Timestamp(iso8601: try node.text) else {
                throw node.flaw("not a date; write it as 2026-11-21T10:15:00.000Z")
            }
            self = moment
        }
    }
}

extension FieldValue {
    /// Reads what `write(as:in:to:)` wrote in the form of a plan.
    init(_ node: PlanNode, as kind: FieldKind) throws(PlanError) {
        switch node.value {
        case .null: self = .null
        case .integer(let number):
            guard kind != .date else {
                throw node.flaw("a date is text, or an object with the key `integer` or `real`")
            }
            self = .integer(number)
        case .string(let text):
            switch kind {
            case .date: self = try Self.date(text, node)
            case .uuid: self = try Self.uuid(text, node)
            default: self = .text(text)
            }
        case .object:
            let (key, node) = try node.tagged
            self = try Self.tagged(key, node)
        case .bool, .unsigned, .double, .array: throw node.flaw("not a value of a field")
        }
    }

    private static func tagged(_ key: String, _ node: PlanNode) throws(PlanError) -> FieldValue {
        switch key {
        case "integer": return .integer(try node.integer)
        case "real":
            guard let number = Double(exactText: try node.text), !number.isNaN else { throw node.flaw("not a number") }
            return .real(number)
        case "text": return .text(try node.text)
        case "textHex":
            let bytes = try node.bytes
            guard !bytes.withUnsafeBufferPointer(UTF8Check.isValid) else {
                throw node.flaw("these bytes are text: write them as text")
            }
            return .malformedText(bytes)
        case "hex": return .blob(try node.bytes)
        default: throw node.flaw("`\(key)` is no way to write a value")
        }
    }

    private static func date(_ text: String, _ node: PlanNode) throws(PlanError) -> FieldValue {
        guard let moment = Timestamp(iso8601: text) else {
            throw node.flaw("not a date; write it as 2026-11-21T10:15:00.000Z")
        }
        if text.contains(where: { $0 == "." || $0 == "," }) { return .real(moment.secondsSince2001) }
        guard let seconds = Int64(exactly: moment.secondsSince2001) else { throw node.flaw("not a date") }
        return .integer(seconds)
    }

    /// 8-4-4-4-12 digits.
    private static func uuid(_ text: String, _ node: PlanNode) throws(PlanError) -> FieldValue {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], let bytes = Hexadecimal.bytes(of: groups.joined()) else {
            throw node.flaw("not a UUID")
        }
        return .blob(bytes)
    }
}
