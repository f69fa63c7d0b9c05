import MeterTestSupport
import Testing

/// Beside what the mirror does with the rows, or does not, no answer says that all is well.
@Suite("what the mirror will do to the rows")
struct NoAllClearTests {
    private static let allClear = [
        "clean, ", "none at first sight", "nothing is wrong", "need not do anything", "everything is in icloud",
        "nothing to repair: ",
    ]

    private static func answers(_ folder: ScratchFolder, _ store: String) throws -> [String: String] {
        var answers: [String: String] = [:]
        for command in ["status", "verify", "sync"] {
            answers[command] = try folder.meterfix(command, store, "--now", SampleSession.now).stdout.lowercased()
        }
        let report = try folder.meterfix("report", "--output", "page.html", store, "--now", SampleSession.now)
        answers["letter"] = report.stdout.lowercased()
        answers["page"] = try folder.text("page.html").lowercased()
        try folder.remove("page.html")
        return answers
    }

    @Test(
        "is said by every answer, and none is an all-clear:",
        arguments: [
            ("check-mirror-deletes-here", "deleted here"), ("check-mirror-uploads-again", "record of this store again"),
            ("check-mirror-left-behind", "not uploaded before the app changes them"),
        ])
    func told(_ sample: String, _ words: String) throws {
        let folder = try ScratchFolder(sample: sample)
        for (command, answer) in try Self.answers(folder, "\(sample).sqlite") {
            for sentence in Self.allClear { #expect(!answer.contains(sentence), "\(command): \(sentence)") }
            guard command != "letter" else { continue }
            #expect(answer.replacing("\n  ", with: " ").contains(words), "\(command): \(answer)")
        }
    }

    @Test("is a reason to stop in the letter where rows are deleted")
    func letter() throws {
        let folder = try ScratchFolder(sample: "check-mirror-deletes-here")
        let answer = try folder.meterfix(
            "report", "--output", "page.html", "check-mirror-deletes-here.sqlite", "--now", SampleSession.now)
        #expect(answer.stdout.contains("Stop: do not open the app: The data of USB Meter was deleted in iCloud"))
    }

    @Test("is nothing where the zone that the user deleted has no record of the store")
    func emptyZone() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.execute(
            "INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, Z_ENT, Z_OPT, ZCKRECORDZONENAME, ZNEEDSRECOVERYFROMUSERPURGE) "
                + "SELECT 9, Z_ENT, 1, 'other', 1 FROM ANSCKRECORDZONEMETADATA LIMIT 1; "
                + "UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'NSCKRecordZoneMetadata'", in: "healthy.sqlite")
        try folder.write("", to: "healthy.sqlite-wal")
        let answers = try Self.answers(folder, "healthy.sqlite")
        #expect(answers["verify"]?.contains("clean, ") == true)
        #expect(answers["status"]?.contains("none at first sight") == true)
        #expect(answers["sync"]?.contains("rows are deleted here when") == false)
    }
}
