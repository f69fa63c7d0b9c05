import CoreDataStore
import Foundation
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

extension FaultyDiskTests {
    @Test("a store that is made is whole or not there", arguments: FaultyDisk.Fault.allCases)
    func creation(fault: FaultyDisk.Fault) throws {
        let turn = try #require(FaultyDisk.Fault.allCases.firstIndex(of: fault))
        let planner = ImportPlanner(
            TestStore.values(names: [Meters.address: "Kitchen"]), sha256: "5a", policy: .keep)
        func create(in folder: TemporaryFolder) throws -> ChangeReport {
            try LegacyImport.run(
                planner, on: folder.path + "/CKModel.sqlite", creates: true, options: ChangeOptions(now: TestStore.now))
        }
        let done = try TemporaryFolder()
        let writes = try FaultyDisk.run(.once, atWrite: .max, in: done) { _ = try create(in: done) }
        try #require(writes > 10)
        let whole = try StoreText(of: done.path + "/CKModel.sqlite")
        for failing in 1...writes where Self.isThorough || failing % (3 * FaultyDisk.Fault.allCases.count) == turn {
            let comment: Comment = "\(fault) at write \(failing) of \(writes)"
            let folder = try TemporaryFolder()
            var failed = false
            _ = FaultyDisk.run(fault, atWrite: failing, in: folder) {
                do { _ = try create(in: folder) } catch { failed = true }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            if failed {
                #expect(names == [], comment)
            } else {
                #expect(names == ["CKModel.sqlite", "CKModel.sqlite-wal"], comment)
                // Where the disk pretends, there is nothing to see through it.
                if fault != .dropped {
                    #expect(try StoreText(of: folder.path + "/CKModel.sqlite") == whole, comment)
                }
            }
        }
    }
}
