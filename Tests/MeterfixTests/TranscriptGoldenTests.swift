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
        for words in [
            ["duplicates.sqlite", "healthy.sqlite"], ["healthy.sqlite", "healthy.sqlite"],
            ["--json", "blob.sqlite", "healthy.sqlite"], ["blob.sqlite", "healthy.sqlite"],
            ["healthy.sqlite", "missing.sqlite"], ["healthy.sqlite", "cloud.json"], ["cloud.json", "healthy.sqlite"],
            ["healthy.sqlite", photo], ["other-app.sqlite", "healthy.sqlite"],
        ] { try transcript.run(["compare"] + words) }
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
        try transcript.run(all: [
            "meters duplicates.sqlite", "meters --sort seen duplicates.sqlite", "meters --find lab duplicates.sqlite",
            "meters --format csv duplicates.sqlite", "meters --json healthy.sqlite", "meters blob.sqlite",
            "meters other-app.sqlite",
        ])
        try transcript.compare(with: "meters/meters.txt")
    }

    @Test("is what Tests/Goldens/show says, on a terminal of 100 columns, and nothing is touched")
    func show() throws {
        let folder = try ScratchFolder(
            samples: "duplicates", "blob", "lock-stuck", "v1", "check-mirror-pending", "check-mac-invalid", "other-app")
        let transcript = Transcript(in: folder, columns: 100)
        try transcript.run(all: [
            "show A4:C1:38:0B:7E:21 duplicates.sqlite", "show --json 'Kitchen charger' duplicates.sqlite",
            "show --row 15 duplicates.sqlite", "show --json --row 17 duplicates.sqlite",
            "show 'bench um34c' lock-stuck.sqlite", "show 'Lab TC66' blob.sqlite",
            "show --row 2 check-mirror-pending.sqlite", "show --json --row 5 check-mirror-pending.sqlite",
            "show 'Lab TC66' v1.sqlite", "show --row 2 check-mac-invalid.sqlite",
            "show --verbose --row 2 lock-stuck.sqlite", "show --row 99 duplicates.sqlite",
            "show Balcony duplicates.sqlite", "show A4:C1:38:0B:7E:12 duplicates.sqlite",
            "show Kitchen other-app.sqlite",
        ])
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
        try transcript.run(all: [
            "log \(store)", "log --json --limit 1 \(store)", "log wal-only.sqlite", "lost \(store)",
            "lost --json \(store)", "lost --find küche \(store)", "lost healthy.sqlite", "lost wal-only.sqlite",
            "show A4:C1:38:0B:7E:21 \(store)", "show A4:C1:38:0B:7E:21 --at 6 \(store)", "meters --at 5 \(store)",
            "meters --at 2026-11-20T18:00:00Z \(store)", "status --at commit:1 \(store)", "compare \(store) --at 6",
        ])
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
        try transcript.run(all: [
            "meters --locked blob.sqlite", "meters --locked duplicates.sqlite",
            "meters --locked check-metadata-blob-malformed.sqlite",
            "meters --locked healthy.sqlite", "meters --locked --json blob.sqlite", "devices duplicates.sqlite",
            "devices blob.sqlite duplicates.sqlite", "unlock --dry-run --held-by 'IPAD DE CHLOÉ' duplicates.sqlite",
            "unlock --held-by Watch duplicates.sqlite", "unlock --dry-run A4:C1:38:0B:7E:21 blob.sqlite",
            "unlock 0015.a600.3ce8 blob.sqlite", "unlock --force 0015.a600.3ce8 blob.sqlite",
            "unlock 0015.a600.3ce8 blob.sqlite", "unlock A4:C1:38:5D:02:90 blob.sqlite",
            "unlock --json 88:4A:18:C7:D1:54 duplicates.sqlite",
            "set --dry-run A4:C1:38:5D:02:9F --name 'Lab bench' --unit celsius healthy.sqlite",
            "set A4:C1:38:5D:02:9F --name '' healthy.sqlite", "set A4:C1:38:5D:02:9F --name ' ' healthy.sqlite",
            "set A4:C1:38:5D:02:9F --name iPad healthy.sqlite",
            "set A4:C1:38:0B:7E:21 --name Kitchen duplicates.sqlite",
            "set --dry-run A4:C1:38:5D:02:9F --name Bench healthy.sqlite",
            "set --expect 0123456789abcdef A4:C1:38:5D:02:9F --name Bench healthy.sqlite",
            "set A4:C1:38:5D:02:9F --name Bench healthy.sqlite", "undo --list healthy.sqlite",
            "set --dry-run A4:C1:38:5D:02:9F --name 'Balcony solar' healthy.sqlite",
            "set --dry-run UM34C --address a4c1385d029f check-mac-invalid.sqlite",
            "set --row 2 --address a4c1385d029f check-mac-invalid.sqlite",
            "set --row 2 --address a4c1385d0290 check-mac-invalid.sqlite", "delete --row 13 duplicates.sqlite",
            "delete --dry-run --force --row 13 duplicates.sqlite", "delete --force --row 13 duplicates.sqlite",
            "delete --row 13 duplicates.sqlite", "restore-record --list duplicates.sqlite",
            "restore-record --row 13 duplicates.sqlite",
        ])
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
        for (line, code) in [
            ("verify", 1), ("status", 0), ("show A4:C1:38:70:12:DD", 0), ("rebuild --in-use --dry-run", 1),
            ("rebuild --in-use --dry-run --only A4:C1:38:70:12:DD", 1), ("rebuild --in-use", 0),
            ("rebuild --in-use", 0), ("rebuild --in-use --expect 0123456789abcdef", 3), ("verify", 1),
            ("undo --list", 0),
            ("log --limit 2", 0), ("rebuild --quiet", 0), ("rebuild --in-use", 0),
        ] as [(String, Int32)] { #expect(try transcript.run(line.shellWords + [store]).code == code, "\(line)") }
        // A meter that it cannot help.
        #expect(try transcript.run("rebuild", "--in-use", "duplicates.sqlite").code == 2)
        try transcript.compare(with: "rebuild/in-use.txt")
    }

    @Test("is what Tests/Goldens/undo says")
    func undo() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("healthy.sqlite", as: "other.sqlite")
        try folder.copySampleFile("kv/kv.json", as: "kv.json")
        let transcript = Transcript(in: folder)
        var minute = 0
        func run(_ lines: String..., store: String = "duplicates.sqlite") throws {
            for line in lines {
                minute += 1
                let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
                try transcript.run(line.shellWords + [store], now: "2026-11-21T12:\(minutes):00Z")
            }
        }
        try run(
            "undo --list", "undo", "restore-record a4c1380b7e21", "rebuild --quiet",
            "import-kv --quiet kv.json", "restore-record --list a4c1380b7e21",
            "restore-record --dry-run --row 3 a4c1380b7e21", "restore-record --row 3 a4c1380b7e21",
            "restore-record --row 3 a4c1380b7e21", "undo --list", "undo --dry-run", "undo", "undo --json",
            "undo --redo", "undo --list", "undo --list --json")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 20", in: "duplicates.sqlite")
        try run("undo", "undo --json", "undo --force", "rebuild --no-backup --quiet")
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
