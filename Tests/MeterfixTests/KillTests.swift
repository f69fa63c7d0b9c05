import Foundation
import MeterModel
import MeterTestSupport
import Testing

@Suite("killed at any moment, a store is as before or as after, and the next run works:")
struct KillTests {
    /// More of them with METERFIX_KILLS.
    private static let kills = ProcessInfo.processInfo.environment["METERFIX_KILLS"].flatMap(Int.init) ?? 4

    @Test("a large store, by a rebuild, an import and an undo", arguments: ["rebuild", "import-kv", "undo"])
    func killed(_ command: String) throws {
        let start = try InterruptionTests.bigStore(records: 1_000)
        let units = (1...500).map { String(format: "\"A4:C1:38:00:%02X:%02X\": \"celsius\"", $0 / 256, $0 % 256) }
        try start.write("{\"TC66TemperatureUnits\": {\(units.joined(separator: ", "))}}", to: "units.json")
        if command == "undo" { #expect(try start.meterfix("rebuild", "-q", "big.sqlite").code == 0) }
        let words = [command] + (command == "import-kv" ? ["units.json"] : []) + ["-q", "big.sqlite"]
        let whole = words + ["--now", SampleSession.now]

        let before = try StoreText(of: start.path + "/big.sqlite")
        let done = try start.copy()
        let began = Date()
        #expect(try done.meterfix(arguments: whole).code == 0)
        let duration = Date().timeIntervalSince(began)
        let after = try StoreText(of: done.path + "/big.sqlite")
        #expect(before != after)

        var generator = SeededGenerator(seed: 5)
        for turn in 1...Self.kills {
            let folder = try start.copy()
            let delay = Double.random(in: 0...duration, using: &generator)
            let run = try MeterfixProcess.start(whole, in: folder.path)
            usleep(UInt32(delay * 1_000_000))
            run.send(SIGKILL)
            let code = try run.answer().code
            let comment: Comment = "\(command), seed 5, turn \(turn), after \(delay) s: \(code)"
            let text = try StoreText(of: folder.path + "/big.sqlite")
            #expect(text.isIntact, comment)
            #expect(text == before || text == after, comment)
            #expect(try folder.meterfix(arguments: whole).code == 0, comment)
            #expect(try StoreText(of: folder.path + "/big.sqlite") == after, comment)
        }
    }

    @Test("a run that is killed before it has begun has answered nothing")
    func killedAtOnce() throws {
        let folder = try ScratchFolder()
        for _ in 1...20 {
            let run = try MeterfixProcess.start(["--help"], in: folder.path)
            run.send(SIGKILL)
            let answer = try run.answer()
            #expect(answer.code == 0 || answer.code == 128 + SIGKILL && answer.stderr.isEmpty)
        }
    }
}

@Suite("killed at any call, a command that writes a new store", .faultyCalls)
struct KilledCopyTests {
    private static let (store, out) = ("wal-only.sqlite", "out.sqlite")

    @Test(
        "leaves no half of it under its name and the old one as it was, and runs again",
        arguments: ["redact", "recover"])
    func killed(_ command: String) throws {
        let start = try ScratchFolder(sample: "wal-only")
        let words = [command, Self.store, Self.out, "-q", "--now", SampleSession.now]
        let done = try start.copy()
        let (usual, calls) = try FaultyCalls.sequence(words, in: done)
        try #require(calls.count > 10)
        let names = try FileManager.default.contentsOfDirectory(atPath: done.path).sorted()
        let whole = try StoreText(of: done.path + "/" + Self.out)
        var (without, complete) = (0, 0)
        // Where the files get their names, each call.
        for call in calls where FaultyCalls.isThorough || call.number % 7 == 1 || call.number > calls.count - 12 {
            for fault in [FaultyCalls.Fault.killed, .torn] {
                let folder = try start.copy()
                let before = try folder.snapshot
                let (answer, _) = try FaultyCalls.run(words, in: folder, fault, at: call.number)
                let comment: Comment = "\(fault) at \(call)"
                #expect(answer.code == 128 + SIGKILL, comment)
                // The name may be taken already by an empty file, which nobody takes for a store.
                let size = (try? folder.bytes(Self.out).count) ?? 0
                if size > 0 {
                    complete += 1
                    #expect(try StoreText(of: folder.path + "/" + Self.out) == whole, comment)
                } else {
                    without += 1
                }
                for suffix in ["", "-wal"] { unlink(folder.path + "/" + Self.out + suffix) }
                #expect(
                    try folder.snapshot.differences(from: before, withFolder: false).allSatisfy {
                        $0.contains(".meterfix-private-")
                    }, comment)
                let again = try folder.meterfix(arguments: words)
                #expect(again.code == usual.code, "\(comment): \(again.stderr)")
                #expect(try StoreText(of: folder.path + "/" + Self.out) == whole, comment)
                // Nothing of the first run is left.
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names, comment)
            }
        }
        #expect(without > 0 && complete > 0, "\(without), \(complete)")
    }
}
