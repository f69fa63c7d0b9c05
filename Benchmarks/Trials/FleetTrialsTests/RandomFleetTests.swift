import FleetSimulation
import FleetTrials
import MeterModel
import Testing

/// The tables of `Benchmarks/several-devices`, of a few of its fleets.
@Suite("a random fleet")
struct RandomFleetTests {
    @Test("ends the same way for the same fleet and schedule", arguments: UInt64(0)..<8)
    func deterministic(seed: UInt64) {
        func steps() -> [Outcome.Step] {
            let random = RandomFleet(seed: seed)
            var options = Simulation.Options(policy: .lastWriteWins)
            options.isNarrated = true
            return Simulation(random.fleet, options).run(random.schedules(Trial(isTogether: true, .inUse)).with).steps
        }
        let first = steps()
        #expect(first == steps())
        #expect(first.count > 10)
    }

    @Test("never has several records of a meter where names are from the address, and sometimes none")
    func naming() async throws {
        let lines = await NamingTable(fleets: 60).text.split(separator: "\n")
        /// The first number of each cell.
        func numbers(_ row: String) throws -> [Int] {
            let cells = try #require(lines.first { $0.hasPrefix("| \(row)") }).split(separator: "|").dropFirst()
            return try cells.map { try #require(Int($0.split(separator: "/")[0].filter { $0 != " " })) }
        }
        #expect(try numbers("names from the address") == [0, 0, 0, 0, 0])
        #expect(try numbers("random names").allSatisfy { $0 > 30 })
        #expect(try numbers("every record renamed on one device, at rest") == [0, 0])
        #expect(try numbers("every record renamed on one device, in use").allSatisfy { $0 > 0 })
    }

    @Test("loses nothing to a rebuild at rest while an older app skips fields, and does while it stops")
    func versions() async throws {
        let lines = await VersionTable(fleets: 80).text.split(separator: "\n")
        /// The last number of each cell: what a rebuild does.
        func numbers(_ what: String) throws -> [Int] {
            let cells = try #require(lines.first { $0.hasPrefix("| \(what)") }).split(separator: "|").dropFirst()
            return try cells.map {
                try #require($0.split(separator: "/").last.flatMap { Int($0.filter { $0 != " " }) })
            }
        }
        #expect(try numbers("skips new fields, the cloud keeps them") == [0, 0])
        #expect(try numbers("stops syncing").allSatisfy { $0 > 0 })
    }
}
