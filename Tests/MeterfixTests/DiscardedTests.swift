import Foundation
import JSON
import Testing

@Suite("what a rebuild discards")
struct DiscardedTests {
    private static let store = "duplicates.sqlite"
    private static let mac = "A4:C1:38:5D:02:9F"

    private func lines(_ answer: MeterfixProcess.Answer) -> [String] {
        answer.stdout.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.contains(" discarded; ") }
    }

    @Test(
        "comes back with the very command that it is named with",
        arguments: ["Bench UM34C", "-n", "it's \"$HOME\" `x`", "two\nlines", "\u{1B}[31mred", "--name=x y", "電源 2"])
    func comesBack(name: String) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.execute(
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = '\(name.replacingOccurrences(of: "'", with: "''"))' WHERE Z_PK = 4",
            in: Self.store)
        let planned = lines(try folder.meterfix("rebuild", "--dry-run", Self.store))
        let other = try #require(planned.first { $0.contains(Self.mac) })
        let keeping = try #require(other.range(of: " instead: meterfix ").map { other[$0.upperBound...] })
        let kept = try MeterfixProcess.shell("\"$METERFIX\" \(keeping)", in: folder.path)
        #expect(kept.code == 1, "\(keeping): \(kept.stderr)")
        #expect(lines(kept).contains { $0.contains("\"Werkbank UM34C\" would be discarded") && $0.contains(Self.mac) })
        let done = lines(try folder.meterfix("rebuild", Self.store))
        #expect(done.count == 2)
        #expect(planned.allSatisfy { $0.contains(" would be discarded; ") } && planned.count == done.count)
        let line = try #require(done.first { $0.contains(Self.mac) })
        let command = try #require(line.range(of: "to restore it: meterfix ").map { line[$0.upperBound...] })
        let answer = try MeterfixProcess.shell("\"$METERFIX\" \(command)", in: folder.path)
        #expect(answer.code == 0, "\(command): \(answer.stderr)")
        let meters = try folder.meterfix("meters", "--json", Self.store).json["meters"]?.elements
        #expect(meters?.first { $0["mac"]?.string == Self.mac }?["name"]?.string == name)
    }

    @Test("is each value once, those that no option of set makes with the record that had them")
    func others() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.execute(
            """
            UPDATE ZDEVICESETTINGS SET ZMODELTYPE = 'UM34' WHERE Z_PK = 4;
            UPDATE ZDEVICESETTINGS SET ZDEVICECOLOR = 7 WHERE Z_PK = 5;
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Lab' WHERE Z_PK IN (11, 12);
            UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = ZUPDATEDAT + 1 WHERE Z_PK = 10;
            UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Desk ' WHERE Z_PK = 4;
            """, in: Self.store)
        let answer = try folder.meterfix("rebuild", "--backup-dir", "my backups", Self.store)
        let restore =
            "to restore it: meterfix restore-record --row 4 \(Self.mac) --backup-dir 'my backups' \(Self.store)"
        #expect(
            lines(answer) == [
                "00:15:A6:00:3C:E8, tc66TemperatureUnit: \"fahrenheit\" kept, \"celsius\" discarded; to restore it: meterfix set 00:15:A6:00:3C:E8 --unit celsius \(Self.store)",
                "98:DA:C0:11:AB:0E, meterName: \"Зарядка в машине\" kept, \"Lab\" discarded; to restore it: meterfix set 98:DA:C0:11:AB:0E --name Lab \(Self.store)",
                "\(Self.mac), meterName: \"Werkbank UM34C\" kept, \"Desk \" discarded; to restore it: meterfix set \(Self.mac) --name Desk \(Self.store)",
                "\(Self.mac), modelType: \"UM34C\" kept, \"UM34\" discarded; row 4 had it; \(restore)",
                "\(Self.mac), deviceColor: 7 kept, 2 discarded; row 4 had it; \(restore)",
            ])
        #expect(answer.stdout.contains("every typed name and unit is there, but for the 3 above"))
        #expect(
            try folder.meterfix("restore-record", "--row", "4", Self.mac, "--backup-dir", "my backups", Self.store).code
                == 0)
    }

    @Test("is only named where there is no backup to take it from")
    func withoutBackup() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMODELTYPE = 'UM34' WHERE Z_PK = 4", in: Self.store)
        let answer = try folder.meterfix("rebuild", "--no-backup", Self.store)
        let line = "\(Self.mac), modelType: \"UM34C\" kept, \"UM34\" discarded; no command restores it"
        #expect(lines(answer).contains(line))
    }

    @Test("is nothing where all values are the same, and the proof says so")
    func nothing() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.execute("DELETE FROM ZDEVICESETTINGS WHERE Z_PK IN (4, 6)", in: Self.store)
        let answer = try folder.meterfix("rebuild", Self.store)
        #expect(lines(answer).isEmpty)
        #expect(
            answer.stdout.contains(
                "\nchecked: 2 other meters and 6 records without a usable address unchanged, byte for byte; every typed name and unit is there\n"
            ), "\(answer.stdout)")
        #expect(
            answer.stdout.contains(
                "\nwhat to do now\n  1. close the app on the device, move its duplicates.sqlite, duplicates.sqlite-wal and duplicates.sqlite-shm into a folder and keep them, then put duplicates.sqlite and duplicates.sqlite-wal in their place; only if the app has not been opened there since this copy was made: otherwise ask for a new copy\n  2. open the app on that device, alone and online, "
            ))
    }
}

@Suite("the names of meters in an answer")
struct AnswerNameTests {
    @Test("are beside each finding, the record's own or another one's of its meter, and in no document")
    func findings() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let text = try folder.meterfix("verify", "duplicates.sqlite").stdout
        #expect(text.contains("\n  row 9  88:4A:18:C7:D1:54 \"Încărcător birou\"  the lock has "))
        #expect(text.contains("\n  rows 4 and 5                            2 records of the meter "))
        #expect(text.contains("\n  row 13  \"Garage wallbox\"  no address\n"))
        #expect(!text.contains("rebuild-marker-lies\"  "))
        let document = try folder.meterfix("verify", "--json", "duplicates.sqlite").stdout
        #expect(!document.contains(#""name":"#))
        let several = try folder.meterfix("verify", "-v", "duplicates.sqlite", "duplicates.sqlite").stdout
        #expect(several.components(separatedBy: "\n  row 13  \"Garage wallbox\"  no address\n").count == 3)
    }

    @Test("are beside the meter that is locked, also where the record with the lock has none")
    func locks() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let text = try folder.meterfix("meters", "--locked", "duplicates.sqlite").stdout
        #expect(text.contains("\n  88:4A:18:C7:D1:54 \"Încărcător birou\"  row 8  "))
        #expect(text.contains("\n  88:4A:18:C7:D1:54 \"Încărcător birou\"  row 9  "))
    }
}
