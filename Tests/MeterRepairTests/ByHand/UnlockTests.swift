import CoreDataStore
import Foundation
import JSON
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@Suite("unlock")
struct UnlockTests {
    private static let meter = MACAddress.parse(Meters.address)!.0
    private static let lockColumns = [
        "ZCONNECTEDBYDEVICEID", "ZCONNECTEDBYDEVICENAME", "ZCONNECTEDAT", "ZCONNECTEDEXPIRYAT",
    ]
    /// Taken an hour ago and long expired.
    private static let anHourAgo = FixtureClock.now - FixtureClock.hour

    /// Both records of the meter and another meter, all locked.
    private static let allLocked = StoreFixture(
        records: [
            Meters.pair[0].locked(by: .anasPhone, at: anHourAgo),
            Meters.healthy.locked(by: .chloesPad, at: anHourAgo),
            Meters.pair[1].locked(by: .bogdansMac, at: anHourAgo + 1),
        ])

    private static func lone(_ change: (FixtureRecord) -> FixtureRecord) -> StoreFixture {
        StoreFixture(records: [change(Meters.pair[0]), Meters.healthy])
    }

    @discardableResult
    private func unlock(
        _ store: TestStore, _ meter: MACAddress = Self.meter, _ adjust: (inout ChangeOptions) -> Void = { _ in }
    ) throws(StoreError) -> ChangeReport {
        let options = ChangeOptions.withoutBackup(adjust)
        return try ChangeRun.run(UnlockPlanner(meter, force: options.force), on: store.path, options: options)
    }

    private func rule(_ name: String, in report: ChangeReport) -> [SurvivorshipRule?] {
        (report.plan.recordChanges).map { change in
            if case .update(let update) = change { update.fields.first { $0.field.name == name }?.rule } else { nil }
        }
    }

    @Test("clears the lock in every record of the meter, and touches no other meter")
    func everyRecord() throws {
        let store = try TestStore(Self.allLocked)
        let before = try store.text()
        let report = try unlock(store)
        #expect(report.outcome == .applied)
        #expect(report.summary.updated == 2)
        #expect(rule("connectedAt", in: report) == [.unlocked, .unlocked])
        #expect(rule("updatedAt", in: report) == [.now, .now])
        for column in Self.lockColumns {
            let values = try store.column(column)
            #expect(values[0] == "3: NULL" && values[2] == "7: NULL", "\(column)")
            #expect(values[1] != "5: NULL", "\(column)")
        }
        #expect(try store.column("ZUPDATEDAT = 816955200")[0] == "3: 1")
        #expect(try store.column("Z_OPT") == ["3: 2", "5: 1", "7: 2"])
        #expect(try store.column("ZMETERNAME") == ["3: 'Kitchen'", "5: 'Lab'", "7: NULL"])
        let after = try store.text()
        #expect(after.isIntact)
        #expect(after[table: "ATRANSACTION"].count == before[table: "ATRANSACTION"].count + 1)
        #expect(after[table: "ACHANGE"].count == before[table: "ACHANGE"].count + 2)
        #expect(try LockList.of(store.path, now: TestStore.now).locks.map(\.row) == [5])
    }

