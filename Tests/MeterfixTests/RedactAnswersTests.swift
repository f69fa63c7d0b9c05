import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("of a redacted copy")
struct RedactAnswersTests {
    /// Besides the time of the redaction: a day and a year later.
    private static let times = [SampleSession.now, "2026-11-22T12:00:00Z", "2027-11-21T12:00:00Z"]

    /// Whether every store is taken through everything; otherwise some are.
    static let isThorough = ProcessInfo.processInfo.environment["METERFIX_ALL_REDACTIONS"] != nil

    /// Those with something to say in every answer.
    private static let telling = [
        "duplicates", "blob", "renamed", "lock-stuck", "wal-only", "no-history", "check-mirror-failing",
        "check-mirror-token-lost", "check-mirror-orphan", "check-lock-expired", "made-twins", "made-rebuilt",
        "made-everywhere", "made-odd-names",
    ]
    private static let tellingStores =
        isThorough ? RedactStore.all : RedactStore.all.filter { telling.contains($0.name) }

    /// Redacting compares these answers itself, of every store; here others compare them, of a third of the stores and of
    /// those above.
    private static let compared = RedactStore.all.enumerated().filter { number, store in
        // The default of a column is a text, which a copy replaces; the cure of a trigger names the file; and a copy has no
        // log, which alone tells of another tool.
        !["check-foreign-column", "check-foreign-trigger", "check-written-without-history"].contains(store.name)
            && (isThorough || number.isMultiple(of: 3) || telling.contains(store.name))
    }.map(\.element)

    @Test("verify and a dry run of rebuild say the same as of the store", arguments: compared)
    func findingsAndPlan(_ store: RedactStore) throws {
        try Self.expectSame(RedactedCopy.of(store), at: [Self.times[0]], [["rebuild", "--dry-run"]])
    }

    @Test("sync, status and meters say the same as of the store, and verify does later too", arguments: tellingStores)
    func otherAnswers(_ store: RedactStore) throws {
        try Self.expectSame(
            RedactedCopy.of(store), at: Self.times.suffix(2),
            [["sync"], ["status"], ["meters"], ["meters", "--locked"]])
    }

    @Test(
        "all answers are the same where a map has other numbers already",
        arguments: isThorough
            ? RedactStore.all : RedactStore.all.filter { ["duplicates", "blob", "made-odd-names"].contains($0.name) })
    func otherNumbers(_ store: RedactStore) throws {
        let copy = try RedactedCopy(of: store, continuing: RedactedCopy.otherNumbers)
        #expect(copy.answer.code == 0, "\(copy.answer.stderr)")
        try Self.expectSame(copy, at: Self.times, [["sync"], ["status"], ["meters"], ["rebuild", "--dry-run"]])
    }

    /// Expects of the store and its copy the same rows, and the same answers of `verify` at these times and of these
    /// commands.
    /// - Parameter isWhole: whether each text of the one has to stand for one of the other, in the end.
    static func expectSame(
        _ copy: RedactedCopy, at times: [String], _ commands: [[String]] = [], isWhole: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var correspondence = Correspondence()
        try correspondence.compareRows(copy.originalPath, copy.path)
        for time in times { try compareVerify(copy, time, &correspondence) }
        for command in commands { try compare(command, copy, &correspondence) }
        if isWhole { correspondence.finish() }
        let all = correspondence.contradictions
        #expect(
            all.isEmpty, "\(all.count) contradictions:\n\(all.prefix(6).joined(separator: "\n"))",
            sourceLocation: sourceLocation)
    }

    /// Both stores in one run.
    private static func compareVerify(_ copy: RedactedCopy, _ time: String, _ correspondence: inout Correspondence)
        throws
    {
        let answer = try copy.folder.meterfix(
            // What is left over of the past is not in the copy.
            arguments: [
                "verify", "--json", "--jobs", "1", "--ignore", "names-lost", "--ignore", "written-without-history",
                "--now",
                time, copy.store.file, copy.copy,
            ])
        let documents = try answer.stdout.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        try #require(documents.count == 2, "\(answer.stderr)")
        correspondence.compare(Self.prepared(documents[0]), Self.prepared(documents[1]), at: "verify at \(time)")
    }

    private static func compare(
        _ words: [String], _ copy: RedactedCopy, _ correspondence: inout Correspondence
    ) throws {
        let answers = try [copy.store.file, copy.copy].map {
            try copy.folder.meterfix(arguments: words + ["--json", "--now", Self.times[0], $0])
        }
        if answers[0].code != answers[1].code {
            correspondence.contradict(words[0], "exit code \(answers[0].code), of the copy \(answers[1].code)")
        }
        let documents = try answers.map { Self.prepared(try $0.json) }
        correspondence.compare(documents[0], documents[1], at: words[0])
    }

    /// A document without the path it was given. After a rebuild, the list of what waits is cut off in the order of the
    /// changes, which is that of the addresses: only its numbers count. The meter of a delete that waits is known from a
    /// backup, which a copy does not have.
    private static func prepared(_ document: JSONValue) -> JSONValue {
        let isPlan = document["command"] == "rebuild"
        return edited(document) { key, text in
            if key == "store" || key == "path" { return text.replacing("out/", with: "") }
            if isPlan, key == "message", text.hasPrefix("waiting for CloudKit") {
                return String(text.prefix { $0 != ":" }.prefix { $0 != "," })
            }
            return text
        }
    }

    private static func edited(_ value: JSONValue, key: String = "", _ edit: (String, String) -> String) -> JSONValue {
        switch value {
        case .object(let members):
            let isDelete = value["kind"] == "delete" && value["because"] != nil
            return .object(
                members.map { member in
                    // What is run and where has other names, in another order; who does what has not.
                    if member.key == "steps" {
                        return .init("steps", (member.value.elements ?? []).map { $0["kind"] ?? .null })
                    }
                    let isMeter = isDelete && ["mac", "name"].contains(member.key)
                    return .init(member.key, isMeter ? .null : edited(member.value, key: member.key, edit))
                })
        case .array(let elements): return .array(elements.map { edited($0, key: key, edit) })
        case .string(let text): return .string(edit(key, text))
        default: return value
        }
    }
}
