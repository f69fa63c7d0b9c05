import CoreDataStore
import Foundation
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterInspect

@Suite("the tables a model asks for", .enabled(if: RealStores.isAvailable, "no real stores here"))
struct RealModelTests {
    @Test("are all there in the real stores, with all their columns")
    func nothingMissing() throws {
        let folder = try #require(RealStores.folder)
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        var seen = 0
        for path in paths where path.hasSuffix(".sqlite") {
            let missing: [SchemaChange]? = try StoreText.read(folder + "/" + path) { database in
                let store = try InspectedStore(
                    StoreRequest(path, now: Timestamp(secondsSince2001: 0)),
                    files: StoreFiles(path: folder + "/" + path), database)
                return try store.description.model.map { try store.additions(for: $0) }
            }
            #expect(missing == [], "\(path)")
            seen += 1
        }
        #expect(seen > 0)
    }
}
