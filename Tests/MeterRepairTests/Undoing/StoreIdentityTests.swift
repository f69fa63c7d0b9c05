import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("backups of stores without identity")
struct StoreIdentityTests {
    /// How the identity is lost.
    private static let losses = [
        "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_UUID = NULL", "UPDATE Z_METADATA SET Z_UUID = ''",
    ]

    private func store(_ loss: String, _ name: String) throws -> TestStore {
        let store = try TestStore(
            StoreFixture(
                records: Meters.pair + [Meters.healthy.with { $0.meterName = name }]))
        try store.execute(loss)
        return store
    }

    @Test("are nobody's in a folder that stores share: none is put back, not even by force", arguments: losses)
    func shared(_ loss: String) throws {
        let folder = try TemporaryFolder()
        let stores = try ["Lab", "Attic"].map { try store(loss, $0) }
        for store in stores {
            let report = try store.rebuild {
                $0.makesBackup = true
                $0.backupFolder = folder.path
            }
            #expect(report.warnings.contains { $0.contains("the store has no identity") })
        }
        let address = try #require(MACAddress.parse(Meters.address)).0
        for store in stores {
            let before = try store.files()
            for force in [false, true] {
                let error = #expect(throws: StoreError.self) {
                    try store.undo {
                        $0.backupFolder = folder.path
                        $0.force = force
                    }
                }
                #expect(error?.kind == .unsuitable)
                #expect(error?.message.contains("no identity") == true)
                #expect(error?.hint?.contains(store.path + ".meterfix") == true)
            }
            #expect(throws: StoreError.self) {
                try ChangeHistory.of(store.path, folder: folder.path, now: TestStore.now)
            }
            #expect(throws: StoreError.self) {
                try MergedRecords.of(address, in: store.path, folder: folder.path, now: TestStore.now)
            }
            #expect(try store.files() == before)
        }
    }

    @Test("are the store's own in the folder beside it, whether that is named or not", arguments: losses)
    func own(_ loss: String) throws {
        let store = try store(loss, "Lab")
        let before = try store.files()
        let report = try store.rebuild { $0.makesBackup = true }
        #expect(!report.warnings.contains { $0.contains("identity") })
        #expect(try store.undo().outcome == .applied)
        #expect(try store.undo(redoes: true) { $0.backupFolder = store.path + ".meterfix" }.outcome == .applied)
        #expect(try store.undo { $0.backupFolder = store.path + ".meterfix/" }.outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("are found once they are moved beside the store, as the refusal says")
    func moved() throws {
        let folder = try TemporaryFolder()
        let store = try store(Self.losses[0], "Lab")
        let before = try store.files()
        let entry = try #require(
            try store.rebuild {
                $0.makesBackup = true
                $0.backupFolder = folder.path
            }.backup)
        let own = store.path + ".meterfix"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        try FileManager.default.moveItem(
            atPath: entry, toPath: own + "/" + (entry as NSString).lastPathComponent)
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("are numbered in the order they were made, whatever the clock says, and are taken back in that order")
    func numbered() throws {
        let folder = try TemporaryFolder()
        let store = try store(Self.losses[0], "Lab")
        let own = store.path + ".meterfix"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        var names: [String] = []
        for day in [0.0, -1] {
            let report = try store.rebuild(at: Timestamp(secondsSince2001: FixtureClock.now + day * FixtureClock.day)) {
                $0.makesBackup = true
                $0.backupFolder = folder.path
            }
            names.append((try #require(report.backup) as NSString).lastPathComponent)
            guard day == 0 else { break }
            try store.execute(
                "INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS) VALUES (8, 1, 1, 'a4c1380b7e21')")
        }
        for name in names {
            try FileManager.default.moveItem(atPath: folder.path + "/" + name, toPath: own + "/" + name)
        }
        #expect(try store.undo().change?.entry == names[1])
    }

    @Test("are not those of a store that has one, nor the other way round")
    func mixed() throws {
        let store = try TestStore(UndoTests.fixture)
        try store.rebuild { $0.makesBackup = true }
        try store.execute("DELETE FROM Z_METADATA")
        let error = #expect(throws: StoreError.self) { try store.undo { $0.force = true } }
        #expect(error?.kind == .unsuitable)
        #expect(error?.message.contains(StoreFixture().storeUUID) == true)
    }
}