    @Test(
        "clears every encoding that a store has",
        arguments: [USBMeterModel.LockEncoding.blob, .both, .blobWithBinaryDiscovery])
    func encodings(_ encoding: USBMeterModel.LockEncoding) throws {
        let fixture = Self.lone { $0.locked(by: .anasPhone, at: Self.anHourAgo) }.with { $0.lockEncoding = encoding }
        let store = try TestStore(fixture)
        #expect(try unlock(store).outcome == .applied)
        #expect(try store.column("ZCONNECTIONMETADATA")[0] == "3: NULL")
        if encoding == .both { #expect(try store.column("ZCONNECTEDAT")[0] == "3: NULL") }
        #expect(try unlock(store).outcome == .unchanged)
    }

    @Test("clears a lock that is torn, cannot be read, or was written by a clock that was ahead")
    func damaged() throws {
        let torn = Self.lone { $0.with { $0.connectedByDeviceName = "Ana's iPhone" } }
        let unreadable = Self.lone { $0.with { $0.connectionMetadata = "{\"device\":" } }.with {
            $0.lockEncoding = .blob
        }
        let ahead = Self.lone { $0.locked(by: .anasPhone, at: FixtureClock.now + 900 * FixtureClock.day) }
        for fixture in [torn, unreadable, ahead] {
            let store = try TestStore(fixture)
            let list = try LockList.of(store.path, now: TestStore.now)
            #expect(list.locks.count == 1)
            #expect(try unlock(store).outcome == .applied)
            #expect(try LockList.of(store.path, now: TestStore.now).locks.isEmpty)
        }
    }

    @Test("keeps what it clears in its report and in its backup, even if it cannot be read")
    func clearedText() throws {
        let text = #"{"device":"ana", "timestamp" "#
        let store = try TestStore(
            Self.lone { $0.with { $0.connectionMetadata = text } }.with { $0.lockEncoding = .blob })
        let cures = try store.found("metadata-blob-malformed").map(\.cure.description)
        #expect(cures == ["meterfix fix metadata-blob-malformed \(store.path)"])
        let report = try unlock(store) { $0.makesBackup = true }
        let before = report.plan.recordChanges.compactMap { change in
            if case .update(let update) = change {
                update.fields.first { $0.field.known == .connectionMetadata }?.before
            } else {
                nil
            }
        }
        #expect(before == [.text(text)])
        let entry = try #require(report.backup)
        let changes = try FileBytes.read(entry + "/changes.jsonl")
        let lines = try changes.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: Array($0)) }
        let update = try #require(lines.first { $0["kind"]?.string == "update" })
        guard case .array(let fields)? = update["fields"] else { throw CocoaError(.coderInvalidValue) }
        #expect(fields.first { $0["name"]?.string == "connectionMetadata" }?["before"]?.string == text)
        #expect(try !store.findings().contains("metadata-blob-malformed"))
    }

    @Test("is the cure that verify names for a lock that does not go away, and cures one that is torn too")
    func cure() throws {
        let torn = Self.lone { $0.with { $0.connectedByDeviceName = "Ana's iPhone" } }
        let stuck = Self.lone { $0.locked(by: .anasPhone, at: Self.anHourAgo, for: 90 * FixtureClock.day) }
        for (fixture, id, command) in [
            (torn, "lock-torn", "fix lock-torn"), (stuck, "lock-ttl", "unlock \(Meters.address)"),
        ] {
            let store = try TestStore(fixture)
            func cures() throws -> [String?] {
                try store.found(id).map(\.cure.description)
            }
            #expect(try cures() == ["meterfix \(command) \(store.path)"])
            try unlock(store)
            #expect(try cures().isEmpty)
        }
    }

    @Test("writes nothing where there is no lock")
    func nothingToDo() throws {
        let store = try TestStore(
            Self.lone { $0.with { $0.connectionMetadata = "{}" } }.with { $0.lockEncoding = .both })
        let before = try store.snapshot()
        #expect(try unlock(store) { $0.makesBackup = true }.outcome == .unchanged)
        #expect(try store.snapshot().hasSameBytes(as: before))
    }

    @Test("leaves a lock alone that was renewed less than 120 s ago, unless forced", arguments: [-60.0, 0, 119.5])
    func live(_ age: Double) throws {
        let store = try TestStore(Self.lone { $0.locked(by: .anasPhone, at: FixtureClock.now - age) })
        let error = try store.refusal { try unlock(store) }
        #expect(error.kind == .inUse)
        #expect(error.message.hasPrefix("the meter \(Meters.address) is in use: \"Ana's iPhone\" renewed its lock "))
        #expect(error.hint?.contains("--force") == true)
        let report = try unlock(store, Self.meter) { $0.force = true }
        #expect(report.outcome == .applied)
        #expect(report.plan.notes.count == 1)
    }

    @Test("clears an older lock that has not expired, and says whose it was")
    func held() throws {
        let store = try TestStore(
            Self.lone { $0.locked(by: .anasPhone, at: FixtureClock.now - 120, for: FixtureClock.day) })
        let report = try unlock(store)
        #expect(report.outcome == .applied)
        #expect(report.plan.notes.first?.hasPrefix("row 3: the lock of \"Ana's iPhone\" had not expired") == true)
        let expired = try TestStore(Self.lone { $0.locked(by: .anasPhone, at: FixtureClock.now - 120.5) })
        #expect(try unlock(expired).plan.notes == [])
    }

    @Test("says where it makes another name the newest of a meter with several records")
    func order() throws {
        let records = [
            Meters.pair[0].locked(by: .anasPhone, at: Self.anHourAgo), Meters.pair[1].with { $0.meterName = "Balcony" },
        ]
        let store = try TestStore(StoreFixture(records: records))
        #expect(try unlock(store).plan.notes.first?.contains("meterName \"Kitchen\" instead of \"Balcony\"") == true)
        try store.rebuild()
        #expect(try store.column("ZMETERNAME") == ["7: 'Kitchen'"])
    }

    @Test("refuses a meter that is not in the store")
    func unknownMeter() throws {
        let store = try TestStore(Self.allLocked)
        let error = try #require(throws: StoreError.self) { try unlock(store, MACAddress(bits: 0xA4C1_380B_7E22)) }
        #expect(error.kind == .unsuitable)
        #expect(error.message == "no record of the meter A4:C1:38:0B:7E:22")
    }
}
