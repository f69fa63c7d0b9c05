import Foundation
import MeterFuzz
import MeterModel
import MeterTestSupport
import Testing

/// The short run of what `Scripts/fuzz` does for as long as one likes.
@Suite("a reader of foreign bytes")
struct FuzzTests {
    /// Seconds of the processor's time for one input, in a debug build.
    private static let longest = 5.0

    @Test("reads its seeds, and ends on any damage to them", arguments: FuzzTarget.all)
    func shortRun(_ target: FuzzTarget) throws {
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty)
        let read = try target.entry()
        for seed in seeds { try read(seed) }
        var generator = SeededGenerator(seed: UInt64(target.name.utf8.reduce(0) { $0 &* 31 &+ UInt32($1) }))
        for number in 0..<target.shortRun {
            let input = Array(Mutation.damaged(seeds, using: &generator).prefix(target.longestInput))
            let start = Self.processorTime
            do {
                try read(input)
            } catch {
                Issue.record("input \(number): \(error): \(Data(input.prefix(2_000)).base64EncodedString())")
                return
            }
            let time = Self.processorTime - start
            #expect(time < Self.longest, "input \(number)")
        }
    }

    /// Seconds this thread has had, however busy the machine is.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
