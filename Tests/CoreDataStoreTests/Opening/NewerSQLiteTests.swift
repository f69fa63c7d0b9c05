import Foundation
import GRDB
import MeterTestSupport
import Testing

@testable import CoreDataStore

@Suite("a schema that this SQLite cannot read")
struct NewerSQLiteTests {
    /// - Parameters:
    ///   - sql: in a syntax that no SQLite knows.
    ///   - version: which SQLite wrote the store.
    private static func store(_ kind: String, _ sql: String, by version: UInt32) throws -> TestStore {
        let store = try TestStore(
            StoreFixture(records: [Meters.healthy]).damaged(
                """
                PRAGMA writable_schema = ON; INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql)
                VALUES ('\(kind)', 'all_names', 'ZDEVICESETTINGS', 0, 'CREATE \(kind) all_names \(sql)')
                """
            ).with { $0.journalMode = .delete })
        var bytes = try Data(contentsOf: URL(filePath: store.path))
        withUnsafeBytes(of: version.bigEndian) { bytes.replaceSubrange(96..<100, with: $0) }
        try bytes.write(to: URL(filePath: store.path))
        return store
    }

    private static let view = ("view", "AS SELECT 1 FROM x ORDER ORDER")

    @Test(
        "is no damage where a newer one wrote it, and the answer says which, and what cannot be read",
        arguments: [view, ("trigger", "AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT ORDER ORDER; END")])
    func newer(kind: String, sql: String) throws {
        let store = try Self.store(kind, sql, by: 3_099_001)
        let ways: [(String) throws -> StoreConnection] = [
            { try StoreConnection.untouched($0) }, { try StoreConnection.scratchCopy($0) },
            { try StoreConnection.exclusive($0) },
        ]
        for open in ways {
            let error = try #require(throws: StoreError.self) { _ = try open(store.path) }
            #expect(error.kind == .unsuitable)
            #expect(error.message.contains("SQLite 3.99.1 wrote this store"))
            #expect(error.message.contains("cannot read the \(kind) \"all_names\""))
            #expect(error.hint?.hasSuffix("DROP \(kind.uppercased()) \"all_names\"") == true)
        }
    }

    @Test("is no damage for `recover` either, which leaves out what cannot be read")
    func recovered() throws {
        let store = try Self.store(Self.view.0, Self.view.1, by: 3_099_001)
        let folder = try TemporaryFolder()
        let copy = folder.path + "/copy.sqlite"
        let salvage = try Salvage.write(store.path, to: copy, output: copy)
        #expect(salvage.isIntact && salvage.incompatibility?.message.contains("SQLite 3.99.1") == true)
        #expect(salvage.leftOut.count == 1 && salvage.leftOut[0].hasPrefix("the view all_names, which "))
        try StoreConnection.untouched(copy).close()
    }

    @Test("is damage where no newer one wrote it, or where it is a table's")
    func damaged() throws {
        let table = ("table", "(ORDER ORDER)")
        for ((kind, sql), version) in [(Self.view, 3_007_000), (table, 3_099_001 as UInt32)] {
            let store = try Self.store(kind, sql, by: version)
            let error = try #require(throws: StoreError.self) { _ = try StoreConnection.untouched(store.path) }
            #expect(error.kind == .damaged)
        }
    }
}
