import Foundation
import MeterTestSupport
import Testing

@testable import CoreDataStore

@Suite("law: the past of a store in use")
struct StoreLifeLawTests {
    private static func life(_ seed: UInt64, mostSaves: Int = 200) throws -> StoreLife {
        let life = try StoreLife(seed: seed)
        var generator = SeededGenerator(seed: seed)
        try life.live(saves: Int.random(in: 30...mostSaves, using: &generator))
        return life
    }

    @Test(
        "every known state is the one that was recorded, and each change that of its transaction; the main file with a part of its log is not enough"
    )
    func states() throws {
        var (known, changes, naive, wrongNaive) = (0, 0, 0, 0)
        for seed in LawSeeds.first(12) {
            let life = try Self.life(seed)
            // Then the log stays valid, and the main file is newer than all of it but the end.
            if seed % 2 == 0 { try life.checkpoint("PASSIVE") }
            let folder = try TemporaryFolder()
            try life.copy(to: folder.path + "/copy.sqlite")
            try StoreLifeFacts.look(at: folder.path + "/copy.sqlite") { facts, _ in
                #expect(facts.past.problem == nil, "life \(seed)")
                #expect(facts.wrongChanges(life) == [], "life \(seed)")
                for step in facts.past.steps {
                    guard let number = step.transaction.number else { continue }
                    let truth = life.states[Int(number)]
                    changes += step.changes["ZDEVICESETTINGS"]?.count ?? 0
                    if let rows = facts.rows[step.commit] {
                        known += 1
                        #expect(rows == truth, "life \(seed), transaction \(number)")
                    }
                    if seed % 2 == 0, step.commit <= 12 {
                        naive += 1
                        if try facts.naiveRows(at: step.commit, in: folder) != truth { wrongNaive += 1 }
                    }
                }
            }
        }
        #expect(known > 100 && changes > 100)
        #expect(wrongNaive > 0, "of \(naive)")
    }

    @Test("a log of a later generation than its main file is seen, and rows that are left are still true")
    func mixed() throws {
        var (lives, refused, wrong, missed) = (0, 0, 0, 0)
        for seed in LawSeeds.first(8) {
            let life = try StoreLife(seed: seed)
            try life.live(saves: 120)
            let folder = try TemporaryFolder()
            let path = folder.path + "/mixed.sqlite"
            try life.copyMainFile(to: path)
            try life.live(saves: 60)
            try life.checkpoint("RESTART")
            try life.live(saves: 2)
            try life.copyLog(to: path)
            let ever = StoreLifeFacts.values(of: life)
            let verdict = try? StoreLifeFacts.look(at: path) { facts, _ in
                for row in facts.residue.rows {
                    #expect(
                        StoreLifeFacts.values(facts.meter(row.image)).allSatisfy { ever[$0] != nil }, "life \(seed)")
                }
                let isWrong =
                    !facts.rows.values.allSatisfy(life.states.contains)
                    || !facts.wrongChanges(life).isEmpty
                return (isWrong: isWrong, isSeen: facts.past.problem != nil)
            }
            lives += 1
            // What SQLite cannot open is seen, too.
            if verdict?.isSeen ?? true { refused += 1 }
            if verdict?.isWrong ?? true { wrong += 1 }
            if let verdict, verdict.isWrong, !verdict.isSeen { missed += 1 }
        }
        #expect(missed * 10 <= wrong, "\(missed) of \(wrong) not seen")
        #expect(wrong > 0)
        #expect(refused * 10 >= lives * 8, "\(refused) of \(lives)")
    }

    @Test(
        "rows in what is left never give a meter a value that it never had, and most of what was lost lately is found")
    func residue() throws {
        var (lost, found, places) = (0, 0, Set<DeletedRow.Place>())
        for seed in LawSeeds.first(12) {
            let life = try Self.life(seed)
            let folder = try TemporaryFolder()
            try life.copy(to: folder.path + "/copy.sqlite")
            try StoreLifeFacts.look(at: folder.path + "/copy.sqlite") { facts, _ in
                let ever = StoreLifeFacts.values(of: life)
                let present = Set(life.states[life.lastTransaction].values.flatMap(StoreLifeFacts.values))
                var values: Set<StoreLifeFacts.Value> = []
                for row in facts.residue.rows {
                    let found = StoreLifeFacts.values(facts.meter(row.image))
                    #expect(found.allSatisfy { ever[$0] != nil }, "life \(seed): \(found) in \(row.places)")
                    values.formUnion(found)
                    places.formUnion(row.places)
                }
                #expect(facts.residue.isComplete)
                let recent = ever.filter { !present.contains($0.key) && life.lastTransaction - $0.value <= 20 }.keys
                lost += recent.count
                found += recent.count { values.contains($0) }
            }
        }
        #expect(found * 100 >= lost * 82, "\(found) of \(lost)")
        #expect(lost > 30)
        #expect(places.isSuperset(of: [.freeSpace, .logPage, .logFreeSpace, .staleLogPage, .staleLogFreeSpace]))
    }

    @Test("names in frames without a commit are never found, nor in those of the log before")
    func uncommitted() throws {
        var (inLog, inStaleLog) = (0, 0)
        for seed in LawSeeds.first(8) {
            let life = try Self.life(seed, mostSaves: 40)
            let name = try life.rollBack()
            let folder = try TemporaryFolder()
            for moment in ["before", "after"] {
                let path = folder.path + "/\(moment).sqlite"
                try life.copy(to: path)
                if try Data(FileBytes.read(path + "-wal")).range(of: Data(name.utf8)) != nil {
                    if moment == "before" { inLog += 1 } else { inStaleLog += 1 }
                }
                try StoreLifeFacts.look(at: path) { facts, _ in
                    let names = facts.residue.rows.compactMap { facts.meter($0.image).name }
                    #expect(!names.contains { $0.hasPrefix("never") }, "life \(seed), \(moment)")
                }
                try life.checkpoint("RESTART")
                try life.live(saves: 1)
            }
        }
        #expect(inLog > 0 && inStaleLog > 0)
    }
}
