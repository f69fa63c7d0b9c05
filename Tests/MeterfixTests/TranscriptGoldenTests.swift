import Foundation
import MeterTestSupport
import Testing

@Suite("Goldens: commands one after the other")
struct TranscriptGoldenTests {
    @Test("is what Tests/Goldens/compare says")
    func compare() throws {
        let folder = try ScratchFolder(samples: "duplicates", "healthy", "blob", "photo", "other-app")
        try folder.write("{\"records\": []}", to: "cloud.json")
        let photo = SampleShelf.sample("photo")?.storeName ?? ""
        let transcript = Transcript(in: folder)
        let before = try folder.snapshot
        for words in [
            ["duplicates.sqlite", "healthy.sqlite"], ["healthy.sqlite", "healthy.sqlite"],
            ["--json", "blob.sqlite", "healthy.sqlite"], ["blob.sqlite", "healthy.sqlite"],
            ["healthy.sqlite", "missing.sqlite"], ["healthy.sqlite", "cloud.json"], ["cloud.json", "healthy.sqlite"],
            ["healthy.sqlite", photo], ["other-app.sqlite", "healthy.sqlite"],
        ] { try transcript.run(["compare"] + words) }
        #expect(try folder.snapshot.differences(from: before).isEmpty)
        try transcript.compare(with: "compare/compare.txt")
    }

    @Test("is what Tests/Goldens/sync says, of every state of the mirror, and nothing is touched")
    func sync() throws {
        let samples =
            ["healthy", "no-history", "v1", "other-app"]
            + SampleShelf.samples.map(\.name).filter { $0.hasPrefix("check-mirror-") }
        let folder = try ScratchFolder(sample: "duplicates")
        for name in samples { try folder.copyStore(name) }
        let transcript = Transcript(in: folder)
        for name in samples { try transcript.run("sync", name + ".sqlite") }
        try transcript.run("sync", "--json", "check-mirror-pending.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", "Bench", "check-mirror-token-lost.sqlite")
        try transcript.run("rebuild", "--quiet", "duplicates.sqlite")
        try transcript.run("sync", "duplicates.sqlite")
        try transcript.run("status", "duplicates.sqlite")
        try transcript.compare(with: "sync/sync.txt")
    }

    @Test("are what Tests/Goldens/meters says, and nothing is touched")
    func meters() throws {
        let folder = try ScratchFolder(samples: "duplicates", "healthy", "blob", "other-app")
        let transcript = Transcript(in: folder)
        try transcript.run("meters", "duplicates.sqlite")
        try transcript.run("meters", "--sort", "seen", "duplicates.sqlite")
        try transcript.run("meters", "--find", "lab", "duplicates.sqlite")
        try transcript.run("meters", "--format", "csv", "duplicates.sqlite")
        try transcript.run("meters", "--json", "healthy.sqlite")
        try transcript.run("meters", "blob.sqlite")
        try transcript.run("meters", "other-app.sqlite")
        try transcript.compare(with: "meters/meters.txt")
    }

