internal import JSON
internal import MeterModel

extension MetadataChange.Value {
    init(_ node: PlanNode) throws(PlanError) {
        switch node.value {
        case .integer(let number): self = .number(number)
        case .string(let text): self = .text(text)
        case .array: self = .texts(try node.map { node throws(PlanError) in try node.text })
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
