import CoreDataStore
import JSON
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

/// What somebody may do to the lines of a plan: mostly harm.
private struct RandomEdit {
    var generator: SeededGenerator

    /// The lines with up to three edits. Most times the last line counts what is left.
    mutating func callAsFunction(_ lines: PlanLines) -> PlanLines {
        var values = lines.values
        for _ in 0...Int(generator.next() % 3) where values.count > 2 {
            let line = Int.random(in: 1..<values.count - 1, using: &generator)
            switch generator.next() % 8 {
            case 0: values.remove(at: line)
            case 1: values.insert(values[line], at: Int.random(in: 1..<values.count, using: &generator))
            case 2: values.swapAt(line, Int.random(in: 1..<values.count - 1, using: &generator))
            // A meter.
            case 3, 4: if let mac = values[line]["mac"]?.string { values.removeAll { $0["mac"]?.string == mac } }
            // A name.
            case 5:
                for line in values.indices {
                    let index = (0..<30).first { values[line].at("fields[\($0)].name") == "meterName" }
                    guard let index else { continue }
                    values[line] = values[line].with(
                        "fields[\(index)].after", .string("Edited \(generator.next() % 9)"))
                    break
                }
            // A value of another place, or nearly the one that is there.
            default:
                let line = generator.next() % 4 == 0 ? 0 : line
                guard let place = values[line].places.randomElement(using: &generator) else { continue }
                let other = values.randomElement(using: &generator) ?? .null
                var value = other.places.randomElement(using: &generator).flatMap(other.at)
                if generator.next() % 2 == 0, case .integer(let number)? = values[line].at(place) {
                    value = .integer(number &+ 1)
                }
                values[line] = values[line].with(place, value)
            }
        }
        var edited = lines
        edited.values = values
        return generator.next() % 10 == 0 ? edited : edited.with("\(values.count).lines", JSONValue(values.count))
    }
}

extension JSONValue {
    /// The places of all values that are no objects and no arrays.
    fileprivate var places: [String] {
        switch self {
        case .object(let members): members.flatMap { member in member.value.places.map { Self.join(member.key, $0) } }
        case .array(let elements):
            elements.enumerated().flatMap { index, value in value.places.map { Self.join("[\(index)]", $0) } }
        default: [""]
        }
    }

    private static func join(_ key: String, _ place: String) -> String {
        place.isEmpty ? key : key + (place.hasPrefix("[") ? "" : ".") + place
    }
}

@Suite("law of edited plans")
struct PlanLawTests {
    private static let locked = MACAddress.parse(Meters.address)!.0

    private static func planners(seed: UInt64) -> [any Planner] {
        var names = ["0A:1B:2C:3D:4E:5F": "Wohnmobil", "0A:1B:2C:3D:4E:60": "Garage", "x": "rejected"]
        for record in RandomStores.records(seed: seed, meters: 4) where record.row % 2 == 0 {
            if let address = record.macAddress { names[address] = "Name \(record.row)" }
        }
        let imports = ImportConflictPolicy.allCases.map {
            ImportPlanner(ImportBench.values(names: names), sha256: "5a", policy: $0)
        }
        return [
            RebuildPlanner(policy: .mostComplete), RebuildPlanner(policy: .newest), FirstAidPlanner(),
            UnlockPlanner(locked, force: seed % 2 == 0), SetPlanner(locked, name: "By hand", unit: .celsius),
            FixPlanner.all(), FixPlanner(FixableCheck.allCases, force: true), DeletePlanner(row: 1, force: true),
        ] + imports
    }

    private static func fixture(seed: UInt64) -> StoreFixture {
        StoreFixture(
            records: RandomStores.records(seed: seed, meters: 4) + [
                Meters.pair[0].locked(by: .anasPhone, at: FixtureClock.now - 30).with { $0.row = 9_000 }
            ]
        ).with {
            $0.mirror = seed % 3 == 0 ? .none : .current
            $0.marker = seed % 2 == 0 ? nil : 2
        }
    }