    @Test("is what Tests/Goldens/show says, on a terminal of 100 columns, and nothing is touched")
    func show() throws {
        let folder = try ScratchFolder(
            samples: "duplicates", "blob", "lock-stuck", "v1", "check-mirror-pending", "check-mac-invalid", "other-app")
        let transcript = Transcript(in: folder, columns: 100)
        try transcript.run("show", "A4:C1:38:0B:7E:21", "duplicates.sqlite")
        try transcript.run("show", "--json", "Kitchen charger", "duplicates.sqlite")
        try transcript.run("show", "--row", "15", "duplicates.sqlite")
        try transcript.run("show", "--json", "--row", "17", "duplicates.sqlite")
        try transcript.run("show", "bench um34c", "lock-stuck.sqlite")
        try transcript.run("show", "Lab TC66", "blob.sqlite")
        try transcript.run("show", "--row", "2", "check-mirror-pending.sqlite")
        try transcript.run("show", "--json", "--row", "5", "check-mirror-pending.sqlite")
        try transcript.run("show", "Lab TC66", "v1.sqlite")
        try transcript.run("show", "--row", "2", "check-mac-invalid.sqlite")
        try transcript.run("show", "--verbose", "--row", "2", "lock-stuck.sqlite")
        try transcript.run("show", "--row", "99", "duplicates.sqlite")
        try transcript.run("show", "Balcony", "duplicates.sqlite")
        try transcript.run("show", "A4:C1:38:0B:7E:12", "duplicates.sqlite")
        try transcript.run("show", "Kitchen", "other-app.sqlite")
        // What was done to a meter, and undone.
        func change(_ words: String...) throws {
            #expect(try folder.meterfix(arguments: words + ["-q", "--now", "2026-11-21T11:30:00Z"]).code == 0)
        }
        try change("set", "A4:C1:38:70:12:DD", "--name", "Roof", "duplicates.sqlite")
        try change("unlock", "--force", "88:4A:18:C7:D1:54", "duplicates.sqlite")
        try change("undo", "duplicates.sqlite")
        try Golden.renameAuthors(in: folder)
        try transcript.run("show", "88:4A:18:C7:D1:54", "duplicates.sqlite")
        try transcript.run("show", "Roof", "duplicates.sqlite")
        try transcript.compare(with: "show/show.txt")
    }

    @Test("is what Tests/Goldens/past says, and nothing is touched by a look")
    func past() throws {
        let folder = try ScratchFolder(samples: "check-names-lost", "healthy", "wal-only")
        try folder.copySampleFile("wal-only.sqlite-wal", as: "wal-only.sqlite-wal")
        let transcript = Transcript(in: folder)
        let store = "check-names-lost.sqlite"
        try transcript.run("log", store)
        try transcript.run("log", "--json", "--limit", "1", store)
        try transcript.run("log", "wal-only.sqlite")
        try transcript.run("lost", store)
        try transcript.run("lost", "--json", store)
        try transcript.run("lost", "--find", "küche", store)
        try transcript.run("lost", "healthy.sqlite")
        try transcript.run("lost", "wal-only.sqlite")
        try transcript.run("show", "A4:C1:38:0B:7E:21", store)
        try transcript.run("show", "A4:C1:38:0B:7E:21", "--at", "6", store)
        try transcript.run("meters", "--at", "5", store)
        try transcript.run("meters", "--at", "2026-11-20T18:00:00Z", store)
        try transcript.run("status", "--at", "commit:1", store)
        try transcript.run("compare", store, "--at", "6")
        for moment in ["4", "9", "commit:4", "2026-10-01"] { try transcript.run("meters", "--at", moment, store) }
        try transcript.run("meters", "--at", "5", "healthy.sqlite")
        try transcript.run("meters", "--at", "5", "wal-only.sqlite")
        for moment in ["yesterday", "commit:x"] {
            #expect(try folder.meterfix(arguments: ["meters", "--at", moment, store]).code == 64)
        }
        try transcript.run("restore-record", "--from", "lost", "--dry-run", "A4:C1:38:5D:02:9F", store)
        try transcript.run("restore-record", "--from", "lost", "A4:C1:38:0B:7E:21", store)
        try transcript.run("restore-record", "--from", "lost", "A4:C1:38:00:00:01", store)
        try transcript.run("restore-record", "--from", "lost", "A4:C1:38:5D:02:9F", store)
        try transcript.run("lost", store)
        try transcript.compare(with: "past/past.txt")
    }

