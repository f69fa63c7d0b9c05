import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("undo --list")
struct UndoListTests {
    private static let store = "duplicates.sqlite"
    private static let meter = "A4:C1:38:70:12:DD"

    private func list(in folder: ScratchFolder, _ options: String...) throws -> MeterfixProcess.Answer {
        try folder.traceless(["undo", "--list", Self.store] + options)
    }

    @Test("says what undo takes back next, and what undo --redo does")
    func next() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for (minute, words) in [
            ["rebuild", "-q"], ["set", "-q", Self.meter, "--name", "Attic"], ["undo", "-q"],
        ].enumerated() {
            #expect(
                try folder.meterfix(arguments: words + [Self.store, "--now", "2026-11-21T12:0\(minute):00Z"]).code == 0)
        }
        let text = try list(in: folder).stdout
        let parts = text.components(separatedBy: "\n\n").dropFirst().prefix(3)
        #expect(parts.count == 3)
        for (part, says) in zip(parts, ["meterfix undo --redo redoes the change", "", "meterfix undo takes this back"])
        {
            #expect(says.isEmpty ? !part.contains("\n  meterfix undo takes") : part.contains(says), "\(part)")
        }
        let changes = try #require(try list(in: folder, "--json").json["changes"]?.elements)
        #expect(changes.map { $0["next"] } == [.bool(true), .bool(false), .bool(true)])
        #expect(changes.map { $0["state"] } == [.null, .string("undone"), .string("done")])
    }

    @Test("names what a killed run left, and a backup that is damaged, with the reason")
    func faults() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let (backups, now) = ("\(Self.store).meterfix/", "2026-11-21T12:00:00Z")
        #expect(try folder.meterfix("rebuild", "-q", Self.store, "--now", now).code == 0)
        try folder.write("", to: backups + "20261121T120000Z-rebuild/\(Self.store)")
        try folder.makeFolder(backups + "20261121T110000Z-set")
        let text = try list(in: folder).stdout
        #expect(text.hasPrefix("\(Self.store): 1 change by meterfix\n"), "\(text)")
        #expect(text.contains("\n  damaged: \(Self.store) has 0 bytes instead of 262144\n"), "\(text)")
        #expect(text.contains("\n20261121T110000Z-set  a backup, killed before it happened\n"), "\(text)")
    }

    @Test("tells of a change whose journal cannot be read once, with what the store's history tells")
    func unreadableJournal() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let entry = "\(Self.store).meterfix/20261121T120000Z-rebuild"
        #expect(try folder.meterfix("rebuild", "-q", Self.store, "--now", "2026-11-21T12:00:00Z").code == 0)
        try folder.write("{", to: entry + "/journal.json")
        let text = try list(in: folder).stdout
        #expect(
            text.contains(
                """
                21 Nov 2026, 12:00  a change, done
                  7 records deleted, 4 records updated
                  backup: \(entry)
                  damaged: the journal is not JSON
                """), "\(text)")
        #expect(text.count { $0 == "\n" } == 8, "\(text)")
    }
}
