import MeterFuzz
import Testing

@Suite("the checksums of a write-ahead log")
struct LogChecksumsTests {
    @Test("are made as SQLite made them")
    func same() throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "log" })
        for log in try target.seeds() {
            var erased = log
            let page = 512
            for offset in [24] + stride(from: 32 + 16, to: log.count, by: 24 + page) {
                erased.replaceSubrange(offset..<offset + 8, with: [UInt8](repeating: 0, count: 8))
            }
            #expect(erased != log)
            #expect(LogChecksums.renewed(erased) == log)
        }
    }

    @Test("are left out if there is no WAL", arguments: [0, 31])
    func short(length: Int) { #expect(LogChecksums.renewed(Array(repeating: 1, count: length)).count == length) }
}
