import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import FleetSimulation

@Suite("what compare says is lost")
struct ComparisonLawTests {
    private static let layout = RecordLayout.withoutMetadata
    private static let typed: [SettingsField] = [.meterName, .tc66TemperatureUnit, .modelType]

    private static func position(_ field: SettingsField) -> Int { layout.position(of: field)! }

    /// A version of one record, made from a common one.
    private static func version(
        of common: [FieldValue], _ side: String, _ random: inout SeededGenerator
    ) -> (values: [FieldValue], standing: Fleet.Copy.Standing) {
        var values = common
        var changed: Set<String> = []
        for field in typed where Bool.random(using: &random) {
            let isCleared = Int.random(in: 0..<4, using: &random) == 0
            values[position(field)] = isCleared ? .null : .text("\(field.rawValue) of \(side)")
            changed.insert(field.rawValue)
        }
        // Never the same on both sides.
        let age = Double(Int.random(in: 1...500, using: &random)) + (side == "A" ? 0 : 0.25)
        guard !changed.isEmpty else { return (values, .uploaded) }
        values[position(.updatedAt)] = .real(700_000_000 - age)
        changed.insert("updatedAt")
        return (values, Bool.random(using: &random) ? .changed(fields: changed) : .uploaded)
    }

    private static let meter = MACAddress(bits: 0xA4C1_380B_7E21)

    /// Two devices that have one record between them.
    private static func fleet(_ copies: [[Fleet.Copy]]) -> Fleet {
        Fleet(
            layout: layout, meters: [.init(address: meter, modelType: nil)],
            devices: copies.enumerated().map { index, records in
                Fleet.Device(identity: AppDevice(id: "\(index)", name: "\(index)")!, records: records)
            }, zone: Fleet.zone(of: copies, layout), start: Timestamp(secondsSince2001: 700_000_100))
    }

    private static func common() -> [FieldValue] {
        var common = [FieldValue](repeating: .null, count: layout.fields.count)
        common[position(.macAddress)] = .text("A4:C1:38:0B:7E:21")
        common[position(.updatedAt)] = .real(699_999_000)
        common[position(.meterName)] = .text("Old")
        return common
    }

    private static func record(
        _ values: [FieldValue], _ standing: Fleet.Copy.Standing, isDeletedElsewhere: Bool = false
    ) -> ComparedRecord? {
        var unsent: [Int64: Set<String>] = [:]
        if case .changed(let fields) = standing { unsent[1] = fields }
        let record = DeviceSettings(
            row: 1, layout: layout, readingBlobsOf: values, cloudRecord: .init(name: "r"))
        return ComparedRecord(
            of: [record], unsent: unsent, deletedElsewhere: isDeletedElsewhere ? ["r"] : [])
    }

    /// Both devices sync, and one uploads before the other.
    private static func played(_ fleet: Fleet, _ policy: MergePolicy, first: Int) -> [FieldValue]? {
        let simulation = Simulation(fleet, .init(policy: policy))
        let transit = ScheduledEvent.Transit(up: 1, down: 1)
        let outcome = simulation.run([
            ScheduledEvent(0, device: first, .export(transit)),
            ScheduledEvent(100, device: 1 - first, .export(transit)),
        ])
        #expect(outcome.isConverged)
        return simulation.register["r"].flatMap { simulation.zone[$0]?.values }
    }

    @Test("is all of a record that the other device has deleted", arguments: MergePolicy.allCases)
    func deletion(_ policy: MergePolicy) throws {
        for seed in UInt64(0)..<100 {
            var random = SeededGenerator(seed: seed)
            let own = Self.version(of: Self.common(), "B", &random)
            let fleet = Self.fleet([
                [Fleet.Copy(name: "r", values: [], standing: .deleted)],
                [Fleet.Copy(name: "r", values: own.values, standing: own.standing)],
            ])
            #expect(Self.played(fleet, policy, first: 0) == nil, "seed \(seed)")
            #expect(Self.played(fleet, policy, first: 1) == nil, "seed \(seed)")
            let comparison = MeterComparison(
                Self.meter, a: nil, b: Self.record(own.values, own.standing, isDeletedElsewhere: true), policy: policy)
            #expect(comparison.going == .b)
            let typed = Self.typed.filter { !own.values[Self.position($0)].isNull }
            #expect(
                Set(comparison.losses.map(\.field.name)) == Set(typed.map(\.rawValue))
                    && comparison.losses.allSatisfy { $0.side == .b && $0.first == nil })
        }
    }

    @Test("is what two simulated devices lose, whichever uploads first", arguments: MergePolicy.allCases)
    func law(_ policy: MergePolicy) throws {
        var lost = 0
        for seed in UInt64(0)..<400 {
            var random = SeededGenerator(seed: seed)
            let sides = ["A", "B"].map { Self.version(of: Self.common(), $0, &random) }
            let copies = sides.map { [Fleet.Copy(name: "r", values: $0.values, standing: $0.standing)] }
            let fleet = Self.fleet(copies)
            let comparison = MeterComparison(
                fleet.meters[0].address, a: Self.record(sides[0].values, sides[0].standing),
                b: Self.record(sides[1].values, sides[1].standing), policy: policy)
            let results = try (
                a: #require(Self.played(fleet, policy, first: 0)), b: #require(Self.played(fleet, policy, first: 1))
            )
            let expected = Self.typed.flatMap { field -> [String] in
                let place = Self.position(field)
                let values = sides.map { $0.values[place] }
                guard values[0] != values[1] else { return [] }
                return zip(ComparisonSide.allCases, values).compactMap { side, value in
                    let isLost = (a: results.a[place] != value, b: results.b[place] != value)
                    guard !value.isNull, isLost.a || isLost.b else { return nil }
                    return "\(field) of \(side), \(isLost.a == isLost.b ? "always" : isLost.a ? "a first" : "b first")"
                }
            }
            let found = comparison.losses.map {
                "\($0.field.name) of \($0.side), \($0.first.map { "\($0) first" } ?? "always")"
            }
            #expect(Set(found) == Set(expected), "seed \(seed): \(sides)")
            lost += expected.count
            // A side that wins is in CloudKit in the end, whichever was first.
            if let winner = comparison.winner {
                let values = sides[winner == .a ? 0 : 1].values
                #expect(results.a == values && results.b == values, "seed \(seed)")
            }
        }
        #expect(lost > 100)
    }
}
