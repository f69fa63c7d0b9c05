import CoreDataStore
import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("a law of recovery")
struct SalvageLawTests {
    /// A store of random records, all in the main file; large enough for trees with pages above their leaves.
    private static func store(seed: UInt64, in folder: TemporaryFolder) throws -> String {
        let fixture = StoreFixture(records: RandomStores.records(seed: seed, meters: 40)).with {
            $0.mirror = [.none, .current, .oldest][Int(seed % 3)]
            if seed.isMultiple(of: 5) { $0.lockEncoding = .blob }
        }
        return try folder.store(fixture.damaged("DELETE FROM ZDEVICESETTINGS WHERE Z_PK % 7 = 3"))
    }

    /// The first page, the root of the records, and two others.
    private static func pages(of path: String, _ owners: PageOwners, seed: UInt64) throws -> [Int] {
        var generator = SeededGenerator(seed: seed)
        let count = try FileBytes.read(path).count / 4096
        return [1, owners.roots["ZDEVICESETTINGS"] ?? 1]
            + (0..<2).map { _ in Int.random(in: 2...count, using: &generator) }
    }

    /// One flipped bit makes a row's number one out of order, the text one of UTF-16, two columns one, and a
    /// row's number one that is as good.
    private static let regressions: [UInt64] = [686, 878, 1498, 1564]

    @Test(
        "is that a broken page costs its own rows and no others, that no row is invented, and that nothing is lost unsaid",
        arguments: LawSeeds.first(3) + regressions)
    func onePage(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(seed: seed, in: folder)
        let whole = try FileBytes.read(path)
        let truth = try TableContents(of: path).tables
        let owners = try PageOwners(of: path)
        for page in try Self.pages(of: path, owners, seed: seed) {
            for damage in PageDamage.allCases where !(damage == .cut && page == 1) {
                try FileBytes.write(whole, to: path)
                try damage.apply(to: page, of: path, seed: seed)
                let name: Comment = "\(damage) of page \(page), seed \(seed)"
                let copy = "\(folder.path)/\(damage)-\(page).sqlite"
                guard let salvage = try Self.salvage(path, to: copy) else {
                    // Neither the schema nor the model is in what is left.
                    #expect(damage == .cut, name)
                    continue
                }
                let found = try TableContents(of: copy).tables
                let broken = owners.pages.filter { damage == .cut ? $0.key >= page : $0.key == page }
                let differing = Self.compare(found, with: truth, salvage, losing: broken, name)
                // A letter of a table's statement may cost a value of each of its rows, which is said.
                let isSaid = owners.pages[page]?.owner == "sqlite_schema" && !salvage.isWhole
                #expect(damage == .flippedBit && isSaid || differing <= (damage == .flippedBit ? 2 : 0), name)
            }
        }
    }

    /// - Returns: nil if nothing can be read.
    private static func salvage(_ path: String, to copy: String) throws -> Salvage? {
        do throws(StoreError) {
            return try Salvage.write(path, to: copy, output: copy)
        } catch {
            guard error.kind == .damaged || error.kind == .unsuitable else { throw error }
            return nil
        }
    }

    /// - Returns: how many rows have other values, or other numbers, than those of the whole store.
    private static func compare(
        _ found: [String: [Int64: [DatabaseValue]]], with truth: [String: [Int64: [DatabaseValue]]],
        _ salvage: Salvage, losing broken: [Int: PageOwners.Page], _ name: Comment
    ) -> Int {
        var differing = 0
        var missing = 0
        let isSchemaBroken = broken.values.contains { $0.owner == "sqlite_schema" || $0.owner == "sqlite_master" }
        for (table, rows) in truth {
            // Its rows may have been made again.
            if table == "Z_PRIMARYKEY", salvage.tables.contains(where: { $0.rebuiltKeys > 0 }) { continue }
            let copies = found[table] ?? [:]
            let lost = rows.count { copies[$0.key] == nil }
            // A number that has become another one in order is like any other.
            if copies.count < rows.count || salvage.problem != nil { missing += lost }
            differing += copies.count { rows[$0.key] != $0.value }
            // A leaf costs its rows, and a page on which a row goes on costs that one.
            let ownPages = broken.values.filter { $0.owner == table }
            let allowed = ownPages.reduce(0) { $0 + ($1.isLeaf ? $1.cells : $1.isOverflow ? 1 : 0) }
            if !isSchemaBroken { #expect(lost <= allowed, "\(table), \(name)") }
        }
        if missing > 0 { #expect(!salvage.isWhole, name) }
        #expect(salvage.possiblyDeleted == 0, name)
        return differing
    }

    @Test("is that a store without damage comes back whole, with or without a log", arguments: LawSeeds.first(3))
    func intact(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let fixture = StoreFixture(records: RandomStores.records(seed: seed, meters: 20)).with {
            $0.mirror = seed.isMultiple(of: 2) ? .current : .none
            if seed.isMultiple(of: 3) { $0.logPlacement = .rowsInLogOnly }
        }
        let path = try folder.store(fixture)
        let before = try FolderSnapshot(folder.path)
        let home = try TemporaryFolder()
        let copy = home.path + "/copy.sqlite"
        let salvage = try Salvage.write(path, to: copy, output: copy)
        #expect(salvage.isIntact)
        #expect(try TableContents(of: copy) == TableContents(of: path))
        #expect(try FolderSnapshot(folder.path).differences(from: before) == [])
    }

    /// Bytes anywhere, and numbers where the format has page numbers and counts.
    private static func mutate(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let numbers: [UInt32] = [0, 1, 2, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, UInt32(bytes.count / 4096), 3, 4]
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            let page = Int.random(in: 0..<bytes.count / 4096, using: &generator) * 4096
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            case 1:
                // The header of a page.
                bytes[page + Int.random(in: 0..<12, using: &generator)] = .random(in: 0...255, using: &generator)
            case 2:
                let number = numbers.randomElement(using: &generator) ?? 0
                let place = page + 4 * Int.random(in: 0..<32, using: &generator)
                for index in 0..<4 {
                    bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index))
                }
            default:
                // A page over another one.
                let other = Int.random(in: 0..<bytes.count / 4096, using: &generator) * 4096
                bytes.replaceSubrange(page..<page + 4096, with: Array(bytes[other..<other + 4096]))
            }
        }
        return bytes
    }

    @Test("is that any file ends with an answer or an error", arguments: LawSeeds.first(3))
    func hostile(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let path = try Self.store(seed: seed, in: folder)
        let whole = try FileBytes.read(path)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<12 {
            try FileBytes.write(Self.mutate(whole, &generator), to: path)
            let copy = "\(folder.path)/out-\(round).sqlite"
            guard try Self.salvage(path, to: copy) != nil else { continue }
            _ = try TableContents(of: copy)
        }
    }
}
