import Foundation
import MeterTestSupport
import Testing

@Suite("a refusal says what there is")
struct RefusalsThatNameTests {
    private static let store = "duplicates.sqlite"

    @Test(
        "instead of the records of meters",
        arguments: [
            ("ALTER TABLE ZDEVICESETTINGS RENAME TO ZOLD", "the table ZDEVICESETTINGS is gone"),
            (
                "ALTER TABLE ZDEVICESETTINGS RENAME TO ZOLD; CREATE VIEW ZDEVICESETTINGS AS SELECT * FROM ZOLD",
                "ZDEVICESETTINGS is a view"
            ),
            (
                "ALTER TABLE ZDEVICESETTINGS RENAME COLUMN ZMACADDRESS TO ZMAC",
                "the table ZDEVICESETTINGS has no column ZMACADDRESS"
            ),
        ])
    func noRecords(_ sql: String, _ words: String) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.execute(sql, in: Self.store)
        try folder.write("", to: Self.store + "-wal")
        for command in ["rebuild -n", "meters", "lost"] {
            let answer = try folder.traceless(command.split(separator: " ").map(String.init) + [Self.store])
            #expect(answer.code == 4, "\(command)")
            #expect(answer.stderr.contains(words), "\(command): \(answer.stderr)")
            #expect(answer.stderr.contains("meterfix recover"), "\(command): \(answer.stderr)")
        }
        #expect(try folder.traceless(["verify", Self.store]).stdout.contains(words))
    }

    @Test("of the clock, where what is written by it would count as no date")
    func clock() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for now in ["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-01-01T00:00:00Z"] {
            for command in [["rebuild"], ["rebuild", "-n"], ["undo"]] {
                let answer = try folder.traceless(command + ["--now", now, Self.store])
                #expect(answer.code == 4, "\(command) \(now)")
                #expect(answer.stderr.contains("--now"), "\(answer.stderr)")
            }
        }
    }

    @Test("of the row that is to be restored")
    func row() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        #expect(try folder.meterfix("rebuild", "-q", Self.store).code == 0)
        let listed = try folder.meterfix("restore-record", "--list", Self.store).stdout
        let row = try #require(listed.firstMatch(of: /row (\d+)/)).1
        let answer = try folder.traceless(["restore-record", "--row", String(row), Self.store])
        #expect(answer.code == 4)
        #expect(answer.stderr.contains("the deleted record of row \(row) is one of the meter"), "\(answer.stderr)")
        #expect(answer.stderr.contains("restore-record --row \(row) "), "\(answer.stderr)")
    }

    @Test("in a folder of backups that are another store's")
    func otherStore() throws {
        let folder = try ScratchFolder(samples: "duplicates", "two-devices-pad")
        #expect(try folder.meterfix("rebuild", "-q", "--backup-dir", "B", Self.store).code == 0)
        for command in [["undo", "--list"], ["undo"]] {
            let answer = try folder.traceless(command + ["--backup-dir", "B", "two-devices-pad.sqlite"])
            #expect(answer.code == (command == ["undo"] ? 4 : 0), "\(command)")
            #expect(answer.stderr.contains("the backups here belong to another store"), "\(answer.stderr)")
        }
    }
}
