import Foundation
import Testing

@Suite("a stale undo on the screen")
struct StaleUndoTextTests {
    private static let store = "duplicates.sqlite"

    @Test("speaks of meters before rows, and of commands that lose nothing before --force; each of them works")
    func order() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let now = ["--now", "2026-11-21T12:00:00Z"]
        let later = ["--now", "2026-11-22T13:00:00Z"]
        #expect(try folder.meterfix(arguments: ["rebuild", "-q", Self.store] + now).code == 0)
        #expect(
            try folder.meterfix(
                arguments: ["set", "-q", "--no-backup", "A4:C1:38:70:12:DD", "--name", "Camper van", Self.store] + later
            ).code == 0)
        let answer = try folder.meterfix(arguments: ["undo", Self.store, "--now", "2026-11-22T16:00:00Z"])
        #expect(answer.code == 3)
        let text = answer.stdout
        let parts = [
            "\nthis would also lose:\n",
            "\n  - A4:C1:38:70:12:DD \"Balcony solar\" → \"Camper van\", changed 22 Nov 2026, 13:00, 3 hours ago, by meterfix\n",
            "\nthe store has changed since: 5 rows of 4 tables\n",
            "\nto undo only a part of the change, and lose nothing:\n  → meterfix set ",
            "\n  → meterfix restore-record --row ", "\nan undo changes only this copy, not CloudKit. ",
            "\nafterwards pending for CloudKit: 3 uploads\n",
            "\nnothing was changed; to undo it anyway, and lose that: meterfix undo --force duplicates.sqlite\n",
        ]
        var rest = text[...]
        for part in parts {
            let found = try #require(rest.range(of: part.dropLast(part.hasSuffix("\n") ? 1 : 0)), "\(part)\n\(text)")
            rest = rest[found.upperBound...]
        }
        let commands = text.split(separator: "\n").filter { $0.hasPrefix("  → ") }.map { $0.dropFirst(4) }
        #expect(commands.count == 5)
        for command in commands {
            let copy = try folder.copy()
            let line = "\"$METERFIX\" \(command.dropFirst("meterfix ".count)) -q"
            let run = try MeterfixProcess.shell(line, in: copy.path)
            #expect(run.code == 0, "\(command): \(run.stderr)")
            #expect(try copy.meterfix("meters", Self.store).stdout.contains("Camper van"), "\(command)")
        }
    }

    @Test("asks first for a -wal that is missing, for what is advised would be refused")
    func withoutLog() throws {
        let folder = try ScratchFolder(sample: "healthy")
        #expect(try folder.meterfix("set", "-q", "A4:C1:38:0B:7E:21", "--name", "One", "healthy.sqlite").code == 0)
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'App' WHERE Z_PK = 3", in: "healthy.sqlite")
        try? FileManager.default.removeItem(atPath: folder.path + "/healthy.sqlite-wal")
        let answer = try folder.meterfix("undo", "healthy.sqlite")
        #expect(answer.code == 65 && answer.stdout.isEmpty, "\(answer.stdout)")
    }

    @Test("ends, once it is done, with what CloudKit does not learn and how to give the store back")
    func done() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        #expect(try folder.meterfix("rebuild", "-q", Self.store).code == 0)
        let text = try folder.meterfix("undo", Self.store).stdout
        #expect(
            text.contains(
                """

                an undo changes only this copy, not CloudKit. In this copy the change was not uploaded yet
                now pending for CloudKit: 3 uploads

                what to do now
                  1. close the app on the device, move its duplicates.sqlite, duplicates.sqlite-wal and duplicates.sqlite-shm into a folder and keep them, then put duplicates.sqlite and duplicates.sqlite-wal in their place; only if the app has not been opened there since this copy was made: otherwise ask for a new copy
                  2. open the app on that device, online, until meterfix sync on a later copy shows that all is uploaded
                  3. until this has arrived everywhere, nobody types a name or chooses a unit on all of the user's devices, or one of two values may be lost

                """), "\(text)")
    }
}
