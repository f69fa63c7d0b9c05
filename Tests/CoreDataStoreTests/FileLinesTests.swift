import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@Suite("the lines of a file")
struct FileLinesTests {
    private func lines(_ path: String, longest: Int = 1 << 20) throws -> [[UInt8]] {
        var input = FileLines(try FileInput(path), at: path, longest: longest)
        var lines: [[UInt8]] = []
        while let line = try input.next() {
            lines.append(line)
            #expect(input.number == lines.count)
        }
        return lines
    }

    @Test("are what is between its line feeds, wherever the chunks end")
    func split() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        for seed in UInt64(0)..<20 {
            var generator = SeededGenerator(seed: seed)
            let expected = (0..<Int.random(in: 0...40, using: &generator)).map { _ -> [UInt8] in
                let length = [0, 1, 100, 1 << 16, (1 << 16) - 1].randomElement(using: &generator) ?? 0
                return [UInt8](repeating: UInt8.random(in: 0x20...0xFF, using: &generator), count: length)
            }
            var bytes: [UInt8] = Array(expected.map { $0 + [0x0A] }.joined())
            try FileBytes.write(bytes, to: path)
            #expect(try lines(path) == expected, "seed \(seed)")
            // The last line needs no line feed, unless nothing is in it.
            guard bytes.popLast() != nil else { continue }
            try FileBytes.write(bytes, to: path)
            #expect(try lines(path) == (expected.last == [] ? Array(expected.dropLast()) : expected), "seed \(seed)")
        }
    }

    @Test("are refused where one is too long, with its number")
    func tooLong() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let line = [UInt8](repeating: 0x61, count: 1 << 20)
        try FileBytes.write([0x0A] + line + [0x0A], to: path)
        #expect(try lines(path).map(\.count) == [0, 1 << 20])
        try FileBytes.write([0x0A] + line + [0x61, 0x0A], to: path)
        let error = #expect(throws: StoreError.self) { try lines(path) }
        #expect(error?.kind == .damaged && error?.message == "line 2 has more than 1 MiB")
        // Nor is it waited for the end of one that has none.
        truncate(path, 1 << 40)
        #expect(throws: StoreError.self) { try lines(path) }
    }

    @Test("are read of a file of any size")
    func anySize() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        try FileBytes.write([], to: path)
        let file = try #require(FileHandle(forWritingAtPath: path))
        for end in 1...300 {
            try file.seek(toOffset: UInt64(end << 20) - 1)
            try file.write(contentsOf: [0x0A])
        }
        try file.close()
        var input = FileLines(try FileInput(path), at: path, longest: 1 << 20)
        while let line = try input.next() { #expect(line.count == (1 << 20) - 1) }
        #expect(input.number == 300)
    }
}
