import CoreDataStore
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("unlock --held-by")
struct UnlockDeviceTests {
    private static let hourAgo = FixtureClock.now - FixtureClock.hour

    /// Bogdan's Mac holds two meters, one of them in one of two records; Ana's phone holds the other record and a third
    /// meter. One record has no usable address.
    private static let fixture = StoreFixture(
        records: [
            Meters.pair[0].locked(by: .anasPhone, at: hourAgo),
            Meters.healthy.locked(by: .bogdansMac, at: hourAgo),
            Meters.pair[1].locked(by: .bogdansMac, at: hourAgo + 1),
            FixtureRecord(row: 9, macAddress: "unknown").locked(by: .bogdansMac, at: hourAgo),
            FixtureRecord(row: 10, macAddress: "A4:C1:38:00:00:10").locked(by: .anasPhone, at: hourAgo),
        ])

    @discardableResult
    private func unlock(
        _ store: TestStore, _ device: String, _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport {
        let options = ChangeOptions.withoutBackup(adjust)
        return try ChangeRun.run(UnlockPlanner(.heldBy(device), force: options.force), on: store.path, options: options)
    }

    private func holders(_ store: TestStore) throws -> [Int64: String] {
        let locks = try LockList.of(store.path, now: TestStore.now).locks
        return Dictionary(
            uniqueKeysWithValues: locks.compactMap { found in
                found.lock.map { (found.row, $0.deviceName ?? "") }
            })
    }

    @Test("frees all that one device holds in one transaction, and nothing else", arguments: [true, false])
    func all(byName: Bool) throws {
        let store = try TestStore(Self.fixture)
        let before = try store.text()
        let mac = FixtureDevice.bogdansMac
        let report = try unlock(store, byName ? mac.name : mac.id)
        #expect(report.outcome == .applied)
        #expect(report.summary.updated == 3)
        #expect(try holders(store) == [3: "Ana's iPhone", 10: "Ana's iPhone"])
        let after = try store.text()
        #expect(after[table: "ATRANSACTION"].count == before[table: "ATRANSACTION"].count + 1)
        #expect(after[table: "ACHANGE"].count == before[table: "ACHANGE"].count + 3)
        #expect(try #require(throws: StoreError.self) { try unlock(store, mac.id) }.kind == .unsuitable)
        #expect(try unlock(store, FixtureDevice.anasPhone.id).outcome == .applied)
    }

    @Test("leaves the lock of another device in the same record")
    func twoLocks() throws {
        let json = #"{"device":"other","timestamp":"2026-11-21T10:00:00Z","expiry":"2026-11-21T10:02:00Z"}"#
        let record = Meters.healthy.locked(by: .bogdansMac, at: Self.hourAgo).with { $0.connectionMetadata = json }
        let store = try TestStore(StoreFixture(records: [record]).with { $0.lockEncoding = .both })
        try unlock(store, FixtureDevice.bogdansMac.id)
        #expect(try store.column("ZCONNECTEDBYDEVICEID") == ["5: NULL"])
        #expect(try store.column("ZCONNECTIONMETADATA") == ["5: '\(json)'"])
        try unlock(store, "other")
        #expect(try store.column("ZCONNECTIONMETADATA") == ["5: NULL"])
    }

    @Test("refuses as a whole while the device is connected to one of the meters, unless forced")
    func live() throws {
        let store = try TestStore(
            Self.fixture.with { $0.records[1] = Meters.healthy.locked(by: .bogdansMac, at: FixtureClock.now - 30) })
        #expect(try store.refusal { try unlock(store, FixtureDevice.bogdansMac.id) }.kind == .inUse)
        #expect(try unlock(store, FixtureDevice.bogdansMac.id) { $0.force = true }.summary.updated == 3)
    }

    @Test("refuses a device that no record names, and a name that several have, and says which there are")
    func refusals() throws {
        let store = try TestStore(Self.fixture)
        let unknown = try #require(throws: StoreError.self) { try unlock(store, "Watch") }
        #expect(unknown.kind == .unsuitable)
        #expect(unknown.hint?.contains("\"Ana's iPhone\"") == true)
        let twins = try TestStore(
            StoreFixture(records: [
                Meters.healthy.locked(by: FixtureDevice(id: "one", name: "iPad"), at: Self.hourAgo),
                Meters.pair[0].seen(by: FixtureDevice(id: "two", name: "iPad"), at: Self.hourAgo),
            ]))
        let several = try #require(throws: StoreError.self) { try unlock(twins, "iPad") }
        #expect(several.message == "2 devices are named \"iPad\"")
        #expect(several.hint?.contains("one") == true && several.hint?.contains("two") == true)
        #expect(try unlock(twins, "two").outcome == .unchanged)
        #expect(try unlock(twins, "one").outcome == .applied)
    }

    @Test("is what the dry run said, and is undone")
    func planned() throws {
        let store = try TestStore(Self.fixture)
        let original = try store.text()
        let planned = try unlock(store, FixtureDevice.bogdansMac.name) { $0.isDryRun = true }
        #expect(try store.text() == original)
        let done = try unlock(store, FixtureDevice.bogdansMac.name) {
            $0.expected = planned.fingerprint
            $0.makesBackup = true
        }
        #expect(done.outcome == .applied && done.plan == planned.plan)
        _ = try Undo.run(store.path, redoes: false, options: ChangeOptions(now: TestStore.now))
        #expect(try store.text() == original)
    }
}
