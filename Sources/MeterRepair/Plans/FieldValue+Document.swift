internal import Bytes
internal import JSON
internal import MeterInspect
internal import MeterModel

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
        case .object(let members):
            guard members.count == 1, let key = members.first?.key else {
                throw node.flaw("not a value: an object with one key is expected")
            }
            self = try Self.tagged(key, try node.members([key])[key]!)
        case .bool, .double, .array: throw node.flaw("not a value of a field")
        }
    }

    private static func tagged(_ key: String, _ node: PlanNode) throws(PlanError) -> FieldValue {
        switch key {
        case "integer": return .integer(try node.integer)
        case "real":
            guard let number = ExactReal.number(try node.text), !number.isNaN else { throw node.flaw("not a number") }
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
