import MeterFuzz
import MeterModel
import MeterTestSupport
import Testing

/// Pages that are not where they belong, and files that were cut short or mixed up.
@Suite("a store whose file is damaged is looked at, and repaired or refused:")
struct DamagedFileTests {
    private static let pageSize = 4096

    private func look(
        _ fixture: StoreFixture = StoreTrial.fixture, _ damage: (inout [UInt8], TestStore) throws -> Void
    ) throws {
        let store = try TestStore(fixture)
        var bytes = try FileBytes.read(store.path)
        try damage(&bytes, store)
        try FileBytes.write(bytes, to: store.path)
        try StoreTrial(path: store.path, in: store.folder).run()
    }

    @Test("pages changed places", arguments: LawSeeds.first(2))
    func swapped(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try look { bytes, _ in
            let count = bytes.count / Self.pageSize
            let (left, right) = (
                Int.random(in: 0..<count, using: &generator), Int.random(in: 1..<count, using: &generator)
            )
            let pages = [left, right].map { Array(bytes[$0 * Self.pageSize..<($0 + 1) * Self.pageSize]) }
            bytes.replaceSubrange(left * Self.pageSize..<(left + 1) * Self.pageSize, with: pages[1])
            bytes.replaceSubrange(right * Self.pageSize..<(right + 1) * Self.pageSize, with: pages[0])
        }
    }

    @Test("a page is nothing but one byte", arguments: [UInt8](arrayLiteral: 0, 0xFF))
    func blank(byte: UInt8) throws {
        let store = try TestStore(StoreTrial.fixture)
        let count = try withExtendedLifetime(store) { try FileBytes.read(store.path).count / Self.pageSize }
        for page in stride(from: Int(byte & 1) + 1, to: count, by: 4) {
            try look { bytes, _ in
                bytes.replaceSubrange(
                    page * Self.pageSize..<(page + 1) * Self.pageSize,
                    with: [UInt8](repeating: byte, count: Self.pageSize))
            }
        }
    }

    @Test("it was cut short", arguments: [0, 1, 100, 4095, 8192, 40_000])
    func truncated(count: Int) throws { try look { bytes, _ in bytes.removeSubrange(count...) } }

    @Test("the size of its pages is another one", arguments: [0, 256, 1000, 8192, 65_535])
    func pageSizes(size: Int) throws {
        try look { bytes, _ in bytes.replaceSubrange(16..<18, with: [UInt8(size >> 8), UInt8(size & 0xFF)]) }
    }

    @Test(
        "a field of its header is at its extremes",
        arguments: [18, 19, 20, 24, 28, 36, 44, 56, 60, 96])
    func header(offset: Int) throws {
        for value: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]] {
            try look { bytes, _ in
                bytes.replaceSubrange(offset..<offset + (offset < 24 ? 1 : 4), with: value.suffix(offset < 24 ? 1 : 4))
            }
        }
    }

    @Test("the log beside it is garbage, or of another store", arguments: [UInt64](1...6))
    func log(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try look(StoreTrial.fixture.with { $0.logPlacement = .rowsInLogOnly }) { _, store in
            var log = try FileBytes.read(store.path + "-wal")
            switch seed {
            case 1: log = (0..<10_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            case 2: log.removeSubrange((log.count / 2)...)
            case 3: log[log.count / 2] ^= 1
            case 4: log.replaceSubrange(8..<12, with: [0, 0, 2, 0])
            case 5: log = [UInt8](repeating: 0, count: 100_000)
            default: log += log
            }
            try FileBytes.write(log, to: store.path + "-wal")
        }
        try look { _, store in
            let bytes = (0..<40_000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            for suffix in ["-wal", "-shm", "-journal"] { try FileBytes.write(bytes, to: store.path + suffix) }
        }
    }
}
