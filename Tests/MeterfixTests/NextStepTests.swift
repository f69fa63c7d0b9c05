import CoreDataStore
import Foundation
import MeterStore
import MeterTestSupport
import Testing

@Suite("the command that a dry run ends with")
struct NextStepTests {
    private static let store = "duplicates.sqlite"

    private func next(_ folder: ScratchFolder, _ words: [String]) throws -> String? {
        let answer = try folder.meterfix(arguments: words)
        #expect(answer.code == 1, "\(words): \(answer.stderr)")
        return answer.stdout.split(separator: "\n").last { $0.hasPrefix("to do it: ") }.map(String.init)
    }

    @Test("carries out the plan that was written, with the same options for the backup")
    func plans() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("kv/kv.json", as: "kv.json")
        try folder.copySampleFile("v1.sqlite", as: "v1.sqlite")
        for name in ["blob", "nameless-first"] { try folder.copySampleFile(name + ".sqlite", as: name + ".sqlite") }
        let commands: [(words: [String], store: String)] = [
            (["rebuild", "--winner", "newest"], Self.store), (["rebuild", "--in-use"], "nameless-first.sqlite"),
            (["migrate"], "v1.sqlite"),
            (["import-kv", "kv.json"], Self.store), (["set", "A4:C1:38:70:12:DD", "--name", "Attic"], Self.store),
            (["unlock", "--force", "A4:C1:38:0B:7E:21"], "blob.sqlite"),
        ]
        for (number, (words, store)) in commands.enumerated() {
            let isForced = words.contains("--force")
            let line = try next(
                folder,
                words + ["--dry-run", "--plan", "plan \(number).json", "--backup-dir", "my backups", store])
            #expect(
                line
                    == "to do it: meterfix apply \(isForced ? "--force " : "")--backup-dir 'my backups' 'plan \(number).json' \(store)",
                "\(words)")
            #expect(try next(folder, words + ["--dry-run", store])?.contains("apply") == false, "\(words)")
            // And so it does.
            #expect(try folder.meterfix("apply", "--force", "--dry-run", "plan \(number).json", store).code == 1)
        }
        #expect(
            try next(folder, ["apply", "--dry-run", "--force", "plan 0.json", Self.store])
                == "to do it: meterfix apply --force 'plan 0.json' duplicates.sqlite")
    }

    @Test("names the model again, which is in no plan")
    func model() throws {
        let folder = try ScratchFolder(sample: "no-model-cache")
        let store = "no-model-cache.sqlite"
        try FileBytes.write(ModelArchive.encode(USBMeterModel.v2), to: folder.path + "/CKModel.mom")
        #expect(
            try next(folder, ["rebuild", "--model", "CKModel.mom", "--dry-run", store])
                == "to do it: meterfix rebuild --model CKModel.mom \(store)")
        #expect(
            try next(folder, ["rebuild", "--model", "CKModel.mom", "--dry-run", "--plan", "plan.json", store])
                == "to do it: meterfix apply --model CKModel.mom plan.json \(store)")
        #expect(
            try next(folder, ["apply", "--model", "CKModel.mom", "--dry-run", "plan.json", store])
                == "to do it: meterfix apply --model CKModel.mom plan.json \(store)")
        try FileBytes.write(ModelArchive.encode(USBMeterModel.v1), to: folder.path + "/Other.mom")
        let answer = try folder.meterfix("rebuild", "--model", "Other.mom", store)
        #expect(answer.code == 4)
        #expect(answer.stderr.contains("the model Other.mom is not the store's: "), "\(answer.stderr)")
        #expect(answer.stderr.contains("`meterfix verify --model Other.mom no-model-cache.sqlite` lists every"))
        #expect(try folder.meterfix("apply", "--model", "CKModel.mom", "plan.json", store).code == 0)
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
            let restore = try folder.meterfix("restore-record", Self.meter, Self.store)
            #expect(restore.code == 4)
            #expect(restore.stderr.contains("there are no backups in duplicates.sqlite.meterfix"))
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
        let history = try folder.meterfix("changes", Self.store)
        #expect(history.stdout.contains("no backup here"), "\(history.stdout)")
        #expect(!history.stdout.contains("its backup no longer exists"))
        guard options.count == 2 else { return }
        // Where it is, all is known.
        let found = try folder.meterfix(arguments: ["restore-record", "--list", Self.meter] + options + [Self.store])
        #expect(found.stdout.contains("2 deleted records"))
        #expect(try !folder.meterfix(arguments: ["changes"] + options + [Self.store]).stdout.contains("no backup here"))
        // A journal alone tells that there was one.
        let entry = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/elsewhere").first)
        try FileManager.default.removeItem(atPath: "\(folder.path)/elsewhere/\(entry)/duplicates.sqlite")
        #expect(
            try folder.meterfix(arguments: ["changes"] + options + [Self.store]).stdout.contains(
                "its backup no longer exists"))
    }
}
