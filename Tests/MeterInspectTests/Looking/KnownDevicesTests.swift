import CoreDataStore
import MeterInspect
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@Suite("known devices")
struct KnownDevicesTests {
    private static let hourAgo = FixtureClock.now - FixtureClock.hour + 0.25
    private static let sighting: [String] = ["lastSeenAt", "lastSeenByDeviceID", "lastSeenByDeviceName", "updatedAt"]

    /// Three meters that three devices saw.
    private static let seen = StoreFixture(records: [
        FixtureRecord(row: 1, macAddress: Meters.address).seen(by: .anasPhone, at: hourAgo),
        FixtureRecord(row: 2, macAddress: "A4:C1:38:5D:02:9F").seen(by: .bogdansMac, at: hourAgo - 60).locked(
            by: .bogdansMac, at: hourAgo),
        FixtureRecord(row: 3, macAddress: "A4:C1:38:70:12:DD").seen(by: .chloesPad, at: hourAgo - 600).locked(
            by: .bogdansMac, at: hourAgo - 30),
    ]).with { $0.mirror = .current }

    private func known(_ fixtures: StoreFixture..., preferences: String? = nil) throws -> KnownDevices {
        let folder = try TemporaryFolder()
        let paths = try fixtures.enumerated().map { try folder.store($1, named: "\($0).sqlite") }
        let file = folder.path + "/app.plist"
        if let preferences { try FileBytes.write(Array(preferences.utf8), to: file) }
        return try KnownDevices.of(
            paths, preferences: preferences == nil ? nil : AppPreferences(reading: file), now: TestStore.now)
    }

