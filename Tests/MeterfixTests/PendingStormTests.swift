import Foundation
import MeterModel
import MeterTestSupport
import Testing

/// While the deletes of a delete storm are pending, the one wrong thing to do is to open the app.
@Suite("a delete storm whose deletes are pending")
struct PendingStormTests {
    /// With much else that usually ends with that the app is opened.
    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: "check-delete-storm")
        try folder.copySampleFile("healthy.sqlite", as: "other.sqlite")
        try folder.write(
            #"{"MeterNames": {"A4:C1:38:0B:7E:21": "Oven", "A4:C1:38:FE:00:01": "New"}}"#, to: "names.json")
        try folder.execute(
            """
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'iPad' WHERE Z_PK IN (6, 7);
            UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = NULL WHERE Z_PK = 8;
            UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = ZLASTSEENAT - 5 WHERE Z_PK = 10;
            UPDATE ZDEVICESETTINGS SET ZCONNECTEDBYDEVICEID = 'x', ZCONNECTEDBYDEVICENAME = 'x',
                ZCONNECTEDAT = \(FixtureClock.now - 10), ZCONNECTEDEXPIRYAT = \(FixtureClock.now + 900) WHERE Z_PK = 9;
            INSERT INTO ANSCKMETADATAENTRY (Z_PK, Z_ENT, Z_OPT, ZBOOLVALUENUM, ZKEY)
                VALUES (99, 17009, 1, 1, 'NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey');
            INSERT INTO ANSCKEVENT (Z_PK, Z_ENT, Z_OPT, ZCLOUDKITEVENTTYPE, ZSUCCEEDED, ZSTARTEDAT, ZENDEDAT, ZERRORCODE,
                ZERRORDOMAIN) VALUES (99, 17002, 1, 2, 0, \(FixtureClock.now - 60), \(FixtureClock.now - 59), 25,
                'CKErrorDomain');
            INSERT INTO ANSCKIMPORTPENDINGRELATIONSHIP (Z_PK, Z_ENT, Z_OPT) VALUES (1, 17008, 1)
            """, in: "check-delete-storm.sqlite")
        try folder.write("", to: "check-delete-storm.sqlite-wal")
        return folder
    }

    private static let commands: [[String]] = [
        ["status"], ["verify"], ["verify", "--strict", "--verbose"], ["verify", "--ignore", "delete-storm"], ["sync"],
        ["report", "--output", "page.html"], ["meters"], ["meters", "--locked"], ["lost"], ["devices"], ["log"],
        ["undo", "--list"], ["show", "A4:C1:38:0B:7E:21"], ["rebuild", "-n"], ["import-kv", "-n", "names.json"],
        ["import-kv", "names.json"],
        ["fix", "-n", "--all"], ["fix", "--all"], ["set", "-n", "--name", "X", "A4:C1:38:0B:7E:21"],
        ["unlock", "-n", "--held-by", "x"], ["undo", "-n"], ["compare", "other.sqlite"],
    ]

    /// That the app is to be opened, or that all is well.
    private static let wrong = [
        "open the app", "open usb meter", "open it", "leave it open", "let the app", "sign in to icloud and",
        "nothing is wrong", "nothing to repair", "nothing needs", "in the app once", "updated, have synced",
        "updated and have synced", "none at first sight",
    ]

    /// What an answer says that it must not.
    private static func wrongWords(in text: String) -> [String] {
        var allowed = text.lowercased()
        for words in ["not open the app", "not open usb meter", "we tell you when to open usb meter"] {
            allowed = allowed.replacing(words, with: "")
        }
        return wrong.filter(allowed.contains)
    }

    @Test("has no answer that says to open the app, or that all is well:", arguments: commands)
    func answers(_ words: [String]) throws {
        let folder = try Self.folder()
        let store = "check-delete-storm.sqlite"
        for form in [[], ["--json"]] {
            try? FileManager.default.removeItem(atPath: "\(folder.path)/page.html")
            let answer = try folder.meterfix(arguments: words + form + [store, "--now", FixtureClock.nowText])
            var text = answer.stdout + answer.stderr
            if words[0] == "report" { text += try folder.text("page.html") }
            #expect(Self.wrongWords(in: text) == [] && answer.code != 64, "\(text)")
        }
    }

    @Test(
        "is told in the first line",
        arguments: ["status", "verify", "sync", "rebuild -n", "import-kv names.json", "report"])
    func firstLine(_ command: String) throws {
        let folder = try Self.folder()
        let words = command.split(separator: " ").map(String.init)
        let output = command == "report" ? ["--output", "page.html"] : []
        let answer = try folder.meterfix(
            arguments: words + output + ["check-delete-storm.sqlite", "--now", FixtureClock.nowText])
        let lines = answer.stdout.split(separator: "\n")
        if command == "report" {
            #expect(lines.contains { $0.hasPrefix("Stop: do not open the app: USB Meter deleted your meters") })
            #expect(answer.stdout.contains("On 21\u{A0}November, an old version of USB Meter on this device deleted"))
        } else {
            #expect(lines.first?.hasPrefix("5 records deleted and 5 made again at ") == true)
            #expect(lines.first?.hasSuffix("5 of the deletes are pending for CloudKit") == true)
            #expect(lines.dropFirst().first?.contains("do NOT open the app here") == true)
        }
    }

    @Test("stays a word of the letter when it is over")
    func over() throws {
        let folder = try ScratchFolder(sample: "check-delete-storm")
        try folder.execute(
            "UPDATE ATRANSACTIONSTRING SET ZNAME = 'NSCloudKitMirroringDelegate.import' WHERE ZNAME = 'x'; "
                + "INSERT INTO ATRANSACTIONSTRING VALUES (9, 16003, NULL, 'NSCloudKitMirroringDelegate.import'); "
                + "UPDATE ATRANSACTION SET ZAUTHORTS = 9 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ATRANSACTION)",
            in: "check-delete-storm.sqlite")
        try folder.write("", to: "check-delete-storm.sqlite-wal")
        let answer = try folder.meterfix(
            "report", "check-delete-storm.sqlite", "--output", "page.html", "--now", FixtureClock.nowText)
        #expect(answer.stdout.contains("an old version of USB Meter on another device deleted your meters"))
        #expect(!answer.stdout.contains("Nothing is wrong"))
    }
}
