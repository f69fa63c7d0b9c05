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
