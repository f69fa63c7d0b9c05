import CoreDataStore
import GRDB
import Testing

@Suite("rows by their numbers")
struct NumberedRowsTests {
    private func rows(_ numbers: [Int64], among present: [Int64]) throws -> [[Int64]] {
        try DatabaseQueue().inDatabase { database in
            try database.execute(sql: "CREATE TABLE one (Z_PK INTEGER PRIMARY KEY, a INTEGER)")
            for number in present {
                try database.execute(sql: "INSERT INTO one VALUES (?, ?)", arguments: [number, -number])
            }
            var rows: [[Int64]] = []
            try database.forEachRow(numbered: numbers, in: "one", columns: ["a"]) {
                rows.append([$0.integer(0), $0.integer(1)])
            }
            return rows
        }
    }

    @Test(
        "come in order, without those that are not there, whether they lie close together or far apart",
        arguments: [
            [], [3], [9], [1, 2, 3], [2, 3, 5, 7, 8], [1, 1_000_000], [1, 9, 5_000, 1_000_000],
            [-Int64.max, 2, Int64.max],
        ] as [[Int64]])
    func order(numbers: [Int64]) throws {
        let present: [Int64] = [-Int64.max, 1, 2, 3, 4, 5, 6, 8, 5_000, 1_000_000]
        #expect(try rows(numbers, among: present) == numbers.filter(present.contains).map { [$0, -$0] })
    }
}
