import Foundation
import GRDB
import MeterStore
import MeterTestSupport
import Testing

@testable import CoreDataStore

@Suite("what is left of rows that are gone")
struct DeletedRowScanTests {
    fileprivate static let names = (1...400).map { "Meter number \($0) of all" }

    private static func records(_ count: Int) -> [FixtureRecord] {
        (1...count).map { row in
            var record = FixtureRecord(
                row: Int64(row), macAddress: String(format: "A4:C1:38:00:%02X:%02X", row / 256, row % 256),
                meterName: names[row - 1])
            record.id = FixtureUUID(UInt64(row)).bytes
            record.createdAt = FixtureClock.now - 1_000
            record.updatedAt = FixtureClock.now - Double(row) / 3
            record.modelType = "UM25C"
            return record
        }
    }

    /// A store after SQL statements, in one file.
    fileprivate static func store(
        _ records: Int, _ sql: String, isSecure: Bool = false, in folder: TemporaryFolder,
        _ fixture: StoreFixture = StoreFixture(.v2)
    ) throws -> String {
        let path = try folder.store(fixture.with { $0.records = Self.records(records) })
        let secure = "PRAGMA secure_delete = \(isSecure ? 1 : 0)"
        try DatabaseQueue.script(at: path, "\(secure); \(sql); PRAGMA wal_checkpoint(TRUNCATE)")
        return path
    }

    /// What is left of the records, and by which name.
    fileprivate static func residue(_ path: String) throws -> [String: DeletedRow] {
        try StoreConnection.look(at: path) { connection, database in
            let store = try StoreDescription(database)
            guard let settings = SettingsTable(store) else { return [:] }
            let column = settings.table.position(of: "ZMETERNAME")!
            let pages = try #require(try StorePages(of: connection.files))
            let rows = try settings.residue(of: store.schema, in: pages).rows
            return Dictionary(rows.map { ($0.image.text(column) ?? "", $0) }) { first, _ in first }
        }
    }

