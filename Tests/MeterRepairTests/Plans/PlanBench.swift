import CoreDataStore
import GRDB
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

/// A store in a folder of its own, the plan of a dry run, and what tests do to both.
struct PlanBench {
    let store: TestStore
    var file: String { store.folder.path + "/plan.jsonl" }

    init(_ fixture: StoreFixture) throws { store = try TestStore(fixture) }

    /// Two records of one meter, one of another meter, and an entity of the app's that is none of meterfix's business.
    static let fixture = StoreFixture(records: Meters.pair + [Meters.healthy]).with {
        $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])]
        $0.mirror = .current
        $0.marker = nil
        for index in $0.records.indices { $0.records[index].cloudRecordName = FixtureUUID(UInt64(index)).text }
        $0.damage = { try $0.execute(sql: "INSERT INTO ZBOOKMARK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a')") }
    }

    static let rebuilding = RebuildPlanner(policy: .mostComplete)
    /// Renames one meter of the fixture and makes two new ones.
    static let importing = ImportPlanner(
        ImportBench.values(
            names: [
                Meters.healthy.macAddress!: "Atelier", "0A:1B:2C:3D:4E:5F": "Wohnmobil", "0A:1B:2C:3D:4E:60": "Garage",
                "UM25C": "rejected",
            ]), sha256: String(repeating: "5a", count: 32), policy: .replace)

    static var options: ChangeOptions {
        var options = ChangeOptions(now: TestStore.now)
        options.makesBackup = false
        return options
    }

    /// Writes the plan of a dry run.
    @discardableResult
    func plan(_ planner: some Planner) throws -> Report {
        var options = Self.options
        options.isDryRun = true
        options.planFile = file
        options.force = true
        return try ChangeRun.carryOut(planner, on: store.path, options)
    }

    @discardableResult
    func apply(_ adjust: (inout ChangeOptions) -> Void = { _ in }) throws -> Report {
        var options = Self.options
        adjust(&options)
        return try ChangeRun.apply(PlanFile.read(file), from: file, to: store.path, options: options)
    }

    var lines: PlanLines { get throws { try PlanLines(FileBytes.read(file)) } }

    func write(_ lines: PlanLines) throws { try FileBytes.write(lines.bytes, to: file) }
}

/// The lines of a plan's file, to be edited: places are such as `3.fields[0].after`, with the number of the line.
struct PlanLines: Equatable, Sendable {
    /// The first is not there, so that the indexes are the numbers of the lines.
    private var lines: JSONValue

    init(_ bytes: [UInt8]) throws {
        lines = .array(
            [.null] + (try bytes.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: Array($0)) }))
    }

    /// The values of the lines.
    var values: [JSONValue] {
        get { if case .array(let values) = lines { Array(values.dropFirst()) } else { [] } }
        set { lines = .array([.null] + newValue) }
    }

    var bytes: [UInt8] { values.flatMap { Array($0.text(pretty: false).utf8) + [UInt8(ascii: "\n")] } }

    /// The number of the first line of a kind.
    func number(of kind: String) -> Int? { values.firstIndex { $0["kind"]?.string == kind }.map { $0 + 1 } }

    func at(_ place: String) -> JSONValue? { lines.at(place) }

    /// With another value at a place; nil takes it out. The last line counts what is left.
    func with(_ place: String, _ value: JSONValue?) -> PlanLines {
        var edited = self
        edited.lines = lines.with(place, value)
        let count = edited.values.count
        if count != values.count { edited.lines = edited.lines.with("\(count).lines", JSONValue(count)) }
        return edited
    }

    /// With a line in front of the last one.
    func adding(_ line: JSONValue) -> PlanLines {
        var edited = self
        edited.values.insert(line, at: values.count - 1)
        edited.lines = edited.lines.with("\(edited.values.count).lines", JSONValue(edited.values.count))
        return edited
    }
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
