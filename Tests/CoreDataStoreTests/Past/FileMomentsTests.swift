import Foundation
import GRDB
import MeterTestSupport
import Testing

@testable import CoreDataStore

@Suite("law: main file and log of one moment")
struct FileMomentsTests {
    /// Why the files at `path` do not belong together, and what SQLite makes of them.
    private static func look(at path: String) throws -> (contradiction: String?, meters: [Int64: StoreLife.Meter]) {
        try StoreConnection.look(at: path) { connection, database in
            let pages = try #require(try StorePages(of: connection.files))
            return (
                try FileMoments.contradiction(of: StoreDescription(database), in: connection.files, pages, database),
                try StoreLife.meters(database)
            )
        }
    }

    @Test("no copy of a store in use is said to be mixed, whatever checkpoints, readers and rollbacks left in its log")
    func oneMoment() throws {
        var copies = 0
        for seed in LawSeeds.first(24) {
            let life = try StoreLife(seed: seed)
            for _ in 1...6 {
                try life.live(saves: 20)
                let folder = try TemporaryFolder()
                try life.copy(to: folder.path + "/copy.sqlite")
                #expect(try Self.look(at: folder.path + "/copy.sqlite").contradiction == nil, "life \(seed)")
                copies += 1
            }
        }
        #expect(copies == LawSeeds.first(24).count * 6)
    }

    @Test("of two moments, what is wrong is seen nearly always", arguments: [true, false])
    func twoMoments(isLogLater: Bool) throws {
        var (wrong, seen) = (0, 0)
        for seed in LawSeeds.first(24) {
            let life = try StoreLife(seed: seed)
            let folder = try TemporaryFolder()
            let path = folder.path + "/mixed.sqlite"
            func copyFirst() throws { try isLogLater ? life.copyMainFile(to: path) : life.copyLog(to: path) }
            func copyLast() throws { try isLogLater ? life.copyLog(to: path) : life.copyMainFile(to: path) }
            try life.live(saves: 80)
            try copyFirst()
            try life.live(saves: 40)
            try life.checkpoint("RESTART")
            try life.live(saves: 3)
            try copyLast()
            // What SQLite cannot open, or finds damaged, is seen by others.
            guard let found = try? Self.look(at: path), !life.states.contains(found.meters) else { continue }
            wrong += 1
            if found.contradiction != nil { seen += 1 }
        }
        #expect(wrong > 0 && seen * 10 >= wrong * 9, "\(seen) of \(wrong)")
    }
}
