internal import CoreDataStore
internal import MeterModel

extension MetadataChange.Value {
    /// As it is in the store's metadata dictionary.
    var propertyList: PropertyList {
        switch self {
        case .number(let number): .integer(number)
        case .flag(let flag): .bool(flag)
        case .legacyImport(let date, let sha256):
            .dictionary(["date": .date(date.secondsSince2001), "sha256": .string(sha256)])
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map(PropertyList.string))
        case .hashes(let hashes): .dictionary(hashes.mapValues(PropertyList.data))
        }
    }

    /// The value in the metadata under one of Core Data's own keys; nil for a value of another type.
    init?(_ list: PropertyList?) {
        switch list {
        case .integer(let number): self = .number(number)
        case .bool(let flag): self = .flag(flag)
        case .string(let text): self = .text(text)
        case .array(let elements) where elements.allSatisfy { $0.string != nil }:
            self = .texts(elements.compactMap(\.string))
        case .dictionary(let members) where members.values.allSatisfy { $0.data != nil }:
            self = .hashes(members.compactMapValues(\.data))
        default: return nil
        }
    }
}
