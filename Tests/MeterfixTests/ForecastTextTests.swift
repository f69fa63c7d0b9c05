import JSON
import MeterTestSupport
import Testing

/// What is printed of the mirror's work, by every command that prints something of it.
@Suite("what is pending for CloudKit, as it is printed")
struct ForecastTextTests {
    private static let marked = "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 2"

    /// What else is done to the sample, and what the sentence on what is sent begins with.
    private static let cases: [(damage: String, says: String)] = [
        ("SELECT 1", "as soon as the app is launched and signed in, the mirror sends"),
        (
            "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMUSERPURGE = 1",
            "ROWS ARE DELETED HERE: the user deleted"
        ), ("DELETE FROM ATRANSACTION; DELETE FROM ACHANGE", "ROWS ARE DELETED HERE: transaction"),
        (
            "ALTER TABLE ANSCKEVENT DROP COLUMN ZSUCCEEDED; UPDATE ANSCKEVENT SET ZERRORDOMAIN = 'CKErrorDomain', "
                + "ZERRORCODE = 28", "ROWS ARE DELETED HERE: "
        ),
        (
            "UPDATE ANSCKEVENT SET ZSUCCEEDED = 0, ZERRORDOMAIN = 'CKErrorDomain', ZERRORCODE = 25",
            "nothing is sent until there is room in the user's iCloud storage"
        ),
        (
            "UPDATE ANSCKEVENT SET ZSUCCEEDED = 0, ZERRORDOMAIN = 'CKErrorDomain', ZERRORCODE = 2",
            "it is not known whether the pending changes are sent"
        ),
        (
            "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 77 WHERE ZENTITYPK = 2",
            "nothing is sent: a record of the entity"
        ),
    ]

    @Test("is one number and one sentence for all of them", arguments: cases.indices)
    func agreement(_ index: Int) throws {
        let (damage, says) = Self.cases[index]
        let folder = try ScratchFolder(sample: "duplicates")
        let store = "duplicates.sqlite"
        try folder.execute(Self.marked + ";" + damage, in: store)
        try expect(folder, store, says)
        let done = try folder.meterfix(
            "set", "a4c1387012dd", "--name", "Barn", "--force", store, "--now", SampleSession.now)
        #expect([0, 2].contains(done.code), "\(done.stderr)")
        let amount = try expect(folder, store, says)
        #expect(
            done.stdout.contains("pending for CloudKit, until the app opens this store: \(amount) (before")
                || done.stdout.contains("now pending for CloudKit: \(amount) (before this change: "), "\(done.stdout)")
        #expect(done.stdout.contains(says) || says.hasPrefix("as soon"), "\(done.stdout)")
        #expect(done.stderr.contains("these changes are lost") == says.hasPrefix("ROWS"), "\(done.stderr)")
    }

    /// - Returns: what is pending, in words.
    @discardableResult
    private func expect(_ folder: ScratchFolder, _ store: String, _ says: String) throws -> String {
        func run(_ words: String...) throws -> String {
            try folder.meterfix(arguments: words + [store, "--now", SampleSession.now]).stdout
        }
        let sync = try folder.meterfix("sync", "--json", store, "--now", SampleSession.now).json
        let status = try folder.meterfix("status", "--json", store, "--now", SampleSession.now).json
        #expect(sync["waiting"]?["uploads"] == status["cloudMirror"]?["pendingUploads"])
        #expect(sync["waiting"]?["deletes"] == status["cloudMirror"]?["pendingDeletes"])
        #expect(sync["forecast"] == status["cloudMirror"]?["forecast"])
        let text = try run("status")
        let pending = try #require(text.split(separator: "pending: ").last)
        let amount = String(pending.prefix { $0 != ";" })
        #expect(text.contains(says) || says.hasPrefix("as soon"), "\(text)")
        let answer = try run("sync")
        #expect(answer.contains("pending for CloudKit: \(amount)\n"), "\(answer)")
        #expect(answer.contains(says), "\(answer)")
        #expect(try run("verify").contains("pending for CloudKit: \(amount)"))
        return amount
    }
}
