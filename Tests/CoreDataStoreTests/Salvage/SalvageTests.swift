import Foundation
import GRDB
import MeterTestSupport
import Testing

@testable import CoreDataStore

@Suite("Recovering a store")
struct SalvageTests {
    private let folder: TemporaryFolder
    private let path: String
    private var copy: String { folder.path + "/copy.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        // Three leaves and the root above them.
        let records = (Int64(1)...60).map { row in
            let name = "Meter \(row) " + String(repeating: "x", count: 120)
            return FixtureRecord(row: row, macAddress: "A4:C1:38:0B:7E:\(row + 20)", meterName: name)
        }
        path = try folder.store(StoreFixture(records: records))
    }

    private func salvaged() throws -> Salvage { try Salvage.write(path, to: copy, output: copy) }

    private func records(of salvage: Salvage) -> Salvage.Table? {
        salvage.tables.first { $0.name == "ZDEVICESETTINGS" }
    }

    @Test("says which rows a lost leaf had, and finds all others")
    func lostLeaf() throws {
        let owners = try PageOwners(of: path)
        let leaves = owners.pages.filter { $0.value.owner == "ZDEVICESETTINGS" && $0.value.isLeaf }.keys.sorted()
        try #require(leaves.count > 2)
        try PageDamage.zeros.apply(to: leaves[1], of: path)
        let salvage = try salvaged()
        let page = try #require(salvage.broken.first)
        #expect(page.page == leaves[1])
        #expect(page.table == "ZDEVICESETTINGS")
        #expect(page.loss == .rows)
        let found = try #require(try TableContents(of: copy).tables["ZDEVICESETTINGS"])
        let lost = (1...60).filter { found[Int64($0)] == nil }
        #expect(lost.count == owners.pages[leaves[1]]?.cells)
        #expect(page.after == Int64(lost[0] - 1))
        #expect(page.through == Int64(lost[lost.count - 1]))
        #expect(records(of: salvage)?.read == found.count)
        #expect(records(of: salvage)?.lostPages == 1)
    }

    @Test("reads the pages below a broken root, which SQLite cannot")
    func brokenRoot() throws {
        let truth = try TableContents(of: path)
        let root = try #require(try PageOwners(of: path).roots["ZDEVICESETTINGS"])
        try PageDamage.noise.apply(to: root, of: path)
        let salvage = try salvaged()
        #expect(try TableContents(of: copy) == truth)
        #expect(records(of: salvage)?.readBySQLite == 0)
        #expect(salvage.isWhole)
        #expect(!salvage.isIntact)
    }

    @Test("finds rows on pages to which nothing refers: SQLite says that they are never used")
    func missedPages() throws {
        let owners = try PageOwners(of: path)
        let leaves = owners.pages.filter { $0.value.owner == "ZDEVICESETTINGS" && $0.value.isLeaf }.keys.sorted()
        let truth = try TableContents(of: path)
        let schema = try StoreConnection.look(at: path) { _, database in
            try database.integer(of: "SELECT rootpage FROM sqlite_master WHERE name = 'Z_METADATA'")
        }
        try #require(schema > 0)
        // Its first leaf in the place of its root, as if the tree had never grown.
        let database = try DatabaseQueue(path: path)
        try database.write {
            try $0.execute(sql: "PRAGMA writable_schema = 1")
            try $0.execute(
                sql: "UPDATE sqlite_master SET rootpage = ? WHERE name = 'ZDEVICESETTINGS'", arguments: [leaves[0]])
        }
        try database.close()
        let salvage = try salvaged()
        #expect(try TableContents(of: copy).tables["ZDEVICESETTINGS"] == truth.tables["ZDEVICESETTINGS"])
        #expect(records(of: salvage)?.read == 60 && !salvage.isIntact)
    }

    @Test("finds rows behind the end that the header gives, and does not know whether they were deleted")
    func longerFile() throws {
        let truth = try TableContents(of: path)
        var bytes = try FileBytes.read(path)
        let owners = try PageOwners(of: path)
        let root = try #require(owners.roots["ZDEVICESETTINGS"])
        let leaves = owners.pages.filter { $0.value.owner == "ZDEVICESETTINGS" && $0.value.isLeaf }.keys.sorted()
        // The last leaf is moved behind the end, and the root forgets it.
        let last = leaves[leaves.count - 1]
        let page = bytes[((last - 1) * 4096)..<(last * 4096)]
        bytes += page
        try FileBytes.write(bytes, to: path)
        try PageDamage.zeros.apply(to: last, of: path)
        #expect(root > 0)
        let salvage = try salvaged()
        #expect(try TableContents(of: copy).tables["ZDEVICESETTINGS"] == truth.tables["ZDEVICESETTINGS"])
        #expect(!salvage.isWhole && salvage.possiblyDeleted > 0)
    }

