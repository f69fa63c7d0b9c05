import CoreDataStore
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

/// What `SurvivorTests` and `RandomStoreTests` say of one store, of a user's devices together. A failure names its seed.
@Suite("devices that hold the same records in other rows, each of which repairs its own store,")
struct ConvergenceTests {
    private static let seeds = LawSeeds.first(8)

    /// Two to four devices that repair, and one that never does. Their systems are of other ages, their tables and numbers are other ones; what is synced is
    /// the same.
    private static func devices(
        _ records: [FixtureRecord], using generator: inout SeededGenerator
    ) throws -> [SyncedStore] {
        let encoding = [USBMeterModel.LockEncoding.flat, .both, .blob].randomElement(using: &generator) ?? .flat
        return try (0...Int.random(in: 2...4, using: &generator)).map { index in
            let rows = RandomStores.shuffledRows(records, seed: .random(in: .min ... .max, using: &generator))
            let token = RandomStores.historyToken(
                seed: .random(in: .min ... .max, using: &generator), transactions: rows.count)
            let fixture = StoreFixture(records: rows).with {
                $0.lockEncoding = encoding
                $0.storeUUID = FixtureUUID(UInt64(index) + 40).text
                $0.mirror = Bool.random(using: &generator) ? .current : .oldest
                $0.historyToken = token
                $0.history = Bool.random(using: &generator) ? .current : .withoutStrings
                $0.journalMode = Bool.random(using: &generator) ? .wal : .delete
                // It comes first in the alphabet, so that the records' entity has another number.
                if Bool.random(using: &generator) { $0.extraEntities = [Entity("Adapter")] }
            }
            return try SyncedStore(TestStore(fixture), fixture)
        }
    }

    /// The same records for all devices; each is known by its name in the cloud.
    private static func records(_ seed: UInt64) -> [FixtureRecord] {
        RandomStores.records(seed: seed, meters: 5).map { record in
            record.with { $0.cloudRecordName = FixtureUUID(seed &* 1000 &+ UInt64($0.row) &+ 200).text }
        }
    }

    @Test("keep the same records with the same values", arguments: seeds)
    func alone(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let devices = try Self.devices(Self.records(seed), using: &generator)
        let before = try devices[0].contents()
        for device in devices { #expect(try device.contents() == before) }
        for device in devices.shuffled(using: &generator) { try device.store.rebuild() }
        let after = try devices[0].contents()
        for device in devices { #expect(try device.contents() == after) }
        #expect(Set(after.keys).isSubset(of: before.keys))
    }

    /// What goes from device to device is read from the persistent history that the rebuild wrote, as the mirror reads it:
    /// what was deleted, and the fields that were changed.
    @Test(
        "are all alike when they have exchanged their changes, whoever repairs first and whoever never does",
        arguments: seeds)
    func exchanged(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let records = Self.records(seed)
        let everybody = try Self.devices(records, using: &generator)
        let (devices, listener) = (everybody.dropLast(), everybody[everybody.count - 1])
        let before = try listener.contents()
        // In the order in which they reach the cloud.
        var changes: [SyncedStore.Change] = []
        var known = Array(repeating: 0, count: devices.count)
        for (turn, index) in devices.indices.shuffled(using: &generator).enumerated() {
            let device = devices[index]
            // Some have heard of the others' repairs by then, and have nothing to do.
            if Bool.random(using: &generator) {
                try device.take(changes)
                known[index] = changes.count
            }
            let now = Timestamp(secondsSince2001: FixtureClock.now + Double(turn) * 61)
            let report = try device.store.rebuild(at: now)
            #expect(known[index] == 0 || report.outcome == .unchanged)
            changes += try device.changes()
        }
        for (index, device) in devices.enumerated() {
            // What it has sent itself comes after what the others sent before it.
            try device.take(Array(changes[known[index]...]))
        }
        try listener.take(changes)
        let after = try listener.contents()
        for device in everybody {
            #expect(try device.contents() == after)
            #expect(
                try device.store.rebuild(at: Timestamp(secondsSince2001: FixtureClock.now + 500)).outcome == .unchanged)
        }
        checkMeters(before, after)
    }

    /// Every meter has one record, and in each field that the user filled one of the values that were typed.
    private func checkMeters(_ before: SyncedStore.Contents, _ after: SyncedStore.Contents) {
        func meters(_ contents: SyncedStore.Contents) -> [String: [SyncedStore.Values]] {
            Dictionary(grouping: contents.values.filter { $0.address != nil }) { $0.address ?? "" }
        }
        let kept = meters(after)
        #expect(Set(kept.keys) == Set(meters(before).keys))
        for (address, records) in meters(before) {
            #expect(kept[address]?.count == 1, "\(address)")
            for (field, column) in SyncedStore.typed.enumerated() {
                let typed = records.compactMap { $0.typed[field] }
                let value = kept[address]?.first?.typed[field]
                #expect(typed.isEmpty ? value == nil : value.map(typed.contains) == true, "\(column) of \(address)")
            }
        }
        // What is no meter's stays as it was.
        #expect(after.filter { $0.value.address == nil } == before.filter { $0.value.address == nil })
    }
}
