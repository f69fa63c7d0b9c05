import Foundation
import MeterTestSupport
import Testing

@Suite("whatever has the name of a backup's file, no command waits for it:")
struct HostileBackupTests {
    private static let store = "duplicates.sqlite"
    private static let meter = "a4c1380b7e21"
    private static let commands = [
        ["undo", store], ["undo", "--list", store], ["undo", "--force", store], ["undo", "--redo", store],
        ["log", store], ["restore-record", "--list", meter, store],
        ["restore-record", meter, store], ["set", "A4:C1:38:70:12:DD", "--name", "Attic", store],
    ]

    /// What stands in a file's place.
    private static let replacements: [(name: String, put: @Sendable (String) throws -> Void)] = [
        ("a pipe", { mkfifo($0, 0o600) }),
        (
            "a link to a device",
            { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/dev/zero") }
        ),
        (
            "a link to a pipe",
            { path in
                mkfifo(path + "-pipe", 0o600)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "-pipe")
            }
        ), ("a folder", { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) }),
        (
            "a huge file",
            { path in
                try FileBytes.write([UInt8(ascii: " ")], to: path)
                truncate(path, 1 << 40)
            }
        ),
    ]

    @Test(
        "a file of an entry",
        arguments: [
            "journal.json", "changes.jsonl", "duplicates.sqlite", "duplicates.sqlite-wal", "journal.pending.json",
        ])
    func hostile(_ file: String) throws {
        let start = try ScratchFolder(sample: "duplicates")
        let now = ["--now", "2026-11-21T12:00:00Z"]
        #expect(try start.meterfix(arguments: ["rebuild", "-q", Self.store] + now).code == 0)
        let entry = "/duplicates.sqlite.meterfix/20261121T120000Z-rebuild/"
        for (name, put) in Self.replacements {
            let folder = try start.copy()
            let path = folder.path + entry + file
            if file == "journal.pending.json" {
                let journal = entry + "journal.json"
                try folder.write(
                    folder.text(journal).replacing("\"committed\"", with: "\"begun\""), to: journal)
            } else if FileManager.default.fileExists(atPath: path) {
                try FileManager.default.removeItem(atPath: path)
            }
            try put(path)
            for command in Self.commands {
                let began = Date()
                let answer = try folder.meterfix(arguments: command + ["--now", "2026-11-21T12:05:00Z"])
                let comment: Comment = "\(name) as \(file): \(command): \(answer.stderr)"
                #expect([0, 3, 4, 65].contains(answer.code), comment)
                #expect(Date().timeIntervalSince(began) < 20, comment)
                // The files that are put back do not depend on it.
                if file == "changes.jsonl" {
                    if command == Self.commands[0] { #expect(answer.code == 0, comment) }
                    if command.contains("--list"), command[0] == "undo" {
                        #expect(answer.stdout.contains("changes.jsonl"), "\(comment)\n\(answer.stdout)")
                    }
                    continue
                }
                if command[0] == "undo", !["--list", "--redo"].contains(command[1]) {
                    #expect(answer.code == 65, comment)
                    #expect(answer.stderr.contains("20261121T120000Z-rebuild"), comment)
                }
                if command.contains("--list"), command[0] == "undo" {
                    #expect(answer.stdout.contains("damaged"), "\(comment)\n\(answer.stdout)")
                }
                if command[0] == "set" { #expect(answer.code == 0, comment) }
            }
        }
    }

    @Test("and a run that was killed left it: the next change goes on", arguments: [true, false])
    func stray(isEmpty: Bool) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let entry = "duplicates.sqlite.meterfix/20261121T110000Z-rebuild"
        try folder.makeFolder(entry)
        if !isEmpty { mkfifo("\(folder.path)/\(entry)/\(Self.store)", 0o600) }
        let other = folder.path + "/duplicates.sqlite.meterfix/20261121T110000Z-set"
        mkfifo(other, 0o600)
        let answer = try folder.meterfix("rebuild", "-q", Self.store)
        #expect(answer.code == 0, "\(answer.stderr)")
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(entry)") == !isEmpty)
        // It has an entry's name, but is none.
        #expect(access(other, F_OK) == 0)
    }
}
