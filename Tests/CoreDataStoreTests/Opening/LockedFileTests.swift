import CoreDataStore
import MeterTestSupport
import Testing

@Suite("a main file that is held without SQLite")
struct LockedFileTests {
    @Test("has the contents of another where every page is the same, and there is no page more")
    func contents() throws {
        let store = try TestStore(StoreFixture())
        let other = store.folder.path + "/other.sqlite"
        let bytes = try FileBytes.read(store.path)
        let cases: [(bytes: [UInt8], isSame: Bool)] = [
            (bytes, true), (bytes + [UInt8](repeating: 0, count: 4096), false), (bytes.dropLast(4096), false),
            (bytes.dropLast() + [bytes[bytes.count - 1] ^ 1], false),
        ]
        for (number, (bytes, isSame)) in cases.enumerated() {
            try FileBytes.write(bytes, to: other)
            let file = try LockedFile(store.path)
            #expect(try file.hasSameContents(as: other) == isSame, "\(number)")
        }
    }
}
