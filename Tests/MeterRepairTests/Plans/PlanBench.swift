import CoreDataStore
import GRDB
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

/// What several tests plan.
enum PlanBench {
    /// Two records of one meter, one of another meter, and an entity of the app's that is none of meterfix's business.
    static let fixture = StoreFixture(records: Meters.pair + [Meters.healthy]).with {
        $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])]
        $0.mirror = .current
        $0.marker = nil
        for index in $0.records.indices { $0.records[index].cloudRecordName = FixtureUUID(UInt64(index)).text }
        $0.damage = { try $0.execute(sql: "INSERT INTO ZBOOKMARK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a')") }
    }

    static let rebuilding = RebuildPlanner(policy: .mostComplete)

    static var options: ChangeOptions { .withoutBackup() }
}

extension JSONValue {
    /// The document with another value at a place such as `changes[3].fields[0].after`; nil takes it out.
    func with(_ place: String, _ value: JSONValue?) -> JSONValue {
        var steps: [Substring] = place.split(whereSeparator: { ".[]".contains($0) })
        return with(&steps, value)
    }

    private func with(_ steps: inout [Substring], _ value: JSONValue?) -> JSONValue {
        let step = steps.removeFirst()
        switch self {
        case .object(let members):
            var edited: [Member] = []
            var isThere = false
            for member in members {
                guard member.key == step else {
                    edited.append(member)
                    continue
                }
                isThere = true
                if let new = steps.isEmpty ? value : member.value.with(&steps, value) {
                    edited.append(Member(member.key, new))
                }
            }
            if !isThere, let value { edited.append(Member(String(step), value)) }
            return .object(edited)
        case .array(var elements):
            guard let index = Int(step) else { return self }
            if index == elements.count, let value {
                elements.append(value)
            } else if let new = steps.isEmpty ? value : elements[index].with(&steps, value) {
                elements[index] = new
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        default: return self
        }
    }

    /// The value at a place.
    func at(_ place: String) -> JSONValue? {
        var value: JSONValue? = self
        for step in place.split(whereSeparator: { ".[]".contains($0) }) {
            if case .array(let elements)? = value, let index = Int(step) {
                value = index < elements.count ? elements[index] : nil
            } else {
                value = value?[String(step)]
            }
        }
        return value
    }
}