    @Test("are those of locks and sightings, each once by its id, the last one seen first")
    func list() throws {
        let devices = try known(Self.seen).devices.filter { $0.id != nil }
        #expect(
            devices.map(\.names) == [
                [FixtureDevice.anasPhone.name], ["MacBook-Pro-de-Bogdan.local"], ["iPad de Chloé"],
            ]
                || devices.map(\.id) == [
                    FixtureDevice.bogdansMac.id, FixtureDevice.anasPhone.id, FixtureDevice.chloesPad.id,
                ])
        let mac = try #require(devices.first { $0.id == FixtureDevice.bogdansMac.id })
        #expect(mac.locks == ["A4:C1:38:5D:02:9F", "A4:C1:38:70:12:DD"])
        #expect(mac.reasons == [.lock, .sighting])
        #expect(mac.lastSeen == Timestamp(secondsSince2001: Self.hourAgo))
        #expect(devices.first { $0.id == FixtureDevice.chloesPad.id }?.reasons == [.sighting])
    }

    @Test("keep every name they had, the latest first, and are named by that one alone")
    func renamed() throws {
        let older = FixtureDevice(id: FixtureDevice.anasPhone.id, name: "iPhone")
        let fixture = StoreFixture(records: [
            FixtureRecord(row: 1, macAddress: Meters.address).seen(by: older, at: Self.hourAgo - 9_000),
            FixtureRecord(row: 2, macAddress: "A4:C1:38:5D:02:9F").seen(by: .anasPhone, at: Self.hourAgo),
        ])
        let known = try known(fixture)
        #expect(known.devices.first?.names == ["Ana's iPhone", "iPhone"])
        #expect(known.names == ["Ana's iPhone"])
    }

    @Test(
        "are two where names of one id come in turns, but not where a system made the difference",
        arguments: [
            (["Ana's iPhone", "Ana's iPad", "Ana's iPhone"], true), (["Lab", "Lab", "Kitchen"], false),
            (["Mac-Pro.local", "Mac-Pro-2.local", "Mac-Pro.local"], false),
            (["Mac Pro", "Mac Pro (3)", "Mac Pro"], false), (["iPhone-2", "iPad-2", "iPhone-2"], true),
            (["2", "-2", "2"], true),
        ])
    func inTurns(_ names: [String], _ isShared: Bool) throws {
        let records = zip(Int64(1)..., names).map { row, name in
            FixtureRecord(row: row, macAddress: "A4:C1:38:5D:02:0\(row)")
                .seen(by: FixtureDevice(id: "one", name: name), at: Self.hourAgo + Double(row))
        }
        let device = try #require(try known(StoreFixture(records: records)).devices.first { $0.id == "one" })
        #expect(device.isShared == isShared)
    }

    @Test("are the same where JSON has the lock and the sighting, but for the names that it lacks")
    func blobs() throws {
        let devices = try known(Self.seen.with { $0.lockEncoding = .blob }).devices
        #expect(
            Set(devices.compactMap(\.id))
                == Set([.anasPhone, .bogdansMac, .chloesPad].map { (device: FixtureDevice) in device.id }))
        #expect(devices.first { $0.id == FixtureDevice.bogdansMac.id }?.locks.count == 2)
    }

    @Test("say whose store it is where the app signed what it saved here itself")
    func own() throws {
        let fixture = Self.seen.with { $0.savedLater = [.changed(1, at: Self.hourAgo + 0.5, Self.sighting)] }
        let known = try known(fixture)
        let own = try #require(known.owner(of: known.stores[0]))
        #expect(own.id == FixtureDevice.anasPhone.id)
        #expect(own.transactions == 4)
        #expect(own.copies.first?.programs == [StoreFixture.process])
        #expect(own.reasons == [.sighting, .history])
        #expect(own.copies.first?.lastUpload != nil && own.copies.first?.lastImport != nil)
    }

    @Test("do not say whose store it is by what was imported, copied later, saved by a repair, or contradicts itself")
    func notOwn() throws {
        let imported = Self.seen.with {
            $0.savedLater = [.changed(1, isImport: true, at: Self.hourAgo + 0.5, Self.sighting)]
        }
        let copied = Self.seen.with { $0.savedLater = [.changed(1, at: Self.hourAgo + 30, Self.sighting)] }
        let renamed = Self.seen.with {
            $0.savedLater = [.changed(1, at: Self.hourAgo + 0.5, ["meterName", "updatedAt"])]
        }
        let contradicting = Self.seen.with {
            $0.savedLater = [
                .changed(2, at: Self.hourAgo - 59.5, Self.sighting),
                .changed(1, at: Self.hourAgo + 0.5, Self.sighting),
            ]
        }
        for fixture in [imported, copied, renamed, contradicting] {
            let known = try known(fixture)
            #expect(known.owner(of: known.stores[0]) == nil)
            // The store is of some device all the same.
            #expect(known.devices.contains { $0.id == nil && $0.transactions > 0 && $0.reasons == [.history] })
        }
    }

    @Test("are confirmed by the app's preferences")
    func preferences() throws {
        let text = "{ deep = ( { device = \"\(FixtureDevice.chloesPad.id)\"; } ); }"
        let known = try known(Self.seen, preferences: text)
        #expect(known.owner(of: known.stores[0])?.id == FixtureDevice.chloesPad.id)
        #expect(known.owner(of: known.stores[0])?.reasons == [.sighting, .history, .preferences])
        let other = try self.known(Self.seen, preferences: "{ device = nobody; }")
        #expect(other.owner(of: other.stores[0]) == nil)
    }

    @Test("of several stores are one list")
    func several() throws {
        let phone = Self.seen.with { $0.savedLater = [.changed(1, at: Self.hourAgo + 0.5, Self.sighting)] }
        let mac = Self.seen.with {
            $0.storeUUID = FixtureUUID(2).text
            $0.savedLater = [.changed(2, at: Self.hourAgo - 59.5, Self.sighting)]
        }
        let known = try known(phone, mac)
        #expect(known.devices.count == 3)
        #expect(
            known.stores.map { known.owner(of: $0)?.id } == [FixtureDevice.anasPhone.id, FixtureDevice.bogdansMac.id])
    }

    @Test("are found by id, by name, and by a name in another letter case")
    func matches() throws {
        let known = try known(Self.seen)
        for word in [
            FixtureDevice.anasPhone.id, FixtureDevice.anasPhone.id.lowercased(), "Ana's iPhone", " ana's IPHONE",
        ] { #expect(known.matches(word).map(\.id) == [FixtureDevice.anasPhone.id], "\(word)") }
        #expect(known.matches("iPhone").isEmpty)
        let twins = StoreFixture(
            records: zip(Int64(1)..., ["one", "two"]).map { row, id in
                FixtureRecord(row: row, macAddress: "A4:C1:38:5D:02:0\(row)")
                    .seen(by: FixtureDevice(id: id, name: "iPad"), at: Self.hourAgo)
            })
        #expect(try self.known(twins).matches("iPad").count == 2)
    }

    @Test("are those that verify, a change and status name")
    func oneList() throws {
        let store = try TestStore(
            StoreFixture(records: [Meters.pair[0].seen(by: .anasPhone, at: Self.hourAgo), Meters.pair[1]]))
        let names = try KnownDevices.of([store.path], now: TestStore.now).names
        #expect(names == ["Ana's iPhone"])
        #expect(try Verify.report(store.path, VerifyOptions(now: TestStore.now)).devices == names)
        #expect(try StatusReport.of(store.path, now: TestStore.now).devices.names == names)
        let report = try store.rebuild()
        #expect(report.devices == names && report.ownDevice == nil)
    }

    @Test("say to which device a repaired store is given back")
    func givenBack() throws {
        let records = [Meters.pair[0].seen(by: .anasPhone, at: Self.hourAgo), Meters.pair[1]]
        let store = try TestStore(
            StoreFixture(records: records).with {
                $0.savedLater = [.changed(3, at: Self.hourAgo + 0.5, Self.sighting)]
            })
        #expect(try store.rebuild().ownDevice == "Ana's iPhone")
    }
}
