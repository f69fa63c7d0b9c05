import Testing

@testable import Answer

@Suite("the columns of a table")
struct ColumnWidthsTests {
    private func widths(
        _ natural: [Int], _ whole: [Int], _ least: [Int], unbroken: [Int]? = nil, in available: Int
    ) -> [Int]? {
        TerminalTable.fitting(
            natural: natural, whole: whole, least: least, unbroken: unbroken ?? natural.map { _ in 0 },
            available: available)
    }

    @Test("are as wide as their cells where there is room")
    func natural() {
        #expect(widths([10, 20], [1, 1], [1, 1], in: 30) == [10, 20])
        #expect(widths([], [], [], in: 30) == [])
    }

    @Test("give way, the widest first")
    func widest() {
        #expect(widths([10, 40, 90], [5, 5, 5], [5, 5, 5], in: 80) == [10, 35, 35])
        #expect(widths([10, 40, 90], [5, 5, 50], [5, 5, 50], in: 80) == [10, 20, 50])
    }

    @Test("keep what is easier to read as a whole, the narrowest first")
    func whole() {
        // An address, two dates and a name.
        let natural = [17, 24, 24, 30]
        #expect(widths(natural, [17, 24, 24, 10], [3, 7, 7, 10], in: 80) == [17, 24, 24, 15])
        #expect(widths(natural, [17, 24, 24, 10], [3, 7, 7, 10], in: 60) == [17, 24, 9, 10])
        #expect(widths(natural, [17, 24, 24, 10], [3, 7, 7, 10], in: 43) == [17, 8, 8, 10])
    }

    @Test("break words where nothing else helps, and are none where each would have but a few columns")
    func narrow() {
        #expect(widths([40, 40], [40, 40], [40, 40], in: 41) == [20, 20])
        #expect(widths([2, 40], [2, 40], [2, 40], in: 10) == [2, 8])
        #expect(widths([2, 40], [2, 40], [2, 40], in: 9) == nil)
        // An address is in one piece, or there are no columns.
        #expect(widths([17, 40], [17, 40], [4, 40], unbroken: [17, 0], in: 30) == [17, 13])
        #expect(widths([17, 40], [17, 40], [4, 40], unbroken: [17, 0], in: 24) == nil)
    }
}
