import JSON
import MeterModel
import MeterTestSupport
import Testing

/// What answers say of one store must not contradict each other, whatever is wrong with it.
@Suite("the steps and the verdict of every answer")
struct StepLawTests {
    private static let most = 8
    /// What nothing may follow that forbids to open the app.
    private static let needingTheApp: Set<Step.Kind> = [
        .update, .syncAndClose, .copyAgain, .giveBack, .openHereFirst, .thenOthers,
    ]

    private static func steps(_ json: JSONValue) throws -> [(kind: Step.Kind, text: String)] {
        try (json["steps"]?.elements ?? []).map { step in
            (try #require(step["kind"]?.string.flatMap(Step.Kind.init)), try #require(step["text"]?.string))
        }
    }

    /// Unwrapped, with one blank between words.
    private static func flat(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test(
        "are eight at most, in the words of the terminal, and nobody is asked for what is forbidden",
        arguments: SampleShelf.samples)
    func laws(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        var answers = [(session.verify, session.verifyJSON), (session.dryRun, session.dryRunJSON)]
        answers += [(session.rebuild, session.rebuildJSON)]
        answers += session.sequel.map { [($0.verify, $0.verifyJSON)] } ?? []
        for (text, document) in answers where document.stdout.contains("\"steps\"") {
            let json = try document.json
            let steps = try Self.steps(json)
            #expect(steps.count <= Self.most)
            let terminal = Self.flat(text.stdout)
            for step in steps where json["outcome"]?.string != "planned" || step.kind != .run {
                #expect(terminal.contains(Self.flat(step.text.replacing("`", with: ""))), "\(text.line): \(step.text)")
            }
            let kinds = steps.map(\.kind)
            if kinds.contains(.stop) {
                #expect(kinds.first == .stop && Self.needingTheApp.isDisjoint(with: kinds), "\(text.line): \(kinds)")
            }
            // What the step before changed has to be copied again.
            if let synced = kinds.firstIndex(of: .syncAndClose), kinds.contains(.update) {
                #expect(kinds.dropFirst(synced + 1).first == .copyAgain, "\(text.line): \(kinds)")
            }
            if let open = kinds.firstIndex(of: .openHereFirst) {
                #expect(kinds.firstIndex(of: .giveBack).map { $0 < open } == true)
                #expect(kinds.firstIndex(of: .thenOthers).map { open < $0 } == true)
            }
            if json["outcome"]?.string == "unchanged" { #expect(kinds.isEmpty) }
        }
    }

    @Test("name no command that is refused", arguments: SampleShelf.samples)
    func refusals(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        guard session.verifyJSON.stdout.contains("\"steps\"") else { return }
        let folder = try ScratchFolder(of: sample)
        for step in try session.verifyJSON.json["steps"]?.elements ?? [] {
            guard let command = step["command"]?.string else { continue }
            let answer = try MeterfixProcess.shell(
                "meterfix() { \"$METERFIX\" \"$@\"; }\n\(command)", in: folder.path)
            #expect((0...2).contains(answer.code), "\(command): \(answer.stderr)")
        }
    }

    @Test(
        "agree: what status or sync know to be wrong, verify finds, and only verify calls a store clean",
        arguments: SampleShelf.samples)
    func verdicts(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        guard session.verifyJSON.stdout.contains("\"verdict\""), session.statusJSON.stdout.contains("\"verdict\"")
        else {
            return
        }
        func verdict(_ json: JSONValue) throws -> Verdict {
            try #require(json["verdict"]?.string.flatMap(Verdict.init))
        }
        let json = try session.verifyJSON.json
        let verified = try verdict(json)
        let severities = (json["findings"]?.elements ?? []).compactMap { $0["severity"]?.string }
        #expect((verified == .clean) == severities.allSatisfy { $0 == "note" })
        #expect(verified != .clean || session.verify.code == 0)
        let kinds = try Self.steps(json).map(\.kind)
        #expect((verified == .stop) == kinds.contains(.stop))
        let folder = try ScratchFolder(of: sample)
        let synced = try folder.meterfix("sync", "--json", sample.storeName, "--now", SampleSession.now)
        let others = [try session.statusJSON.json] + (synced.code == 0 ? [try synced.json] : [])
        for other in others {
            let said = try verdict(other)
            #expect(said != .clean && (said != .stop || verified == .stop) && (said != .repair || verified != .clean))
        }
        let letter = try folder.meterfix(
            "report", "--output", "page.html", sample.storeName, "--now", SampleSession.now)
        #expect(letter.code == 0, "\(letter.stderr)")
        if letter.stdout.contains("Nothing is wrong") { #expect(verified == .clean, "\(sample.name)") }
    }
}
