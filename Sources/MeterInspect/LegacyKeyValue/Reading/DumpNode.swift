internal import CoreDataStore
internal import Foundation
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

    /// The document in it, where it holds one.
    var opened: Self { document ?? self }

    /// The value of a meter. A text that is an object of JSON with a name or a unit in it is no name.
    var valueOfMeter: DumpValue {
        let value = dumpValue
        guard value.text?.utf8.first == UInt8(ascii: "{"), let document else { return value }
        let isMeter = document.isDictionary && document.sortedMembers.contains { MeterHeading(of: $0.key) != nil }
        return isMeter ? document.dumpValue : value
    }

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

    var document: PropertyList? {
        switch self {
        case .data(let bytes): PropertyList(document: bytes)
        case .string(let text): text.beginsJSON ? PropertyList(document: Array(text.utf8)) : nil
        case .null, .bool, .integer, .unsigned, .real, .date, .uid, .array, .dictionary: nil
        }
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

    /// JSON has no data: Swift's encoder writes it in base 64.
    var document: JSONNode? {
        guard let text = string else { return nil }
        if text.beginsJSON { return try? JSONTree(parsing: Array(text.utf8), limits: DumpLimits.json).top }
        guard text.utf8.count.isMultiple(of: 4), let data = Data(base64Encoded: text),
            let document = PropertyList(document: [UInt8](data))
        else { return nil }
        return try? JSONTree(parsing: Array(document.dumpValue.json.text(pretty: false).utf8), limits: DumpLimits.json)
            .top
    }

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

extension PropertyList {
    /// A document that is a value in a dump: JSON with an object or a list, a property list, or a keyed archive of what a
    /// property list can hold. Apps keep dictionaries so. Nil for anything else.
    fileprivate init?(document bytes: [UInt8]) {
        switch DumpSyntax(of: bytes) {
        case .binaryPropertyList:
            guard let list = try? PropertyList(binary: bytes, limits: DumpLimits.binary(within: bytes.count)) else {
                return nil
            }
            self = list.unarchived ?? list
        case .xmlPropertyList:
            guard let list = try? PropertyList(xml: bytes) else { return nil }
            self = list.unarchived ?? list
        case .json:
            guard let tree = try? JSONTree(parsing: bytes, limits: DumpLimits.json) else { return nil }
            self.init(tree.top.value)
        case .database, .printedPropertyList, .debugger, .python, .html, .textPropertyList, .swift, .lines, .list,
            .sheet,
            .bars, nil:
            return nil
        }
    }

    private init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .integer(let number): .integer(number)
            case .unsigned(let number): .unsigned(number)
            case .double(let number): .real(number)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map(PropertyList.init))
            case .object(let members):
                .dictionary(Dictionary(members.map { ($0.key, PropertyList($0.value)) }) { first, _ in first })
            }
    }
}

extension String {
    /// Whether it may be an object or a list of JSON.
    fileprivate var beginsJSON: Bool {
        let first = utf8.first { !TextScanner.isWhite($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
