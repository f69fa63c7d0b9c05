import CoreDataStore
import Foundation
import MeterStore
import MeterTestSupport
import Testing

@Suite("the command that a dry run ends with")
struct NextStepTests {
    private static let store = "duplicates.sqlite"

    /// The command, without the fingerprint.
    private func next(_ folder: ScratchFolder, _ words: [String]) throws -> String? {
        let answer = try folder.meterfix(arguments: words)
        #expect(answer.code == 1, "\(words): \(answer.stderr)")
        let line = answer.stdout.split(separator: "\n").last { $0.hasPrefix("to do it: ") }
        return line.map { String($0).replacing(#/ --expect [0-9a-f]{16}/#, with: "", maxReplacements: 1) }
    }

    /// Every command that writes, its words without the store, what it ends with, and what makes it have something to do.
    private static let commands: [(words: [String], store: String, before: [String])] = [
        (["rebuild", "--winner", "newest"], store, []), (["rebuild", "--in-use"], "nameless-first.sqlite", []),
        (["rebuild", "--only", "Kitchen charger", "--only", "0015a6003ce8"], store, []),
        (["rebuild", "--except", "a4:c1:38:0b:7e:21", "--mac-case", "lower"], store, []),
        (["migrate"], "v1.sqlite", []), (["import-kv", "kv.json"], store, []),
        (["import-kv", "--rejects", "left over.json", "--on-conflict", "replace", "kv.json"], store, []),
        (["import-kv", "--only", "Wohnmobil", "kv.json"], store, []),
        (["import-kv", "--create", "--except", "a4c1380b7e21", "kv.json"], "new.sqlite", []),
        (["set", "Balcony solar", "--name", "At 'tic"], store, []),
        (["set", "--row", "13", "--address", "a4c1385d0290", "--unit", "celsius"], store, []),
        (["unlock", "--force", "A4:C1:38:0B:7E:21"], "blob.sqlite", []),
        (["fix", "--all", "--except", "Kitchen charger"], store, []),
        (["fix", "--all", "--winner", "newest", "--except-check", "lock-expired"], store, []),
        (["fix", "--all", "--keep", "A4:C1:38:5D:02:9F=Bench UM34C"], store, []), (["fix", "--all"], "v1.sqlite", []),
        (["fix", "lock-torn", "--only", "884a18c7d154"], store, []), (["delete", "--force", "--row", "13"], store, []),
        (["undo"], store, ["rebuild"]), (["restore-record", "--row", "3", "A4:C1:38:0B:7E:21"], store, ["rebuild"]),
    ]

    @Test("carries out what was planned, with the same options, once", arguments: commands.indices)
    func carriesOut(_ index: Int) throws {
        let (words, store, before) = Self.commands[index]
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("kv/kv.json", as: "kv.json")
        for name in ["v1", "blob", "nameless-first"] { try folder.copyStore(name) }
        let backups = ["--backup-dir", "my backups"]
        if !before.isEmpty { #expect(try folder.meterfix(arguments: before + ["-q"] + backups + [store]).code == 0) }
        let planned = try folder.meterfix(arguments: words + ["--dry-run"] + backups + [store])
        #expect(planned.code == 1, "\(planned.stderr)")
        let lines = planned.stdout.split(separator: "\n").map(String.init)
        let line = try #require(lines.last { $0.hasPrefix("to do it: meterfix ") })
        #expect(line.contains(" --backup-dir 'my backups'") && line.hasSuffix(" \(store)"))
        let command = line.replacing("to do it: meterfix ", with: "exec \"$METERFIX\" ", maxReplacements: 1)
        let answer = try MeterfixProcess.shell(command + " --json", in: folder.path)
        #expect([0, 2].contains(answer.code), "\(line): \(answer.stderr)")
        #expect(answer.stdout.contains("\"outcome\": \"applied\""), "\(line)")
        let again = try MeterfixProcess.shell(command, in: folder.path)
        #expect([3, 4, 73].contains(again.code), "\(line): \(again.stderr)")
    }

    @Test("tells a dry run whether it is still that plan")
    func stillThatPlan() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let planned = try folder.meterfix("rebuild", "-n", Self.store)
        let fingerprint = String(try #require(planned.stdout.firstMatch(of: /--expect ([0-9a-f]{16})/)).1)
        let same = try folder.traceless(["rebuild", "-n", "--expect", fingerprint.uppercased(), Self.store])
        #expect(same.code == 1 && same.stdout.contains("--expect \(fingerprint) "))
        let words = ["rebuild", "-n", "--winner", "newest", "--expect", fingerprint, Self.store]
        let other = try folder.traceless(words)
        #expect(other.code == 3 && other.stdout.isEmpty)
        for words in [
            " instead of \(fingerprint): it changes ", "; the last changes in its history are of row ",
            "; nothing was changed\nhint: run the dry run again: the same command with --dry-run and without --expect; ",
        ] { #expect(other.stderr.contains(words), "\(other.stderr)") }
        for word in ["", "12345", "0123456789abcdeg", "0123456789abcdef0"] {
            #expect(try folder.meterfix("rebuild", "--expect", word, Self.store).code == 64)
        }
    }

    @Test("names the model again")
    func model() throws {
        let folder = try ScratchFolder(sample: "no-model-cache")
        let store = "no-model-cache.sqlite"
        try FileBytes.write(ModelArchive.encode(USBMeterModel.v2), to: folder.path + "/CKModel.mom")
        #expect(
            try next(folder, ["rebuild", "--model", "CKModel.mom", "--dry-run", store])
                == "to do it: meterfix rebuild --model CKModel.mom \(store)")
        try FileBytes.write(ModelArchive.encode(USBMeterModel.v1), to: folder.path + "/Other.mom")
        let answer = try folder.meterfix("rebuild", "--model", "Other.mom", store)
        answer.expect(4, saying: "the model Other.mom is not the store's: ")
        #expect(answer.stderr.contains("`meterfix verify --model Other.mom no-model-cache.sqlite` lists every"))
    }

    @Test("takes a change back by force where the dry run did")
    func forcedUndo() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        #expect(try folder.meterfix("rebuild", "-q", Self.store).code == 0)
        #expect(
            try folder.meterfix("set", "-q", "--no-backup", "A4:C1:38:70:12:DD", "--name", "Attic", Self.store).code
                == 0)
        #expect(try folder.meterfix("undo", Self.store).code == 3)
        #expect(
            try next(folder, ["undo", "--dry-run", "--force", Self.store])
                == "to do it: meterfix undo --force duplicates.sqlite")
        let done = try folder.meterfix("undo", "--force", Self.store)
        #expect(done.stdout.contains("to redo the change: meterfix undo --redo duplicates.sqlite"))
        #expect(
            try next(folder, ["undo", "--redo", "--dry-run", Self.store])
                == "to do it: meterfix undo --redo duplicates.sqlite")
    }
}