    @Test("is what Tests/Goldens/by-hand says")
    func byHand() throws {
        let folder = try ScratchFolder(
            samples: "blob", "check-mac-invalid", "check-metadata-blob-malformed", "duplicates", "healthy")
        let transcript = Transcript(in: folder)
        try transcript.run("locks", "blob.sqlite")
        try transcript.run("locks", "duplicates.sqlite")
        try transcript.run("locks", "check-metadata-blob-malformed.sqlite")
        try transcript.run("locks", "healthy.sqlite")
        try transcript.run("locks", "--json", "blob.sqlite")
        try transcript.run("devices", "duplicates.sqlite")
        try transcript.run("devices", "blob.sqlite", "duplicates.sqlite")
        try transcript.run("unlock", "--dry-run", "--held-by", "IPAD DE CHLOÉ", "duplicates.sqlite")
        try transcript.run("unlock", "--held-by", "Watch", "duplicates.sqlite")
        try transcript.run("unlock", "--dry-run", "A4:C1:38:0B:7E:21", "blob.sqlite")
        try transcript.run("unlock", "0015.a600.3ce8", "blob.sqlite")
        try transcript.run("unlock", "--force", "0015.a600.3ce8", "blob.sqlite")
        try transcript.run("unlock", "0015.a600.3ce8", "blob.sqlite")
        try transcript.run("unlock", "A4:C1:38:5D:02:90", "blob.sqlite")
        try transcript.run("unlock", "--json", "88:4A:18:C7:D1:54", "duplicates.sqlite")
        try transcript.run(
            "set", "--dry-run", "A4:C1:38:5D:02:9F", "--name", "Lab bench", "--unit", "celsius", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", "", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", " ", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", "iPad", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:0B:7E:21", "--name", "Kitchen", "duplicates.sqlite")
        try transcript.run("set", "--dry-run", "A4:C1:38:5D:02:9F", "--name", "Bench", "healthy.sqlite")
        try transcript.run(
            "set", "--expect", "0123456789abcdef", "A4:C1:38:5D:02:9F", "--name", "Bench", "healthy.sqlite")
        try transcript.run("set", "A4:C1:38:5D:02:9F", "--name", "Bench", "healthy.sqlite")
        try transcript.run("changes", "healthy.sqlite")
        try transcript.run("set", "--dry-run", "A4:C1:38:5D:02:9F", "--name", "Balcony solar", "healthy.sqlite")
        try transcript.run("set", "--dry-run", "UM34C", "--address", "a4c1385d029f", "check-mac-invalid.sqlite")
        try transcript.run("set", "--row", "2", "--address", "a4c1385d029f", "check-mac-invalid.sqlite")
        try transcript.run("set", "--row", "2", "--address", "a4c1385d0290", "check-mac-invalid.sqlite")
        try transcript.run("delete", "--row", "13", "duplicates.sqlite")
        try transcript.run("delete", "--dry-run", "--force", "--row", "13", "duplicates.sqlite")
        try transcript.run("delete", "--force", "--row", "13", "duplicates.sqlite")
        try transcript.run("delete", "--row", "13", "duplicates.sqlite")
        try transcript.run("restore-record", "--list", "duplicates.sqlite")
        try transcript.run("restore-record", "--row", "13", "duplicates.sqlite")
        // What these say depends on the version of the argument parser.
        for words in [
            ["set", "A4:C1:38:5D:02:9F"], ["unlock", " "], ["delete"], ["set", "--row", "2", "--address", "UM34C"],
            ["restore-record"], ["unlock", "--expect", "p", "A4:C1:38:5D:02:9F"],
        ] { #expect(try folder.meterfix(arguments: words + ["healthy.sqlite"]).code == 64) }
        try transcript.compare(with: "by-hand/by-hand.txt")
    }

    @Test("is what Tests/Goldens/rebuild says, from the finding to the rebuild that comes later")
    func firstAid() throws {
        let store = "nameless-first.sqlite"
        let folder = try ScratchFolder(samples: "nameless-first", "duplicates")
        let transcript = Transcript(in: folder)
        func run(_ words: String..., expecting code: Int32) throws {
            #expect(try transcript.run(words).code == code, "\(words)")
        }
        try run("verify", store, expecting: 1)
        try run("status", store, expecting: 0)
        try run("show", "A4:C1:38:70:12:DD", store, expecting: 0)
        try run("rebuild", "--in-use", "--dry-run", store, expecting: 1)
        try run("rebuild", "--in-use", "--dry-run", "--only", "A4:C1:38:70:12:DD", store, expecting: 1)
        try run("rebuild", "--in-use", store, expecting: 0)
        try run("rebuild", "--in-use", store, expecting: 0)
        try run("rebuild", "--in-use", "--expect", "0123456789abcdef", store, expecting: 3)
        try run("verify", store, expecting: 1)
        try run("changes", store, expecting: 0)
        try run("log", "--limit", "2", store, expecting: 0)
        try run("rebuild", "--quiet", store, expecting: 0)
        try run("rebuild", "--in-use", store, expecting: 0)
        // A meter that it cannot help.
        try run("rebuild", "--in-use", "duplicates.sqlite", expecting: 2)
        try transcript.compare(with: "rebuild/in-use.txt")
    }

    @Test("is what Tests/Goldens/undo says")
    func undo() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("healthy.sqlite", as: "other.sqlite")
        try folder.copySampleFile("kv/kv.json", as: "kv.json")
        let transcript = Transcript(in: folder)
        var minute = 0
        func run(_ words: String..., store: String = "duplicates.sqlite") throws {
            minute += 1
            let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
            try transcript.run(words + [store], now: "2026-11-21T12:\(minutes):00Z")
        }
        try run("changes")
        try run("undo", "--list")
        try run("undo")
        try run("restore-record", "a4c1380b7e21")
        try run("rebuild", "--quiet")
        try run("import-kv", "--quiet", "kv.json")
        try run("restore-record", "--list", "a4c1380b7e21")
        try run("restore-record", "--dry-run", "--row", "3", "a4c1380b7e21")
        try run("restore-record", "--row", "3", "a4c1380b7e21")
        try run("restore-record", "--row", "3", "a4c1380b7e21")
        try run("undo", "--list")
        try run("undo", "--dry-run")
        try run("undo")
        try run("undo", "--json")
        try run("undo", "--redo")
        try run("undo", "--list", "--json")
        try run("changes")
        try run("changes", "--json")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 20", in: "duplicates.sqlite")
        try run("undo")
        try run("undo", "--json")
        try run("undo", "--force")
        try run("rebuild", "--no-backup", "--quiet")
        try FileManager.default.moveItem(
            atPath: folder.path + "/duplicates.sqlite.meterfix", toPath: folder.path + "/other.sqlite.meterfix")
        try folder.execute("UPDATE Z_METADATA SET Z_UUID = 'another'", in: "other.sqlite")
        try run("undo", store: "other.sqlite")
        // What these say depends on the version of the argument parser.
        for words in [["undo", "--list", "--redo"], ["undo", "--list", "-n"], ["restore-record", ""]] {
            #expect(try folder.meterfix(arguments: words + ["duplicates.sqlite"]).code == 64)
        }
        try transcript.compare(with: "undo/duplicates.txt")
    }
}

@Suite("Goldens: what each command says of each sample")
struct GoldenTests {
    @Test("is what Tests/Goldens says", arguments: SampleShelf.samples)
    func golden(_ sample: Sample) throws {
        let transcript = Golden.portable(try SampleSession.of(sample).transcript)
        try Golden.compare(transcript, with: "\(PackageFolder.goldens)/\(sample.name).txt")
    }

    @Test("has a file for each sample and no other file", .disabled(if: Golden.isUpdating))
    func complete() throws {
        let files = try Golden.files(in: "").filter { $0.hasSuffix(".txt") }
        #expect(files == SampleShelf.samples.map { "\($0.name).txt" }.sorted())
    }
}