    @Test(
        "a plan is refused, or what is done is what is planned now, without whole meters and with names that set gives")
    func edited() throws {
        var (applied, refused, shortened, replaced) = (0, 0, 0, 0)
        for seed in LawSeeds.first(6) {
            for (index, planner) in Self.planners(seed: seed).enumerated() {
                var edit = RandomEdit(generator: SeededGenerator(seed: seed * 100 + UInt64(index)))
                let bench = try PlanBench(Self.fixture(seed: seed))
                guard let fresh = try? bench.plan(planner), let plan = fresh.plan, !plan.isEmpty else { continue }
                let lines = try bench.lines
                let before = try bench.store.files()
                for round in 0..<6 {
                    let comment: Comment = "seed \(seed), \(planner.command.rawValue) \(index), round \(round)"
                    try bench.write(edit(lines))
                    do {
                        let report = try bench.apply {
                            $0.isDryRun = true
                            $0.force = true
                        }
                        guard report.outcome != .stale else {
                            refused += 1
                            continue
                        }
                        applied += 1
                        let done = try #require(report.plan, comment)
                        try expect(done, isPartOf: plan, by: planner, comment, &shortened, &replaced)
                        #expect(
                            Set(report.findings.ids).subtracting(fresh.findings.ids).isSubset(
                                of: try bench.store.findingIDs(marked: done)), comment)
                    } catch let error as StoreError {
                        refused += 1
                        #expect([.damaged, .unsuitable, .inUse].contains(error.kind), "\(comment): \(error)")
                    }
                }
                #expect(try bench.store.files() == before, "seed \(seed)")
            }
        }
        #expect(
            applied > 20 && refused > 100 && shortened > 5 && replaced > 3,
            "\(applied) \(refused) \(shortened) \(replaced)")
    }

    private func expect(
        _ done: Plan, isPartOf plan: Plan, by planner: any Planner, _ comment: Comment, _ shortened: inout Int,
        _ replaced: inout Int
    ) throws {
        var left = Dictionary(uniqueKeysWithValues: plan.changes.map { (PlanLine($0).identity, $0) })
        for change in done.changes {
            let found = left.removeValue(forKey: PlanLine(change).identity)
            let planned = try #require(found, comment)
            guard change != planned else { continue }
            replaced += 1
            let (fields, others) = (change.fields, planned.fields)
            #expect(fields.count == others.count && !fields.isEmpty, comment)
            for (field, other) in zip(fields, others) where field != other {
                #expect(field.rule == .byHand && field.field == other.field && field.before == other.before, comment)
                #expect(field.after.text?.isEmpty == false, comment)
            }
        }
        let missing = left.values.map(PlanLine.init)
        let subjects = Set(missing.compactMap(\.subject))
        if !subjects.isEmpty { shortened += 1 }
        #expect(done.changes.allSatisfy { !(PlanLine($0).subject.map(subjects.contains) ?? false) }, comment)
        // Nothing else is missing but a marker that would lie.
        for line in missing where line.subject == nil {
            guard case .change(.metadata) = line else {
                Issue.record("\(line) is missing: \(comment)")
                continue
            }
            #expect(!subjects.isEmpty && [.rebuild, .importKV].contains(planner.command), comment)
        }
        if planner.command == .rebuild, !subjects.isEmpty { #expect(done.metadataChanges.isEmpty, comment) }
        #expect(done.summary.updated <= plan.summary.updated && done.cloud.deletes <= plan.cloud.deletes, comment)
    }
}

extension Change {
    fileprivate var fields: [FieldChange] {
        switch self {
        case .update(let update): update.fields
        case .insert(let insertion): insertion.fields
        case .delete, .cloudDelete, .schema, .metadata: []
        }
    }
}

extension TestStore {
    /// What `verify` finds in the store as it is, which a plan without some meters may leave; and the note that nobody has
    /// rebuilt it.
    fileprivate func findingIDs(marked plan: Plan) throws -> Set<String> {
        Set(try Verify.report(path, VerifyOptions(now: TestStore.now)).findings.ids)
            .union(["rebuild-marker-missing", "rebuild-marker-old", "name-shared", "mirror-pending"])
    }
}