@Suite("where there is no backup")
struct NoBackupTextTests {
    private static let store = "duplicates.sqlite"
    private static let meter = "a4c1380b7e21"

    @Test("no command says more than it knows", arguments: [[], ["--no-backup"], ["--backup-dir", "elsewhere"]])
    func sentences(_ options: [String]) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        if options.isEmpty {
            // Nothing was ever deleted.
            let list = try folder.meterfix("restore-record", "--list", Self.meter, Self.store)
            #expect(
                list.stdout
                    == "there are no backups in duplicates.sqlite.meterfix, so none has a deleted record of A4:C1:38:0B:7E:21\n"
            )
            try folder.meterfix("restore-record", Self.meter, Self.store).expect(
                4, saying: "there are no backups in duplicates.sqlite.meterfix")
            return
        }
        #expect(try folder.meterfix(arguments: ["rebuild", "-q"] + options + [Self.store]).code == 0)
        for words in [["restore-record", "--list", Self.meter], ["restore-record", Self.meter]] {
            let answer = try folder.meterfix(arguments: words + [Self.store])
            #expect(answer.code == (words.count == 3 ? 0 : 4))
            let text = answer.stdout + answer.stderr
            #expect(text.contains("there are no backups in duplicates.sqlite.meterfix"), "\(text)")
            #expect(text.contains("by its history meterfix deleted 7 records of this store"), "\(text)")
            #expect(text.contains("made with --no-backup, kept in another folder, or taken away"), "\(text)")
        }
        let history = try folder.meterfix("undo", "--list", Self.store)
        #expect(history.stdout.contains("no backup here"), "\(history.stdout)")
        #expect(!history.stdout.contains("its backup no longer exists"))
        guard options.count == 2 else { return }
        // Where it is, all is known.
        let found = try folder.meterfix(arguments: ["restore-record", "--list", Self.meter] + options + [Self.store])
        #expect(found.stdout.contains("2 deleted records"))
        #expect(
            try !folder.meterfix(arguments: ["undo", "--list"] + options + [Self.store]).stdout.contains(
                "no backup here"))
        // A journal alone tells that there was one.
        let entry = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/elsewhere").first)
        try FileManager.default.removeItem(atPath: "\(folder.path)/elsewhere/\(entry)/duplicates.sqlite")
        #expect(
            try folder.meterfix(arguments: ["undo", "--list"] + options + [Self.store]).stdout.contains(
                "its backup no longer exists"))
    }
}