    @Test("says that rows are lost which only an index has")
    func rowsOfIndex() throws {
        let folder = try TemporaryFolder()
        let path = try folder.store(StoreFixture(.v1, records: [Meters.healthy]))
        let before = try FileBytes.read(path)
        let root = try #require(try PageOwners(of: path).roots["ZDEVICESETTINGS"])
        let database = try DatabaseQueue(path: path)
        try database.write {
            try $0.execute(sql: "INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS) VALUES (99, 1, 1, 'A')")
        }
        try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try database.close()
        // The table's page of before comes back.
        var bytes = try FileBytes.read(path)
        let place = ((root - 1) * 4096)..<(root * 4096)
        bytes.replaceSubrange(place, with: before[place])
        try FileBytes.write(bytes, to: path)
        #expect(try StoreConnection.damagedIndexes(at: path) == nil)
        let salvage = try Salvage.write(path, to: copy, output: copy)
        #expect(
            !salvage.isWhole
                && salvage.warnings.contains {
                    $0.contains("row 99 of ZDEVICESETTINGS") || $0.contains("rows 99 of ZDEVICESETTINGS")
                })
    }

    @Test("takes the statements of the tables from the model where the first page is lost")
    func firstPage() throws {
        let truth = try TableContents(of: path)
        try PageDamage.zeros.apply(to: 1, of: path)
        let salvage = try salvaged()
        #expect(salvage.isSchemaFromModel)
        #expect(!salvage.isWhole)
        #expect(salvage.problem?.contains("not a SQLite database") == true)
        #expect(try TableContents(of: copy) == truth)
    }

    @Test("corrects a statement that differs from the model's in one byte", arguments: [UInt8(1), 0x80])
    func damagedStatement(bit: UInt8) throws {
        let truth = try TableContents(of: path)
        var bytes = try FileBytes.read(path)
        let statement = try #require(bytes.firstRange(of: Array("ZMETERNAME VARCHAR".utf8)))
        bytes[statement.lowerBound + 2] ^= bit
        try FileBytes.write(bytes, to: path)
        let salvage = try salvaged()
        #expect(salvage.warnings.count == 1)
        let columns = try StoreConnection.look(at: copy) { _, database in
            try StoreSchema(database).tables["ZDEVICESETTINGS"]?.columns.map(\.name.text) ?? []
        }
        #expect(columns.contains("ZMETERNAME"))
        #expect(try TableContents(of: copy) == truth)
    }

    @Test("follows the map below a page that looks like a leaf by chance")
    func mistakenLeaf() throws {
        let truth = try TableContents(of: path)
        let root = try #require(try PageOwners(of: path).roots["ZDEVICESETTINGS"])
        try PageDamage.noise.apply(to: root, of: path)
        var bytes = try FileBytes.read(path)
        bytes[(root - 1) * 4096] = 13
        try FileBytes.write(bytes, to: path)
        #expect(try salvaged().isWhole)
        #expect(try TableContents(of: copy) == truth)
    }

    @Test("takes them from a model of the app where the store's own is lost too")
    func lostModel() throws {
        let truth = try TableContents(of: path)
        let model = StoreFixture().model
        let root = try #require(try PageOwners(of: path).roots["Z_MODELCACHE"])
        for page in [1, root] { try PageDamage.zeros.apply(to: page, of: path) }
        #expect(throws: StoreError.self) { _ = try salvaged() }
        _ = try Salvage.write(path, to: copy, output: copy, models: [StoreFixture(.v1).model, model])
        #expect(try TableContents(of: copy).tables["ZDEVICESETTINGS"] == truth.tables["ZDEVICESETTINGS"])
    }

    @Test("makes the numbers of the entities again where they are lost")
    func lostEntities() throws {
        let owners = try PageOwners(of: path)
        let before = try TableContents(of: path).tables["Z_PRIMARYKEY"]
        try PageDamage.zeros.apply(to: #require(owners.roots["Z_PRIMARYKEY"]), of: path)
        let salvage = try salvaged()
        #expect(salvage.tables.first { $0.name == "Z_PRIMARYKEY" }?.rebuiltKeys == before?.count)
        #expect(try TableContents(of: copy).tables["Z_PRIMARYKEY"] == before)
    }

    @Test("takes neither of two versions of a row")
    func twoVersions() throws {
        // Without a map, only the contents of a page say whose it is.
        try edit("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = 0; VACUUM")
        let owners = try PageOwners(of: path)
        let root = try #require(owners.roots["ZDEVICESETTINGS"])
        let leaf = try #require(
            owners.pages.filter { $0.value.owner == "ZDEVICESETTINGS" && $0.value.isLeaf }.keys.min())
        var bytes = try FileBytes.read(path)
        var other = Array(bytes[(leaf - 1) * 4096..<leaf * 4096])
        let name = try #require(other.firstRange(of: Array("Meter ".utf8)))
        other[name.lowerBound] = UInt8(ascii: "K")
        bytes += other
        let count = UInt32(bytes.count / 4096)
        for index in 0..<4 { bytes[28 + index] = UInt8(truncatingIfNeeded: count >> UInt32(24 - 8 * index)) }
        try FileBytes.write(bytes, to: path)
        try PageDamage.zeros.apply(to: root, of: path)
        let salvage = try salvaged()
        let table = try #require(records(of: salvage))
        #expect(table.ambiguous == 2)
        #expect(table.read == 59)
        #expect(table.possiblyDeleted == 0)
    }

    private func edit(_ sql: String) throws { try DatabaseQueue.script(at: path, sql) }

    @Test(
        "tells the size of the pages without the header", arguments: [512, 1024, 4096, 16384, 65536])
    func pageSizes(size: Int) throws {
        try edit("PRAGMA journal_mode = DELETE; PRAGMA page_size = \(size); VACUUM")
        let truth = try TableContents(of: path)
        var bytes = try FileBytes.read(path)
        for index in 0..<100 { bytes[index] = 0xAA }
        try FileBytes.write(bytes, to: path)
        let salvage = try salvaged()
        #expect(salvage.pageSize == size)
        #expect(try TableContents(of: copy) == truth)
    }

    @Test("prefers the pages of the log, even if the main file is nothing but noise")
    func logOnly() throws {
        let home = try TemporaryFolder()
        let records = (1...9).map { FixtureRecord(row: $0, macAddress: "A4:C1:38:0B:7E:2\($0)", meterName: "M") }
        let path = try home.store(StoreFixture(records: records).with { $0.logPlacement = .rowsInLogOnly })
        let truth = try TableContents(of: path)
        let root = try #require(truth.tables["ZDEVICESETTINGS"])
        try #require(root.count == 9)
        let owners = try PageOwners(of: path)
        for page in [1, try #require(owners.roots["ZDEVICESETTINGS"])] {
            try PageDamage.noise.apply(to: page, of: path)
        }
        let copy = home.path + "/copy.sqlite"
        _ = try Salvage.write(path, to: copy, output: copy)
        #expect(try TableContents(of: copy).tables["ZDEVICESETTINGS"] == root)
    }

    /// What a store's files are while a transaction with a rollback journal is under way, and its first page.
    @Test("puts the pages back that a transaction which did not end has overwritten")
    func hotJournal() throws {
        try edit("PRAGMA journal_mode = DELETE")
        let truth = try TableContents(of: path)
        var configuration = Configuration.forTests
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1") }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let files = try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: "BEGIN; UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'half' || ZMETERNAME, ZMODELTYPE = 'x'")
            let files = try ["", "-journal"].map { try FileBytes.read(path + $0) }
            try database.execute(sql: "ROLLBACK")
            return files
        }
        try queue.close()
        try FileBytes.write(files[0], to: path)
        try FileBytes.write(files[1], to: path + "-journal")
        let journal = try #require(try RollbackJournal(at: path + "-journal", shownAs: path))
        #expect(journal.pageCount == UInt32(files[0].count / 4096))
        let salvage = try salvaged()
        #expect(salvage.isWhole)
        #expect(try TableContents(of: copy) == truth)
    }

    @Test("runs no statement of a damaged file but those that make what they say")
    func statements() {
        func isHarmless(_ kind: String, _ sql: String) -> Bool {
            SchemaStatement(kind: kind, name: "a", table: "a", sql: sql).isHarmless
        }
        #expect(isHarmless("table", "CREATE TABLE a ( Z_PK INTEGER PRIMARY KEY )"))
        #expect(isHarmless("table", "CREATE TABLE \"a b\"(x)"))
        #expect(isHarmless("index", "CREATE UNIQUE INDEX a ON b (c)"))
        #expect(!isHarmless("table", "CREATE TABLE a AS SELECT randomblob(1000000000)"))
        #expect(!isHarmless("table", "CREATE TABLE \"a( \" AS SELECT 1"))
        #expect(!isHarmless("table", "ATTACH 'x' AS y"))
        #expect(!isHarmless("index", "CREATE TABLE a (x)"))
        #expect(!isHarmless("table", "CREATE VIRTUAL TABLE a USING csv(filename='/etc/passwd')"))
        #expect(!isHarmless("view", "CREATE TEMP VIEW a AS SELECT 1"))
    }

    @Test("keeps the longest run of numbers that ascend")
    func ascending() {
        #expect([Int64]().ascendingIndexes == [])
        #expect(([1, 2, 3] as [Int64]).ascendingIndexes == [0, 1, 2])
        #expect(([1, 2, 67, 4, 5] as [Int64]).ascendingIndexes == [0, 1, 3, 4])
        #expect(([5, 5, 6] as [Int64]).ascendingIndexes.count == 2)
    }

    @Test("refuses what has no page of a store, as every other command does")
    func noStore() throws {
        for (bytes, message) in [
            (
                [UInt8](repeating: 0, count: 8192),
                "nothing but zeros, 8192 bytes: a copy that was begun and never filled"
            ),
            ([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 9000), "not a SQLite database but a JPEG picture"),
            ([], "an empty file, 0 bytes"),
        ] {
            try FileBytes.write(bytes, to: path)
            let error = #expect(throws: StoreError.self) { _ = try salvaged() }
            #expect(error?.message == message)
            #expect(error?.kind == .damaged)
        }
    }
}
