import Foundation
import MeterTestSupport
import Testing

/// A closed app uploads nothing: who waits for an upload has to open it on the repaired device, alone.
@Suite("what is asked of the user's devices")
struct ConditionLawTests {
    /// Unwrapped, with one blank between words.
    private static func flat(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// That every device stays closed until something is uploaded, which then never happens.
    private static func isImpossible(_ answer: String) -> Bool {
        let text = flat(answer)
        return text.components(separatedBy: "closed on ").dropFirst().contains { rest in
            rest.hasPrefix("all of the user's devices until") || rest.hasPrefix("all devices until")
                || rest.hasPrefix("every device until")
        } || text.contains("until this has arrived everywhere, keep the app closed")
            || text.contains("keep it closed") && !text.contains("alone and online, until")
    }

    /// What asks to let the app sync, or to give the store back.
    private static let asking = [
        "updated, have synced", "and have synced on", "let it sync", "sync first", "let each of them sync",
        "let the app upload", "let the app sync", "update the app on", "has synced",
        "in their place", "give this store back", "then open the app", "open the app and", "open the app on ",
        "open the app online", "open the app, online", "leave it open",
    ]

    /// - Returns: what an answer asks for, where nobody may open the app.
    private static func asked(in answer: String) -> [String] {
        var text = flat(answer).lowercased()
        for words in ["do not open the app on ", "do not open the app "] { text = text.replacing(words, with: "") }
        return asking.filter(text.contains)
    }

    @Test("can be done in every answer about every sample", arguments: SampleShelf.samples)
    func possible(_ sample: Sample) throws {
        let session = try SampleSession.of(sample)
        var runs = [session.status, session.verify, session.dryRun, session.rebuild]
        runs += session.sequel.map { [$0.again, $0.verify] } ?? []
        let isClosed =
            !Set(sample.expectedFindings).isDisjoint(with: ["mass-delete", "mirror-deletes-here"])
            || sample.name == "check-delete-storm"
        for run in runs {
            #expect(!Self.isImpossible(run.stdout), "\(run.line): \(run.stdout)")
            if isClosed { #expect(Self.asked(in: run.stdout) == [], "\(run.line): \(run.stdout)") }
        }
    }

    /// A store with duplicates, and with what forbids to open the app.
    private static let dangers: [(name: String, damage: String)] = [
        ("mass-delete", StoreFixture.deletion(of: 901...1_000)),
        ("mirror-deletes-here", "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMUSERPURGE = 1"),
        (
            "mirror-deletes-here",
            "UPDATE ANSCKEVENT SET ZSUCCEEDED = 0, ZERRORDOMAIN = 'NSCocoaErrorDomain', ZERRORCODE = 134405"
        ),
    ]

    private static let commands: [[String]] = [
        ["status"], ["verify"], ["sync"], ["rebuild", "-n"], ["rebuild", "--in-use", "-n"],
        ["set", "-n", "--name", "X", "A4:C1:38:70:12:DD"], ["fix", "-n", "--all"], ["compare", "other.sqlite"],
        ["rebuild"],
    ]

    @Test("is never to let the app sync where nobody may open it", arguments: dangers.indices)
    func closed(_ index: Int) throws {
        let danger = Self.dangers[index]
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.execute(danger.damage, in: "duplicates.sqlite")
        try folder.write("", to: "duplicates.sqlite-wal")
        try folder.copySampleFile("healthy.sqlite", as: "other.sqlite")
        let found = try folder.meterfix("verify", "--json", "duplicates.sqlite", "--now", SampleSession.now)
        #expect(found.stdout.contains("\"\(danger.name)\""))
        for command in Self.commands {
            let answer = try folder.meterfix(arguments: command + ["duplicates.sqlite", "--now", SampleSession.now])
            #expect(answer.code <= 2, "\(command): \(answer.stderr)")
            #expect(Self.asked(in: answer.stdout) == [], "\(command): \(answer.stdout)")
        }
    }

    @Test("is, after a rebuild, to open the repaired device first and alone, and then the others")
    func first() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let done = Self.flat(try folder.meterfix("rebuild", "duplicates.sqlite", "--now", SampleSession.now).stdout)
        let back = try #require(done.range(of: "1. close the app on "))
        let open = try #require(done.range(of: "2. open the app on "))
        let others = try #require(done.range(of: "3. only then on "))
        #expect(back.lowerBound < open.lowerBound && open.lowerBound < others.lowerBound, "\(done)")
        #expect(done.contains("alone and online, until meterfix sync on a later copy shows that all is uploaded"))
    }

    @Test("is nothing about iCloud and other devices where the store is not mirrored")
    func notMirrored() throws {
        let folder = try ScratchFolder(sample: "check-not-mirrored")
        let store = "check-not-mirrored.sqlite"
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMACADDRESS = lower(ZMACADDRESS) WHERE Z_PK = 1", in: store)
        try folder.write("", to: "\(store)-wal")
        let planned = Self.flat(try folder.meterfix("rebuild", "-n", store, "--now", SampleSession.now).stdout)
        #expect(planned.contains("keep the app closed on ") && planned.contains(" until this file is back there"))
        #expect(!planned.contains("have synced"), "\(planned)")
        let done = Self.flat(try folder.meterfix("rebuild", store, "--now", SampleSession.now).stdout)
        #expect(done.contains(" in their place;") && !done.contains("open the app on "), "\(done)")
    }
}
