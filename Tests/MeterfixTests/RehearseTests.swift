import JSON
import MeterTestSupport
import Testing

@Suite("meterfix rehearse")
struct RehearseTests {
    private static let now = SampleSession.now

    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.copySampleFile("duplicates.sqlite", as: "phone.sqlite")
        try folder.copySampleFile("duplicates.sqlite", as: "mac.sqlite")
        try folder.copySampleFile("v1.sqlite", as: "v1.sqlite")
        return folder
    }

    @Test("plays the same day for the same seed, another one for another, and touches nothing")
    func deterministic() throws {
        let folder = try Self.folder()
        let before = try folder.snapshot
        func run(_ seed: String, _ words: String...) throws -> String {
            try folder.meterfix(
                arguments: ["rehearse", "phone.sqlite", "mac.sqlite", "--seed", seed, "--now", Self.now] + words
            ).stdout
        }
        let first = try run("3")
        #expect(first.contains("seed 3"))
        #expect(try run("3") == first)
        #expect(try run("4") != first)
        #expect(try folder.snapshot.differences(from: before, withFolder: true) == [])
    }

    /// Two records each of many meters, so that on any day some device has changed one of them when it repairs.
    private static let duplicates: [FixtureRecord] = (0..<40).flatMap { meter in
        (0..<2).map { copy in
            FixtureRecord(row: Int64(2 * meter + copy + 1), macAddress: "A4:C1:38:00:01:\(meter + 10)").with {
                $0.meterName = "Meter \(meter)"
                $0.id = FixtureUUID(UInt64($0.row)).bytes
                $0.createdAt = FixtureClock.now - 900_000.5
                $0.updatedAt = FixtureClock.now - 800_000.5 + Double($0.row)
                $0.cloudRecordName = FixtureUUID(5_000 + UInt64($0.row)).text
            }
        }
    }

    @Test("says in JSON and by its exit code whether something was lost, and shows the shortest way there")
    func report() throws {
        let folder = try Self.folder()
        try StoreFixture(records: Self.duplicates).with { $0.mirror = .current }.write(to: folder.path + "/many.sqlite")
        var codes: Set<Int32> = []
        var stories = 0
        for (store, seed) in [("phone.sqlite", "3"), ("many.sqlite", "3")] {
            let arguments = ["rehearse", store, "--devices", "6", "--seed", seed, "--now", Self.now]
            let answer = try folder.meterfix(arguments: arguments + ["--json"])
            let document = try JSONValue(parsing: Array(answer.stdout.utf8))
            #expect(answer.code == (document["well"] == .bool(true) ? 0 : 1))
            codes.insert(answer.code)
            let runs = try #require(document["runs"]?.elements)
            #expect(runs.map { $0["procedure"]?.string } == ["together", "one-and-wait", "names-left-alone"])
            #expect(runs.map { $0["strategy"]?.string } == ["v3", "v3", "first-aid"])
            #expect(runs.allSatisfy { $0["devices"]?.elements?.count == 6 })
            for run in runs where run["shortest"] != .null {
                stories += 1
                #expect(run["shortest"]?["seed"]?.string == seed)
                #expect(run["shortest"]?["events"]?.number.map { $0 <= 10 } == true)
                let text = try folder.meterfix(arguments: arguments)
                #expect(text.stdout.contains("the shortest schedule that shows it (seed \(seed)"))
                #expect(text.stdout.contains("repairs its store"))
                #expect(text.code == answer.code)
            }
            // With one device repairing at rest nothing is lost through the repair, and all devices come to agree.
            #expect(runs[1]["converged"] == .bool(true))
            #expect(runs[1]["metersWithoutRecord"] == .array([]))
            let lost = runs[1]["lost"]?.elements ?? []
            #expect(lost.allSatisfy { $0["byRepair"] == .bool(false) })
        }
        #expect(codes == [0, 1])
        #expect(stories > 0)
    }

    @Test("does not say that all went well where the repair leaves several records of a meter, and names the meters")
    func severalRecords() throws {
        let folder = try Self.folder()
        let arguments = [
            "rehearse", "phone.sqlite", "mac.sqlite", "--strategy", "v2", "--seed", "1", "--now", Self.now,
        ]
        let answer = try folder.meterfix(arguments: arguments + ["--json"])
        #expect(answer.code == 1)
        let document = try JSONValue(parsing: Array(answer.stdout.utf8))
        #expect(document["well"] == .bool(false))
        let together = try #require(document["runs"]?.elements?.first)
        #expect(together["converged"] == .bool(true))
        #expect(together["well"] == .bool(false))
        let left = together["metersLeftWithSeveralRecords"]?.elements?.compactMap(\.string) ?? []
        #expect(!left.isEmpty)
        let text = try folder.meterfix(arguments: arguments + ["--verbose"])
        #expect(text.code == 1)
        #expect(text.stdout.contains("all devices at once, in use: harm done"))
        for mac in left { #expect(text.stdout.contains("the repair leaves several records of \(mac)")) }
    }

    @Test("says which device's sync starts over that day, and what was lost by that")
    func mirrorResets() throws {
        let folder = try Self.folder()
        let answer = try folder.meterfix(
            arguments: ["rehearse", "phone.sqlite", "mac.sqlite", "--seed", "48", "--now", Self.now])
        #expect(answer.stdout.contains("05:17:20 device 1 has lost the history that CloudKit needs"))
        #expect(answer.stdout.contains("typed values lost as a device's sync started over"))
    }

    @Test("refuses what it cannot play, with the exit codes of every command")
    func refusals() throws {
        let folder = try Self.folder()
        func code(_ words: String...) throws -> Int32 {
            try folder.meterfix(arguments: ["rehearse", "--now", Self.now] + words).code
        }
        #expect(try code("v1.sqlite") == 4)
        #expect(try code("none.sqlite") == 66)
        #expect(try code("phone.sqlite", "--devices", "1") == 64)
        #expect(try code("phone.sqlite", "mac.sqlite", "v1.sqlite", "--devices", "2") == 64)
        #expect(try code("phone.sqlite", "--policy", "newest") == 64)
        #expect(try code("phone.sqlite", "--strategy", "first-aid") == 64, "it is always played")
        #expect(try code() == 64)
    }
}
