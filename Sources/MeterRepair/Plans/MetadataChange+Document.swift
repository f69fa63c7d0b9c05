internal import JSON
internal import MeterModel

extension MetadataChange.Value {
    /// As in a report, but hashes stand in an object with the key `hashes`, which tells them from an import's mark.
    var document: JSONValue {
        switch self {
        case .number(let number): .integer(number)
        case .legacyImport(let date, let sha256): ["date": date.document, "sha256": .string(sha256)]
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map { .string($0) })
        case .hashes(let hashes):
            [
                "hashes": .object(
                    hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                        .map { .init($0.key, .string(Hexadecimal.text(of: $0.value))) })
            ]
        }
    }

    init(_ node: PlanNode) throws(PlanFlaw) {
        switch node.value {
        case .integer(let number): self = .number(number)
        case .string(let text): self = .text(text)
        case .array: self = .texts(try node.map { node throws(PlanFlaw) in try node.text })
        case .object where node.value["hashes"] != nil:
            var hashes: [String: [UInt8]] = [:]
            for member in try node.members(["hashes"])["hashes"]!.namedMembers {
                hashes[member.name] = try member.node.bytes
            }
            self = .hashes(hashes)
        case .object:
            let members = try node.members(["date", "sha256"])
            self = .legacyImport(date: try Timestamp(members["date"]!), sha256: try members["sha256"]!.text)
        default: throw node.flaw("not a value of the metadata")
        }
    }
}
