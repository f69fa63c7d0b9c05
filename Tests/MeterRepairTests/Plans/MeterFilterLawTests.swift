import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("law of --only and --except")
struct MeterFilterLawTests {
    private func run(_ planner: some Planner, on path: String, isDryRun: Bool = false) throws -> ChangeReport? {
        var options = RandomPlans.options()
        options.isDryRun = isDryRun
        do throws(StoreError) {
            return try ChangeRun.run(planner, on: path, options: options)
        } catch {
            guard error.kind == .unsuitable else { throw error }
            return nil
        }
    }

    @Test("one after the other they leave the records, the marks and the findings that the whole would have left")
    func wholeInTwo() throws {
        var (whole, halves) = (0, 0)
        for seed in LawSeeds.first(6) {
            let fixture = RandomPlans.fixture(seed: seed)
            for index in RandomPlans.planners(seed: seed, .all).indices {
                let (one, two) = (try TestStore(fixture), try TestStore(fixture))
                let meters = try RandomFilters(seed: seed &+ UInt64(index), one.path)
                let comment: Comment = "seed \(seed), planner \(index), \(meters.addresses)"
                guard let done = try run(RandomPlans.planners(seed: seed, .all)[index], on: one.path) else { continue }
                // Each is proven as the whole is.
                var updated = 0
                for filter in seed % 2 == 0 ? meters.filters : meters.filters.reversed() {
                    let planner = RandomPlans.planners(seed: seed, filter)[index]
                    let dry = try #require(try run(planner, on: two.path, isDryRun: true), comment)
                    let half = try #require(try run(planner, on: two.path), comment)
                    #expect(half.plan == dry.plan, comment)
                    if half.outcome == .applied { halves += 1 }
                    updated += half.summary.updated + half.summary.deleted + half.summary.inserted
                }
                #expect(updated == done.summary.updated + done.summary.deleted + done.summary.inserted, comment)
                if done.outcome == .applied { whole += 1 }
                #expect(try records(of: two.path) == records(of: one.path), comment)
                // What could be told of a row number is told of another one.
                #expect(try two.description().metadata.dictionary == one.description().metadata.dictionary, comment)
                #expect(try Set(two.findings()) == Set(one.findings()), comment)
            }
        }
        #expect(whole > 20 && halves > 30, "\(whole) \(halves)")
    }

    @Test("on one store they plan the changes of the whole, each in one of the two, and none of other meters")
    func partition() throws {
        for seed in LawSeeds.first(6) {
            let store = try TestStore(RandomPlans.fixture(seed: seed))
            let meters = try RandomFilters(seed: seed, store.path)
            // Which row an import gives to a new record depends on how many there are before it.
            for index in RandomPlans.planners(seed: seed, .all).indices.dropLast(2) {
                let comment: Comment = "seed \(seed), planner \(index)"
                func plan(_ filter: MeterFilter) throws -> Plan? {
                    try run(RandomPlans.planners(seed: seed, filter)[index], on: store.path, isDryRun: true)?.plan
                }
                guard let whole = try plan(.all) else { continue }
                let parts = try meters.filters.map { try #require(try plan($0), comment) }
                // All but the marker.
                let schema = parts.flatMap(\.schemaChanges)
                #expect(Set(schema) == Set(whole.schemaChanges) && schema.count == whole.schemaChanges.count, comment)
                let gone = parts.flatMap(\.cloudDeletions)
                #expect(Set(gone) == Set(whole.cloudDeletions) && gone.count == whole.cloudDeletions.count, comment)
                let planned = parts.flatMap(\.meters)
                #expect(Set(planned) == Set(whole.meters) && planned.count == whole.meters.count, comment)
                for (part, filter) in zip(parts, meters.filters) {
                    #expect(part.meters.allSatisfy { filter.contains($0.address) }, comment)
                    #expect(filter.contains(nil) || part.schemaChanges.isEmpty && part.cloudDeletions.isEmpty, comment)
                }
            }
        }
    }

    @Test("a rebuild that leaves duplicates sets no marker, and the last one does")
    func marker() throws {
        let store = try TestStore(
            StoreFixture(
                records: Meters.pair
                    + Meters.pair.map { record in
                        record.with {
                            $0.row += 10
                            $0.macAddress = Meters.healthy.macAddress
                        }
                    }
            ).with { $0.marker = nil })
        let address = MACAddress.parse(Meters.address)!.0
        func rebuild(_ filter: MeterFilter) throws -> ChangeReport {
            try #require(try run(RebuildPlanner(policy: .mostComplete, filter), on: store.path))
        }
        let first = try rebuild(.only([address]))
        #expect(first.plan.metadataChanges == [] && first.summary.deleted == 1 && first.leavesRepairs)
        #expect(
            first.plan.notes == ["1 other meter still needs a rebuild, so no rebuild marker is set"])
        #expect(try rebuild(.only([address])).outcome == .unchanged)
        let last = try rebuild(.except([address]))
        #expect(last.plan.metadataChanges.map(\.key) == ["cloudStoreRebuildVersion"] && last.plan.notes == [])
        #expect(try !store.findings().contains("duplicate-mac"))
    }

    @Test("an import sets its mark only where it changed a record, and rejects what is of the meters alone")
    func importMark() throws {
        let bench = try TestStore(StoreFixture(records: [Meters.healthy]))
        let dump = RandomPlans.dump(seed: 1)
        let mine = MACAddress.parse(Meters.address)!.0
        func importing(_ filter: MeterFilter) throws -> ChangeReport {
            return try LegacyImport.run(
                ImportPlanner(dump, sha256: "5a", policy: .keep, filter), on: bench.path, creates: false,
                options: .withoutBackup(at: TestStore.now))
        }
        let other = MACAddress.parse("0A:1B:2C:3D:4E:5F")!.0
        let nothing = try importing(.only([MACAddress.parse(Meters.healthy.macAddress!)!.0]))
        #expect(nothing.outcome == .unchanged && nothing.summary.rejects == 0)
        #expect(try bench.metadata()[LegacyImportMark.key] == nil)
        let one = try importing(.only([other]))
        #expect(one.summary.inserted == 1 && one.summary.rejects == 0)
        #expect(try bench.metadata()[LegacyImportMark.key] != nil)
        let rest = try importing(.except([other]))
        #expect(rest.summary.rejects == dump.rejects.count && rest.summary.inserted == dump.meters.count - 1)
        #expect(try importing(.only([mine])).summary.rejects == dump.rejects.count { $0.key == Meters.address })
    }

    /// Every value of every record but its number, in an order that does not depend on that either.
    private func records(of path: String) throws -> [[String]] {
        let connection = try StoreConnection.untouched(path)
        defer { try? connection.close() }
        return try connection.read { database in
            let description = try StoreDescription(database)
            let settings = try #require(SettingsTable(description))
            return try settings.records(database).map { $0.values.map { "\($0)" } }
                .sorted { $0.lexicographicallyPrecedes($1) }
        }
    }
}