@Suite("the end of verify")
struct NextStepsTests {
    private static let store = "duplicates.sqlite"

    @Test("says what to do, in order, each command once, and first what must hold")
    func order() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let answer = try folder.meterfix("verify", Self.store).stdout
        let lines = answer.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let start = try #require(lines.lastIndex { $0.hasPrefix("what to do about ") })
        let devices = "\"Ana's iPhone\", \"MacBook-Pro-de-Bogdan.local\", \"iPad de Chloé\" and every other device"
        let steps: [String] = [
            "1. update the app on \(devices)",
            "2. open it on each of them, online, until it has synced, and close it",
            "3. copy the store again after that and repair that copy, or what somebody types there may be lost",
            "4. meterfix fix --dry-run --all \(Self.store)",
            "5. ask the customer, see above: mac-missing and mac-placeholder",
            "6. for a person, see above: name-machine-made",
        ]
        #expect(lines[(start + 1)...].prefix { !$0.hasPrefix("times are") }.elementsEqual(steps))
        #expect(lines.count { $0.contains("fix --dry-run --all duplicates") } == 1)
    }

    @Test("says nothing where there is nothing to do")
    func nothing() throws {
        let answer = try ScratchFolder(sample: "healthy").meterfix("verify", "healthy.sqlite").stdout
        #expect(!answer.contains("what to do"))
    }

    @Test("is followed by changes that say who made them and why")
    func whoAndWhy() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let mac = "A4:C1:38:0B:7E:21"
        let done = try folder.meterfix(
            arguments: ["set", mac, "--name", "Attic", "--note", "ticket 7\nfor Lena", "healthy.sqlite"],
            environment: ["METERFIX_USER": "Ana Pop"])
        #expect(done.code == 0, "\(done.stderr)")
        let planned = try folder.meterfix(
            "set", mac, "--name", "Cellar", "--by", "Bogdan", "--dry-run", "healthy.sqlite")
        #expect(planned.stdout.contains(" --name Cellar --by Bogdan \(mac) healthy.sqlite"), "\(planned.stdout)")
        let history = try folder.meterfix("undo", "--list", "healthy.sqlite").stdout
        #expect(history.contains("by Ana Pop (") && history.contains("note: ticket 7"))
        let refused = try folder.meterfix("set", mac, "--name", "x", "--note", "y", "--no-backup", "healthy.sqlite")
        #expect(refused.code == 64)
    }
}
