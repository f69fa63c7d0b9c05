import JSON
import MeterTestSupport
import Testing

@Suite("every sample")
struct EverySampleTests {
    @Test("has the findings the shelf says, or is refused with its exit code", arguments: SampleShelf.samples)
    func findings(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        // What only Core Data can run keeps others from writing, and from nothing else.
        let isRefused = sample.expectedFindings.isEmpty && sample.refusal != nil && sample.name != "core-data-27"
        if sample.refusal == 65 || isRefused {
            #expect(session.verifyJSON.code == sample.refusal)
            #expect(try session.verifyJSON.json["error"]?["code"] == sample.refusal.map { .integer(Int64($0)) })
            return
        }
        #expect(try Self.ids(session.verifyJSON) == sample.expectedFindings)
    }

    @Test("answers verify with an exit code that fits its findings", arguments: SampleShelf.samples)
    func codes(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        #expect(session.verify.code == session.verifyJSON.code)
        #expect(session.status.code == session.statusJSON.code)
        #expect(session.dryRun.code == session.dryRunJSON.code)
        #expect(session.rebuild.code == session.rebuildJSON.code)
        guard session.verifyJSON.code < 2 else { return }
        let hasErrors = try Self.findings(session.verifyJSON).contains { $0["severity"] == "error" }
        let verdict = try session.verifyJSON.json["verdict"]
        #expect(session.verifyJSON.code == (hasErrors || verdict == "stop" || verdict == "unknown" ? 1 : 0))
    }

    private static func isIncomplete(_ sample: Sample) -> Bool { sample.expectedFindings.contains("wal-missing") }

    @Test("is refused a rebuild as the shelf says, with a sentence on stderr", arguments: SampleShelf.samples)
    func refusals(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        let refused = session.rebuild.code > 2
        // Mirrored without history, and damaged: nothing of the shelf's table says so, but they are refused too.
        switch sample.name {
        case "no-history": #expect(session.rebuild.code == 4)
        case "check-not-intact", "check-index-damaged", "check-files-mixed": #expect(session.rebuild.code == 65)
        case _ where Self.isIncomplete(sample):
            // Its dry run works, and says it first.
            #expect(session.rebuild.code == 65)
            #expect(session.dryRun.code <= 2)
            #expect(session.dryRun.stderr.hasPrefix("meterfix: warning: there is no -wal file"))
            #expect(session.rebuild.trace.isEmpty)
            return
        default: #expect((refused ? session.rebuild.code : nil) == sample.refusal)
        }
        #expect(session.dryRun.code == session.rebuild.code || !refused)
        #expect(session.rebuild.stderr.hasPrefix("meterfix: \(sample.storeName): ") == refused)
        if refused {
            #expect(session.rebuild.trace.isEmpty)
            #expect(session.rebuild.stdout.isEmpty)
            #expect(session.dryRun.stderr == session.rebuild.stderr)
        }
    }

    @Test("keeps its folder byte for byte through status, verify and dry runs", arguments: SampleShelf.samples)
    func untouched(_ sample: Sample) throws {
        for run in try SampleSession.of(sample).looks { #expect(run.trace.isEmpty, "\(run.line)") }
    }

    @Test("leaves no temporary file behind, whatever is run", arguments: SampleShelf.samples)
    func noLeftovers(_ sample: Sample) throws {
        for run in try SampleSession.of(sample).runs { #expect(run.leftovers.isEmpty, "\(run.line)") }
    }

    @Test("is rebuilt exactly as its dry run said", arguments: SampleShelf.samples)
    func dryRunIsTrue(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        guard !Self.isIncomplete(sample) else { return }
        let planned = try session.dryRunJSON.json
        let done = try session.rebuildJSON.json
        let own: Set = ["outcome", "backup", "steps"]
        // What another choice would be, only a dry run says.
        #expect(Self.withoutCommands(planned.without(own)) == Self.withoutCommands(done.without(own)))
        guard session.rebuild.code <= 2 else { return }
        let changes = try #require(planned["changes"]?.elements)
        #expect(planned["outcome"] == (changes.isEmpty ? "unchanged" : "planned"))
        #expect(done["outcome"] == (changes.isEmpty ? "unchanged" : "applied"))
        #expect(planned["backup"] == .null)
        let backup = "\(sample.storeName).meterfix/20261121T120000Z-rebuild"
        #expect(done["backup"] == (changes.isEmpty ? .null : .string(backup)))
        #expect(session.dryRun.code == (changes.isEmpty ? session.rebuild.code : 1))
        if changes.isEmpty { #expect(session.rebuild.trace.isEmpty) }
    }

    @Test("needs nothing once it is rebuilt, and is then left alone", arguments: SampleShelf.samples)
    func secondRebuild(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        guard let sequel = session.sequel else {
            #expect(session.rebuild.code > 2 || session.rebuild.stdout.contains("\nnothing to do"))
            return
        }
        #expect(sequel.again.trace.isEmpty)
        #expect(sequel.again.stdout.contains("\nnothing to do"))
        #expect(sequel.again.code == session.rebuild.code)
        let left = try Self.ids(sequel.verifyJSON)
        let cured: Set = ["duplicate-mac", "mac-not-canonical", "rebuild-marker-lies"]
        #expect(left.isDisjoint(with: cured))
        // What was wrong and is none of rebuild's business is still reported, and nothing is new. The changes wait for
        // their upload.
        let expected = sample.expectedFindings.subtracting(cured)
        #expect(left.subtracting(["mirror-pending"]).isSubset(of: expected))
    }

    private static func withoutCommands(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members):
            .object(members.filter { $0.key != "command" }.map { .init($0.key, withoutCommands($0.value)) })
        case .array(let elements): .array(elements.map(withoutCommands))
        case .null, .bool, .integer, .unsigned, .double, .string: json
        }
    }

    static func findings(_ run: SampleSession.Run) throws -> [JSONValue] {
        try #require(try run.json["findings"]?.elements)
    }

    static func ids(_ run: SampleSession.Run) throws -> Set<String> {
        Set(try findings(run).compactMap { $0["id"]?.string })
    }
}

extension JSONValue {
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    var keys: [String]? { if case .object(let members) = self { members.map(\.key) } else { nil } }

    func without(_ keys: Set<String>) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !keys.contains($0.key) })
    }
}
