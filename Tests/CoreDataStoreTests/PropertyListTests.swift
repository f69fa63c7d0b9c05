import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@Suite struct PropertyListTests {
    private struct Unexpected: Error {}

    @Test("what is written is read back", arguments: 0..<200)
    func roundTrip(seed: UInt64) throws {
        var lists = RandomPropertyLists(generator: SeededGenerator(seed: seed))
        let list = lists.next()
        let bytes = list.binaryPropertyList()
        #expect(try PropertyList(binary: bytes) == list)
        #expect(try PropertyList(binary: bytes).binaryPropertyList() == bytes)
    }

    @Test(
        "extreme values are read back",
        arguments: [
            PropertyList.integer(.min), .integer(.max), .unsigned(1 << 63), .unsigned(.max), .integer(-1),
            .integer(0xFF), .integer(0x100),
            .integer(0xFFFF_FFFF),
            .real(.infinity), .real(-0.0), .uid(0), .uid(.max), .string(""), .string("\u{0}"), .string("é"), .data([]),
            .array([]), .dictionary([:]), .array([.null, .null]),
        ])
    func extremeValues(list: PropertyList) throws {
        #expect(try PropertyList(binary: list.binaryPropertyList()) == list)
    }

    @Test("texts that differ only in their bytes stay different")
    func textsByBytes() throws {
        let list = PropertyList.array([.string("\u{E9}"), .string("e\u{301}"), .real(0.0), .real(-0.0)])
        let read = try #require(PropertyList(binary: list.binaryPropertyList()).array)
        #expect(read[0].string.map { Array($0.utf8) } == [0xC3, 0xA9])
        #expect(read[1].string.map { Array($0.utf8) } == [0x65, 0xCC, 0x81])
        guard case .real(let zero) = read[2], case .real(let minusZero) = read[3] else { throw Unexpected() }
        #expect(zero.sign == .plus && minusZero.sign == .minus)
    }

    @Test("the layout is pinned")
    func layout() {
        let list = PropertyList.dictionary(["b": .integer(1), "a": .array([.integer(1), .string("b")])])
        let objects: [UInt8] =
            Array("bplist00".utf8) + [0xD2, 1, 2, 3, 4, 0x51, 0x61, 0x51, 0x62, 0xA2, 4, 2, 0x10, 1]
        let table: [UInt8] = [8, 13, 15, 17, 20]
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 5] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 22]
        #expect(list.binaryPropertyList() == objects + table + trailer)
    }

    @Test("Foundation reads what is written, and is read", arguments: 0..<50)
    func foundation(seed: UInt64) throws {
        var lists = RandomPropertyLists(generator: SeededGenerator(seed: seed), hasArchiveValues: false)
        // Foundation wants a container at the top.
        let list = PropertyList.array([lists.next(), lists.next()])
        let theirs = try PropertyListSerialization.propertyList(
            from: Data(list.binaryPropertyList()), options: [], format: nil)
        let bytes = try PropertyListSerialization.data(fromPropertyList: theirs, format: .binary, options: 0)
        #expect(try PropertyList(binary: Array(bytes)) == list)
    }

    @Test("sets, wide integers and short reals are read")
    func setsAndNumbers() throws {
        let objects: [[UInt8]] = [
            [0xC6, 1, 2, 3, 4, 5, 6],
            [0x14] + [UInt8](repeating: 0xFF, count: 16),
            [0x14] + [UInt8](repeating: 0, count: 15) + [7],
            [0x22, 0x3F, 0x80, 0, 0],
            [0x12, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x14] + [UInt8](repeating: 0, count: 8) + [0x80] + [UInt8](repeating: 0, count: 7),
            [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8),
        ]
        let list = try PropertyList(binary: HandMadePropertyList(objects).bytes)
        #expect(
            list
                == .array([
                    .integer(-1), .integer(7), .real(1), .integer(0xFFFF_FFFF), .unsigned(1 << 63), .unsigned(.max),
                ]))
    }

    @Test("Foundation and this read the same numbers from each other up to 2^64 − 1")
    func unsignedNumbers() throws {
        let list = PropertyList.array([.integer(.max), .unsigned(1 << 63), .unsigned(.max)])
        let theirs = try PropertyListSerialization.propertyList(
            from: Data(list.binaryPropertyList()), options: [], format: nil)
        let numbers: [UInt64] = [UInt64(Int64.max), 1 << 63, .max]
        #expect((theirs as? [NSNumber])?.map(\.uint64Value) == numbers)
        let bytes = try PropertyListSerialization.data(fromPropertyList: numbers, format: .binary, options: 0)
        #expect(try PropertyList(binary: Array(bytes)) == list)
    }
}
