import CoreDataStore
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

extension FaultyDiskTests {
    @Test("first aid too, in every journal", arguments: FaultyDisk.Fault.allCases)
    func firstAid(fault: FaultyDisk.Fault) throws {
        let turn = try #require(FaultyDisk.Fault.allCases.firstIndex(of: fault))
        for place in FirstAidPlannerTests.Place.allCases {
            let original = try TestStore(place.fixture)
            let before = try original.text()
            let files = ["", "-wal"].compactMap { suffix in
                try? (suffix: suffix, bytes: FileBytes.read(original.path + suffix))
            }
            let done = try TestStore(place.fixture)
            let writes = try FaultyDisk.run(.once, atWrite: .max, in: done.folder) { try done.firstAid() }
            let after = try done.text()
            try #require(writes > 3 && before != after)
            for failing in 1...writes
            where Self.isThorough || failing % FaultyDisk.Fault.allCases.count == turn {
                let comment: Comment = "\(place), \(fault) at write \(failing) of \(writes)"
                let store = try TestStore(copyOf: files)
                var failed = false
                _ = FaultyDisk.run(fault, atWrite: failing, in: store.folder) {
                    do { try store.firstAid() } catch { failed = true }
                }
                let text = try store.text()
                #expect(text.isIntact && (text == before || text == after), comment)
                #expect(failed || fault == .dropped || text == after, comment)
                // The next run works, from either.
                _ = try FaultyDisk.run(.once, atWrite: .max, in: store.folder) {
                    let next = try store.firstAid()
                    #expect(next.outcome == (text == after ? .unchanged : .applied), comment)
                }
                #expect(try store.text() == after, comment)
            }
        }
    }
}
