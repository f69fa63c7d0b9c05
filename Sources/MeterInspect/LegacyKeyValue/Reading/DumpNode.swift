internal import CoreDataStore
internal import JSON
internal import MeterModel
internal import Texts

protocol DumpNode {
    /// How many members a dictionary has; nil for any other value.
    var memberCount: Int? { get }
    func member(_ key: String) -> Self?
    /// Hands each member of a dictionary to `body`, in any order.
    func forEachMember(_ body: (_ key: String, _ value: Self) -> Void)
    /// Nil for what is no list.
    var elements: [Self]? { get }
    /// What a value holds that is a document of its own; nil for any other value.
    var document: Self? { get }
    var dumpValue: DumpValue { get }
}

extension DumpNode {
    var isDictionary: Bool { memberCount != nil }

    var sortedMembers: [(key: String, value: Self)] {
        var members: [(key: String, value: Self)] = []
        forEachMember { members.append(($0, $1)) }
        return members.sorted(byBytesOf: \.key)
    }
}

extension PropertyList: DumpNode {
    var memberCount: Int? { dictionary?.count }

    func member(_ key: String) -> PropertyList? { dictionary?[key] }

    func forEachMember(_ body: (_ key: String, _ value: PropertyList) -> Void) {
        for (key, value) in dictionary ?? [:] { body(key, value) }
    }

    var elements: [PropertyList]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// Preferences can have a property list among their data.
    var document: PropertyList? {
        guard case .data(let bytes) = self else { return nil }
        let syntax = DumpSyntax(of: bytes)
        if syntax == .binaryPropertyList { return try? PropertyList(binaryDump: bytes) }
        return syntax == .xmlPropertyList ? try? PropertyList(xml: bytes) : nil
    }

    var dumpValue: DumpValue {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .unsigned(number)
        case .real(let number): .real(number)
        case .date(let seconds): .date(Timestamp(secondsSince2001: seconds))
        case .data(let bytes): .data(bytes)
        case .string(let text): .text(text)
        case .uid(let number): .reference(number)
        case .array(let elements): .list(elements.map(\.dumpValue))
        case .dictionary: .dictionary(sortedMembers.map { DumpValue.Member($0.key, $0.value.dumpValue) })
        }
    }
}

extension JSONNode: DumpNode {
    func member(_ key: String) -> JSONNode? { self[key] }

    var document: JSONNode? { nil }

    var dumpValue: DumpValue {
        if let units = unpairedUTF16 { return .malformedText(units) }
        if let elements { return .list(elements.map(\.dumpValue)) }
        if isDictionary { return .dictionary(sortedMembers.map { DumpValue.Member($0.key, $0.value.dumpValue) }) }
        switch value {
        case .null, .array, .object: return .null
        case .bool(let flag): return .bool(flag)
        case .integer(let number): return .integer(number)
        case .unsigned(let number): return .unsigned(number)
        case .double(let number): return .real(number)
        case .string(let text): return .text(text)
        }
    }
}
