import Foundation
import JSON
import MeterTestSupport
import Testing

/// One sample, taken through every command as at a terminal. Each run is of the program that was built.
struct SampleSession: Sendable {
    struct Run: Sendable {
        let line: String
        let code: Int32
        let stdout: String
        let stderr: String
        /// How the sample's folder differs from what it was before. To lock a store for a change, SQLite makes and removes
        /// a log beside it; the folder's own time does not count then.
        let trace: [String]
        let leftovers: [String]

        var json: JSONValue { get throws { try JSONValue(parsing: Array(stdout.utf8)) } }
    }

    static let now = "2026-11-21T12:00:00Z"

    let sample: Sample
    let status: Run
    let statusJSON: Run
    let verify: Run
    let verifyJSON: Run
    let dryRun: Run
    let dryRunJSON: Run
    let rebuild: Run
    /// Of the sample as it was.
    let rebuildJSON: Run
    /// What follows a rebuild that changed something.
    let sequel: Sequel?

    struct Sequel: Sendable {
        /// The rebuild once more.
        let again: Run
        let verify: Run
        let verifyJSON: Run
    }

    var runs: [Run] {
        looks + [rebuild, rebuildJSON] + (sequel.map { [$0.again, $0.verify, $0.verifyJSON] } ?? [])
    }

    /// Those that must not leave a trace.
    var looks: [Run] { [status, statusJSON, verify, verifyJSON, dryRun, dryRunJSON] }

    init(of sample: Sample) throws {
        self.sample = sample
        let store = sample.storeName
        let folder = try ScratchFolder(of: sample)
        func run(_ words: String..., in folder: ScratchFolder) throws -> Run {
            let before = try folder.snapshot
            let isLook = words[0] != "rebuild" || words.contains("--dry-run")
            let answer = try folder.meterfix(arguments: words + [store, "--now", Self.now])
            return Run(
                line: "meterfix \(words.joined(separator: " ")) \(store)", code: answer.code, stdout: answer.stdout,
                stderr: answer.stderr, trace: try folder.snapshot.differences(from: before, withFolder: isLook),
                leftovers: answer.leftovers)
        }
        status = try run("status", in: folder)
        statusJSON = try run("status", "--json", in: folder)
        verify = try run("verify", in: folder)
        verifyJSON = try run("verify", "--json", in: folder)
        dryRun = try run("rebuild", "--dry-run", in: folder)
        dryRunJSON = try run("rebuild", "--dry-run", "--json", in: folder)
        rebuild = try run("rebuild", in: folder)
        rebuildJSON = try run("rebuild", "--json", in: rebuild.trace.isEmpty ? folder : ScratchFolder(of: sample))
        sequel =
            try rebuild.trace.isEmpty
            ? nil
            : Sequel(
                again: run("rebuild", in: folder), verify: run("verify", in: folder),
                verifyJSON: run("verify", "--json", in: folder))
    }

    /// The session as a reviewer reads it. The JSON of the real rebuild is left out: it is the dry run's.
    var transcript: String {
        var text = "# \(sample.summary)\n" + Transcript.head
        for run in looks + [rebuild] + (sequel.map { [$0.again, $0.verify] } ?? []) {
            text += "\n$ \(run.line)\n\(run.stdout)"
            for line in run.stderr.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                text += "stderr: \(line)\n"
            }
            text += "exit \(run.code)\n"
        }
        return text
    }

    /// All of them, run once, as many at a time as there are processors.
    static let all: Result<[SampleSession], any Error> = Result {
        try ConcurrentResults.of(SampleShelf.samples) { try SampleSession(of: $0) }
    }

    static func of(_ sample: Sample) throws -> SampleSession {
        try #require(try all.get().first { $0.sample.name == sample.name })
    }
}

/// What a function makes of each element of a list, worked out by as many threads as there are processors.
final class ConcurrentResults<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [Int: Result<Value, any Error>] = [:]

    /// - Returns: in the order of the list.
    static func of<Element: Sendable>(
        _ elements: [Element], _ make: @Sendable (Element) throws -> Value
    ) throws -> [Value] {
        let all = ConcurrentResults()
        DispatchQueue.concurrentPerform(iterations: elements.count) { index in
            let result = Result { try make(elements[index]) }
            all.lock.withLock { all.results[index] = result }
        }
        return try elements.indices.compactMap { try all.results[$0]?.get() }
    }
}

extension Sample: CustomTestStringConvertible {
    package var testDescription: String { storeName }
}
