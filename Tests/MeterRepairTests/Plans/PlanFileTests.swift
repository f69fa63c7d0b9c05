import CoreDataStore
import Foundation
import JSON
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterRepair

@Suite("the file of a plan")
struct PlanFileTests {
    private static let lineFeed = UInt8(ascii: "\n")

    /// A bench with a plan, and the lines of its file.
    private func planned(_ planner: some Planner = PlanBench.rebuilding) throws -> (PlanBench, [[UInt8]]) {
        let bench = try PlanBench(PlanBench.fixture)
        try bench.plan(planner)
        return (bench, try FileBytes.read(bench.file).split(separator: Self.lineFeed).map { Array($0) })
    }

    private func write(_ lines: [[UInt8]], to bench: PlanBench, end: [UInt8] = [lineFeed]) throws {
        try FileBytes.write(lines.flatMap { $0 + end }, to: bench.file)
    }

    @Test("has one object a line, says of each what it is, and counts them in the last one")
    func lines() throws {
        let (bench, lines) = try planned(PlanBench.importing)
        let values = try bench.lines.values
        #expect(values.count == lines.count && values[0]["kind"] == nil)
        #expect(
            values.dropFirst().map { $0["kind"] } == [
                "entry", "entry", "entry", "insert", "insert", "record", "update", "metadata", "conflict", "reject",
                "end",
            ])
        #expect(values.last?["lines"] == JSONValue(lines.count))
        // What is about a meter has its address.
        let address = try #require(Meters.healthy.macAddress)
        #expect(values.filter { $0["mac"]?.string == address }.map { $0["kind"] } == ["record", "update", "conflict"])
    }

    @Test("is refused where it is cut short, behind any line and in it")
    func cutShort() throws {
        for planner in [PlanBench.rebuilding, PlanBench.importing] as [any Planner] {
            let (bench, lines) = try planned(planner)
            let before = try bench.store.snapshot()
            for count in lines.indices {
                for part in [[], [Array(lines[count].dropLast())], [Array(lines[count].prefix(1))]] {
                    try write(lines[..<count] + part, to: bench)
                    let error = #expect(throws: StoreError.self) { try PlanFile.read(bench.file) }
                    #expect(error?.kind == .damaged)
                    if part.isEmpty {
                        #expect(
                            error?.message.contains(
                                count == 0 ? "the file is empty" : "the file ends after line \(count)") == true)
                    } else {
                        #expect(error?.message.contains("line \(count + 1): no JSON") == true)
                    }
                }
            }
            try write(lines, to: bench)
            #expect(try bench.store.snapshot().hasSameBytes(as: before))
            #expect(try bench.apply().outcome == .applied)
        }
    }

    @Test("with a line at another place, or twice, is refused, and nothing is done")
    func otherOrder() throws {
        for planner in [PlanBench.rebuilding, PlanBench.importing] as [any Planner] {
            let (bench, lines) = try planned(planner)
            let before = try bench.store.files()
            for first in lines.indices {
                for second in lines.indices where first <= second {
                    var edited = lines
                    if first == second { edited.insert(lines[first], at: first) } else { edited.swapAt(first, second) }
                    // Once with the number of lines that there are now.
                    edited[edited.count - 1] = Array("{\"kind\":\"end\",\"lines\":\(edited.count)}".utf8)
                    guard edited != lines else { continue }
                    try write(edited, to: bench)
                    let error = #expect(throws: StoreError.self) { try bench.apply() }
                    #expect(error?.kind == .damaged)
                }
            }
            #expect(try bench.store.files() == before)
        }
    }

    @Test("may have the line ends of Windows, none at its end, and blank lines behind it, and no others")
    func lineEnds() throws {
        let (bench, lines) = try planned()
        let plan = try PlanFile.read(bench.file).lines
        let windows: [UInt8] = [0x0D, 0x0A]
        try write(lines, to: bench, end: windows)
        #expect(try PlanFile.read(bench.file).lines == plan)
        for end in [[], [0x0A, 0x0A, 0x20, 0x0A], windows + windows] as [[UInt8]] {
            try FileBytes.write(Array(lines.joined(separator: [0x0A])) + end, to: bench.file)
            #expect(try PlanFile.read(bench.file).lines == plan)
        }
        try write(lines[..<2] + [[]] + lines[2...], to: bench)
        let error = #expect(throws: StoreError.self) { try PlanFile.read(bench.file) }
        #expect(error?.message == "not a plan that can be carried out: line 3: an empty line")
        #expect(try PlanLines(FileBytes.read(bench.file)).values.count == lines.count)
    }

    /// A plan that is larger than what may be on the way to its reader.
    private static func large(_ manifest: [UInt8], count: Int) -> [[UInt8]] {
        let end = "{\"kind\":\"end\",\"lines\":\(count + 2)}"
        let deletions = (1...count).map { row in
            "{\"kind\":\"delete\",\"entity\":\"DeviceSettings\",\"row\":\(row),\"mac\":\"A4:C1:38:0B:7E:21\","
                + "\"mergedInto\":\(row + 1),\"advantage\":\"completeness\"}"
        }
        return [manifest] + (deletions + [end]).map { Array($0.utf8) }
    }

    @Test("is read line by line: no more of it is taken than the next ones")
    func readByLine() throws {
        let (bench, lines) = try planned()
        let count = 12_000
        let large = Self.large(lines[0], count: count)
        let bytes = Array(large.joined(separator: [Self.lineFeed]))
        #expect(bytes.count > 1 << 20)
        // A pipe that is filled before each line is read holds what the reader has not taken.
        let pipe = bench.store.folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = open(pipe, O_RDWR | O_NONBLOCK)
        try #require(writer >= 0)
        var written = 0
        func fill() {
            while written < bytes.count {
                let part = bytes[written...].prefix(1 << 12).withUnsafeBytes {
                    Foundation.write(writer, $0.baseAddress, $0.count)
                }
                guard part > 0 else { return }
                written += part
                if written == bytes.count { close(writer) }
            }
        }
        fill()
        var input = try PlanFileInput(pipe)
        var taken = lines[0].count + 1
        var ahead = 0
        for row in 1...count {
            fill()
            ahead = max(ahead, written - taken)
            guard case .deletion(let deletion)? = try input.next(), deletion.row == Int64(row) else {
                Issue.record("line \(row + 1)")
                return
            }
            taken += large[row].count + 1
        }
        fill()
        #expect(try input.next() == nil)
        #expect(ahead < 1 << 18)
    }

    @Test("is written in pieces of 64 KiB at most, and so are the changes of a backup")
    func writtenInPieces() throws {
        let layout = RecordLayout(fields: [.init(name: "macAddress", kind: .text)])
        let plan = Plan(
            changes: (1...5_000).map { row in
                .insert(
                    RecordInsertion(
                        row: row, address: MACAddress(bits: UInt64(row)),
                        fields: [
                            FieldChange(
                                field: layout.fields[0], before: .null, after: .text("x"), donor: nil, rule: .newRecord)
                        ]))
            }, of: StoreSize(records: 0, groups: 0, mirrored: 0))
        var sizes: [Int] = []
        PlanChanges(plan: plan, context: PlanContext(layout: layout, letterCase: .upper)).writeLine(pretty: false) {
            sizes.append($0.count)
        }
        #expect(sizes.count > 5)
        #expect(sizes.allSatisfy { $0 <= 1 << 16 })
    }
}
