import MeterTestSupport
import Testing

extension TestStore {
    /// What a process leaves that is killed while it writes to a main file: a page of another name, and the rollback
    /// journal with the page as it was (https://www.sqlite.org/fileformat2.html#the_rollback_journal).
    static func leaveJournal(beside path: String) throws {
        var main = try FileBytes.read(path)
        let size = 4096
        let name = try #require(main.firstRange(of: Array("Kitchen".utf8))).lowerBound
        let page = Array(main[name / size * size..<name / size * size + size])
        main[name] ^= 1
        try FileBytes.write(main, to: path)
        func bytes(_ number: Int) -> [UInt8] {
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        for number in [1, 0, main.count / size, 512, size] { journal += bytes(number) }
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        let checksum = stride(from: size - 200, to: 0, by: -200).reduce(0) { $0 + Int(page[$1]) }
        journal += bytes(name / size + 1) + page + bytes(checksum)
        try FileBytes.write(journal, to: path + "-journal")
    }
}