    @Test("a deleted row is found between the others, without its number")
    func freeSpace() throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(5, "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 2", in: folder)
        let found = try Self.residue(path)
        let row = try #require(found[Self.names[1]])
        #expect(row.image.number == 0 && row.certainty == .likely && row.places == [.freeSpace])
        #expect(found.keys.sorted() == [Self.names[1]])
    }

    @Test("nothing is found where SQLite overwrites what it deletes")
    func secure() throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(300, "DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 1", isSecure: true, in: folder)
        #expect(try Self.residue(path).isEmpty)
    }

    @Test("rows are found on pages that the store has given up, with their numbers")
    func freelist() throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(300, "DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 1", in: folder)
        let found = try Self.residue(path).filter { $0.value.places.contains(.freelistPage) }
        #expect(found.count > 200)
        for (name, row) in found where row.image.number != 0 {
            #expect(name == Self.names[Int(row.image.number) - 1])
        }
        #expect(found.count { $0.value.image.number != 0 } > 150)
        // Of a page that lists free pages, what is not part of one row after the other may be part of a long value.
        #expect(found.values.count { $0.certainty == .likely } > 100)
    }

    @Test("rows are found behind the end of the store")
    func beyondEnd() throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(5, "", in: folder)
        let bytes = try FileBytes.read(path)
        let name = try #require(Data(bytes).range(of: Data(Self.names[4].utf8)))
        let page = name.lowerBound / 4_096
        try FileBytes.write(bytes + bytes[page * 4_096..<(page + 1) * 4_096], to: path)
        let found = try Self.residue(path)
        #expect(found.keys.sorted() == Self.names[..<5].sorted())
        #expect(found[Self.names[4]]?.places == [.beyondEnd] && found[Self.names[4]]?.image.number == 5)
    }

    @Test("a row is left out where one value cannot be right")
    func implausible() throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(5, "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 2", in: folder)
        let bytes = try FileBytes.read(path)
        let name = try #require(Data(bytes).range(of: Data(Self.names[1].utf8))).lowerBound
        let id = try #require(Data(bytes).range(of: Data(FixtureUUID(2).bytes))).lowerBound
        #expect(try Self.residue(path).count == 1)
        // A control character, no UTF-8, no version 4, no UUID, no address.
        for (offset, byte) in [(name, UInt8(7)), (name, 0xFF), (id + 6, 0x1F), (id + 8, 0x00), (name - 17, 0x21)] {
            var damaged = bytes
            damaged[offset] = byte
            try FileBytes.write(damaged, to: path)
            #expect(try Self.residue(path).isEmpty, "byte \(offset) as \(byte)")
        }
    }

    @Test("a row from before a column was added is found")
    func addedColumn() throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(
            5, "ALTER TABLE ZDEVICESETTINGS ADD COLUMN ZRANK INTEGER; DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 2",
            in: folder)
        #expect(try Self.residue(path)[Self.names[1]]?.certainty == .likely)
    }

    @Test("a freelist that leads in a circle, or out of the file, ends")
    func freelistLoop() throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(300, "DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 1", in: folder)
        let bytes = try FileBytes.read(path)
        let trunk = Int(bytes.bigEndian(at: 32))
        for (offset, number) in [
            ((trunk - 1) * 4_096, UInt32(trunk)), ((trunk - 1) * 4_096, 0x8000_0000), ((trunk - 1) * 4_096 + 4, .max),
            ((trunk - 1) * 4_096 + 8, 0x8000_0000), (32, .max), (32, 1),
        ] {
            var damaged = bytes
            for byte in 0..<4 { damaged[offset + byte] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * byte)) }
            try FileBytes.write(damaged, to: path)
            #expect(throws: Never.self) { try Self.residue(path) }
        }
    }

    @Test("the rows of any app's table are found, with all their values")
    func otherTable() throws {
        let folder = try TemporaryFolder()
        let entity = Entity(
            "Recipe",
            attributes: [
                Attribute("rank", .integer64), Attribute("price", .double), Attribute("cooked", .date),
                Attribute("title", .string), Attribute("code", .uuid), Attribute("photo", .binary),
            ])
        let insert = """
            WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 40)
            INSERT INTO ZRECIPE (Z_PK, Z_ENT, Z_OPT, ZRANK, ZPRICE, ZCOOKED, ZTITLE, ZPHOTO)
            SELECT n, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Recipe'), n, n * 70000, n / 7.0, 800000000 + n,
                'Title ' || n, zeroblob(n) FROM numbers;
            """
        let path = try Self.store(
            1, insert + "DELETE FROM ZRECIPE WHERE Z_PK % 3 = 0", in: folder,
            StoreFixture(.v2).with { $0.extraEntities = [entity] })
        try StoreConnection.look(at: path) { connection, database in
            let store = try StoreDescription(database)
            let table = try #require(store.schema.tables["ZRECIPE"])
            let number = try #require(store.keys["Recipe"]?.number)
            let residue = try DeletedRowScan(
                of: table, entities: [number], uuids: ["ZCODE"], among: [table],
                in: try #require(try StorePages(of: connection.files))
            ) { DeletedRowScan.Judgement(key: $0, rank: 0) }
            func column(_ name: SQLName) -> Int { table.position(of: name)! }
            let versions = residue.rows.compactMap { $0.image.integer(column("Z_OPT")) }
            #expect(Set(versions).isSuperset(of: (1...13).map { Int64($0 * 3) }))
            for row in residue.rows {
                let version = try #require(row.image.integer(column("Z_OPT")))
                #expect(row.image.integer(column("ZRANK")) == version * 70_000)
                #expect(row.image.real(column("ZPRICE")) == Double(version) / 7)
                #expect(row.image.text(column("ZTITLE")) == "Title \(version)")
            }
        }
    }

    @Test("pages with heads and bytes at random are read to the end")
    func random() throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(120, "DELETE FROM ZDEVICESETTINGS WHERE Z_PK % 2 = 0", in: folder)
        let bytes = try FileBytes.read(path)
        var generator = SeededGenerator(seed: 34)
        var found = 0
        for _ in 0..<40 {
            var damaged = bytes
            for _ in 0..<200 {
                // The first page must remain readable.
                damaged[.random(in: 4_096..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let page = Int.random(in: 1..<bytes.count / 4_096, using: &generator) * 4_096
            damaged[page] = [2, 5, 10, 13].randomElement(using: &generator)!
            for byte in 1..<8 { damaged[page + byte] = .random(in: 0...255, using: &generator) }
            try FileBytes.write(damaged, to: path)
            found += (try? Self.residue(path))?.count ?? 0
        }
        #expect(found > 40)
    }

    @Test(
        "frames of the log before are read only up to their last commit, whatever page they say they are",
        arguments: [
            UInt32(0), 0x8000_0000, .max,
        ])
    func staleFrames(page: UInt32) throws {
        let life = try StoreLife(seed: 7)
        try life.live(saves: 40)
        try life.checkpoint("RESTART")
        try life.live(saves: 1)
        let folder = try TemporaryFolder()
        let path = folder.path + "/copy.sqlite"
        try life.copy(to: path)
        var log = try FileBytes.read(path + "-wal")
        let (first, count, size) = try StoreConnection.look(at: path) { connection, _ in
            let pages = try #require(try StorePages(of: connection.files))
            let stale = try pages.staleFrames()
            return (stale.min() ?? 0, stale.count, pages.pageSize)
        }
        try #require(count > 1)
        let offset = 32 + (first - 1) * (size + 24)
        for byte in 0..<4 { log[offset + byte] = UInt8(truncatingIfNeeded: page >> UInt32(24 - 8 * byte)) }
        try FileBytes.write(log, to: path + "-wal")
        #expect(throws: Never.self) { try Self.residue(path) }
        // A bit of a later frame ends what continues the checksum.
        log[offset + (size + 24) + 30] ^= 1
        try FileBytes.write(log, to: path + "-wal")
        let left = try StoreConnection.look(at: path) { connection, _ in
            try StorePages(of: connection.files)?.staleFrames().count ?? count
        }
        #expect(left < count)
    }
}

extension DeletedRowScanTests {
    private static func insert(_ count: Int, _ address: String, into folder: TemporaryFolder) throws -> String {
        try store(
            5,
            """
            WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS, ZUPDATEDAT)
            SELECT n + 100, (SELECT Z_ENT FROM ZDEVICESETTINGS), 1, \(address), 800000000.5 + n FROM numbers;
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS, ZMETERNAME)
            SELECT 100000, Z_ENT, 1, ZMACADDRESS, 'Behind them all' FROM ZDEVICESETTINGS WHERE Z_PK = 3;
            DELETE FROM ZDEVICESETTINGS WHERE Z_PK > 5
            """, in: folder)
    }

    @Test("a name is found behind any number of rows in which nothing tells a person one from the other")
    func manyAlike() throws {
        let folder = try TemporaryFolder()
        let path = try Self.insert(15_000, "'A4:C1:38:00:00:01'", into: folder)
        let found = try Self.residue(path)
        #expect(found["Behind them all"]?.certainty == .likely)
        // Of those that are alike the one that was changed last.
        let last = try #require(found[""])
        let updated = try #require(
            try StoreConnection.look(at: path) { _, database in
                SettingsTable(try StoreDescription(database))?.table.position(of: "ZUPDATEDAT")
            })
        #expect(last.image.real(updated) == 800_015_000.5)
    }

    @Test("where there are too many that differ, the scan is not complete")
    func tooMany() throws {
        let folder = try TemporaryFolder()
        let path = try Self.insert(14_000, "printf('A4:C1:38:00:%02X:%02X', n / 256, n % 256)", into: folder)
        let isComplete = try StoreConnection.look(at: path) { connection, database in
            let store = try StoreDescription(database)
            let settings = try #require(SettingsTable(store))
            return try settings.residue(of: store.schema, in: try #require(try StorePages(of: connection.files)))
                .isComplete
        }
        #expect(!isComplete)
    }

    /// The bytes of a store with rows of other meters, and the cell of one of them.
    private static func others(in folder: TemporaryFolder) throws -> (store: [UInt8], cell: [UInt8]) {
        let path = try folder.store(
            StoreFixture(.v2).with {
                $0.records = (1...9).map { row in
                    FixtureRecord(
                        row: Int64(row), macAddress: "A4:C1:38:77:00:0\(row)", meterName: "Of another app \(row)")
                }
            }, named: "other.sqlite")
        let bytes = try FileBytes.read(path)
        let name = try #require(Data(bytes).range(of: Data("Of another app 5".utf8))).lowerBound
        let page = name / 4_096
        let tree = try #require(
            BTreePage(
                Array(bytes[page * 4_096..<(page + 1) * 4_096]), number: UInt32(page + 1), usableSize: 4_096))
        let cells = tree.cellOffsets.compactMap { offset in tree.leafCell(at: offset)?.range(from: offset) }
        let cell = try #require(cells.first { $0.contains(name - page * 4_096) })
        return (bytes, Array(tree.bytes[cell]))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let attachment = Entity("Attachment", attributes: [Attribute("data", .binary)])

    /// The certainty of what looks like rows of the other meters, and of a row that is one.
    private static func certainties(_ path: String) throws -> (others: Set<PastCertainty>, own: PastCertainty?) {
        let found = try residue(path)
        return (
            Set(found.filter { $0.key.hasPrefix("Of another app") }.values.map(\.certainty)),
            found[names[1]]?.certainty
        )
    }

    @Test("bytes of a row in a deleted text are at most possible", arguments: [40, 300])
    func inText(_ before: Int) throws {
        let folder = try TemporaryFolder()
        let cell = Self.hexadecimal([UInt8](repeating: 0x41, count: before) + (try Self.others(in: folder).cell))
        for rows in ["2, 4", "2, 3, 4"] {
            let folder = try TemporaryFolder()
            let path = try Self.store(
                5,
                """
                UPDATE ZDEVICESETTINGS SET ZMETERNAME = CAST(x'\(cell)' AS TEXT) WHERE Z_PK = 4;
                DELETE FROM ZDEVICESETTINGS WHERE Z_PK IN (\(rows))
                """, in: folder)
            let (others, own) = try Self.certainties(path)
            #expect(others == [.possible] && own == .likely, "\(before), \(rows)")
        }
    }

    @Test("bytes of a row in a deleted attachment are at most possible, wherever its pages are", arguments: [1, 2, 9])
    func inAttachment(_ count: Int) throws {
        let folder = try TemporaryFolder()
        let (store, cell) = try Self.others(in: folder)
        for data in [cell, [UInt8](repeating: 1, count: 50) + cell, store] {
            let folder = try TemporaryFolder()
            let path = try Self.store(
                5,
                """
                WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
                INSERT INTO ZATTACHMENT (Z_PK, Z_ENT, Z_OPT, ZDATA)
                SELECT n, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Attachment'), 1, x'\(Self.hexadecimal(data))'
                FROM numbers;
                DELETE FROM ZATTACHMENT; DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 2
                """, in: folder, StoreFixture(.v2).with { $0.extraEntities = [Self.attachment] })
            let (others, own) = try Self.certainties(path)
            #expect(others.isSubset(of: [.possible]) && own == .likely, "\(count), \(data.count)")
        }
    }
}
