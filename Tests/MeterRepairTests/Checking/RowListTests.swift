import MeterModel
import MeterTestSupport
import Testing

@testable import MeterInspect

@Suite("a list of rows")
struct RowListTests {
    private static func list(_ rows: [Int64]) -> RowList {
        var list = RowList()
        for row in rows { list.append(row) }
        return list
    }

    private static func parts(_ list: RowList, of size: Int) -> [[Int64]] {
        var parts: [[Int64]] = []
        list.forEachPart(of: size) {
            parts.append($0)
            return true
        }
        return parts
    }

    @Test(
        "has what was put into it, in ascending order",
        arguments: [
            [], [0], [1, 2, 3], [-5, -1, 0, 63, 64, 8_191, 8_192, .max], [.min, .max], [.max, .min, 0, 7, 3],
            [5, 4, 3, 2, 1],
        ] as [[Int64]])
    func rows(_ rows: [Int64]) {
        let list = Self.list(rows)
        #expect(list.count == rows.count)
        #expect(list.rows == rows.sorted())
        for size in 1...4 {
            let parts = Self.parts(list, of: size)
            #expect(Array(parts.joined()) == rows.sorted())
            #expect(parts.dropLast().allSatisfy { $0.count == size })
        }
    }

    @Test("does so for random rows", arguments: 0..<20)
    func random(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var rows = (0..<Int.random(in: 1...300, using: &generator)).map { _ in
            Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...60, using: &generator)
        }
        if seed.isMultiple(of: 2) { rows.sort() }
        #expect(Self.list(rows).rows == rows.sorted())
        #expect(Array(Self.parts(Self.list(rows), of: 7).joined()) == rows.sorted())
    }

    @Test("hands out no more parts than are wanted")
    func stopping() {
        for rows in [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]] as [[Int64]] {
            var parts: [[Int64]] = []
            Self.list(rows).forEachPart(of: 2) {
                parts.append($0)
                return parts.count < 2
            }
            #expect(parts == [[1, 2], [3, 4]])
        }
    }
}
