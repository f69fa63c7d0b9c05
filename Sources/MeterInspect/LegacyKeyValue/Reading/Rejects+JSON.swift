package import JSON
package import MeterModel
internal import Texts

extension [Reject] {
    /// The rejects as a dump with the same structure, to be corrected and imported again. Values of one key are a list,
    /// which no import takes for a name: an object that had the key twice would keep the last of them.
    package var dump: JSONValue {
        .object(
            LegacyDictionary.allCases.map { dictionary in
                var members: [JSONValue.Member] = []
                // Those of one key are side by side.
                for group in filter({ $0.dictionary == dictionary }).runs(while: {
                    $0.key.utf8.elementsEqual($1.key.utf8)
                }) {
                    let values = group.map(\.value.json)
                    members.append(.init(group[group.startIndex].key, values.count == 1 ? values[0] : .array(values)))
                }
                return .init(dictionary.rawValue, JSONValue.object(members))
            })
    }
}

extension Reject {
    /// An element of a report's `rejects`.
    /// - Parameter hint: what a person needs who corrects it; nil where there is nothing to say.
    package func json(hint: String?) -> JSONValue {
        .object(
            [
                .init("key", key), .init("dictionary", dictionary.rawValue), .init("value", value.json),
                .init("reason", reason.rawValue),
            ] + (hint.map { [.init("hint", $0)] } ?? []))
    }
}

extension DumpValue {
    /// Text as text. A value of a type that JSON lacks becomes an object with one key, not text: if it were imported
    /// again, text would be a name.
    package var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .malformedText(let units): ["utf16": Hexadecimal.text(ofUTF16: units)]
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .unsigned(number)
        case .real(let number): number.isFinite ? .double(number) : ["number": "\(number)"]
        case .date(let date): ["date": date]
        case .data(let bytes): ["data": Hexadecimal.text(of: bytes)]
        case .reference(let number): ["reference": String(number)]
        case .list(let values): .array(values.map(\.json))
        case .dictionary(let members): .object(members.map { JSONValue.Member($0.key, $0.value.json) })
        }
    }
}
