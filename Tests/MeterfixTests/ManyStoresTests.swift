import Foundation
import JSON
import MeterModel
import MeterTestSupport
import Testing

@Suite("many stores, verified by several threads")
struct ManyStoresTests {
    /// Every sample, and a path with nothing there beside each, in an order of their own.
    private static func shelf() throws -> (folder: ScratchFolder, stores: [String]) {
        let folder = try ScratchFolder()
        var stores: [String] = []
        for sample in SampleShelf.samples {
            for name in sample.fileNames { try folder.copySampleFile(name, as: name) }
            stores += [sample.fileNames[0], "gone.sqlite"]
        }
        var generator = SeededGenerator(seed: 27)
        return (folder, stores.shuffled(using: &generator))
    }

    @Test("give what one thread gives, to the byte", arguments: [["--json"], ["--verbose", "--strict"]])
    func sameBytes(_ form: [String]) throws {
        let (folder, stores) = try Self.shelf()
        let words = ["verify", "--now", "2026-11-21T12:00:00Z"] + form + stores
        let one = try folder.meterfix(arguments: words + ["--jobs", "1"])
        let several = try folder.meterfix(arguments: words + ["--jobs", "5"])
        #expect(several.stdout == one.stdout)
        #expect(several.stderr == one.stderr)
        #expect(several.code == one.code)
        #expect(one.code == 66)
        #expect(several.leftovers.isEmpty)
        // Each of them has an answer, wherever it stands in the list.
        if form == ["--json"] { #expect(several.stdout.split(separator: "\n").count == stores.count) }
    }

    @Test("end with what they come to, and with the tool for many more; JSON stays a document a line")
    func totals() throws {
        let folder = try ScratchFolder()
        for name in ["healthy", "duplicates", "lock-stuck", "check-lock-torn", "check-not-mirrored"] {
            try folder.copyStore(name)
        }
        let stores = ["healthy", "duplicates", "gone", "lock-stuck", "check-lock-torn", "check-not-mirrored"].map {
            $0 + ".sqlite"
        }
        let words = ["verify", "--now", SampleSession.now]
        let text = try folder.meterfix(arguments: words + stores)
        #expect(text.code == 66)
        #expect(
            text.stdout == """
                6 stores: 1 clean, 2 with errors, 1 with warnings, 1 with notes only, 1 not verified
                           check                stores  findings  most in
                  error    lock-torn                 2         2  duplicates.sqlite
                  error    duplicate-mac             1         5  duplicates.sqlite
                  error    mac-not-canonical         1         5  duplicates.sqlite
                  error    rebuild-marker-lies       1         1  duplicates.sqlite
                  warning  clock-in-future           1         1  lock-stuck.sqlite
                  warning  mac-missing               1         4  duplicates.sqlite
                  warning  mac-placeholder           1         2  duplicates.sqlite
                  warning  name-machine-made         1         1  duplicates.sqlite
                  note     not-mirrored              3         3  lock-stuck.sqlite
                  note     lock-expired              1         1  duplicates.sqlite
                  note     mirror-pending            1         1  duplicates.sqlite

                the worst stores
                  store                   errors  warnings  notes  records
                  duplicates.sqlite           12         7      2       20
                  check-lock-torn.sqlite       1         0      1        5
                  lock-stuck.sqlite            0         1      1        5

                not verified
                  gone.sqlite  no such file

                  → all about one store: meterfix verify duplicates.sqlite
                  → the stores with a finding: meterfix verify --with lock-torn STORE …
                  → for many stores, several hosts, and one table of all findings: Scripts/fleet

                """)
        let verbose = try folder.meterfix(arguments: words + ["--verbose"] + stores)
        #expect(verbose.stdout.hasSuffix("\n\n" + text.stdout) && verbose.stdout.hasPrefix("healthy.sqlite: "))
        for (options, count) in [(["--json"], stores.count), (["--quiet"], 0)] {
            let answer = try folder.meterfix(arguments: words + options + stores)
            #expect(answer.stdout.split(separator: "\n").count == count)
        }
        for format in ["markdown", "html"] {
            let page = try folder.meterfix(arguments: words + ["--format", format] + stores)
            #expect(page.stdout.contains("6 stores: 1 clean"), "\(format)")
        }
        #expect(try !folder.meterfix(arguments: words + [stores[0]]).stdout.contains("1 store"))
    }

    @Test("are listed by a finding, a path on each line, as xargs takes it")
    func with() throws {
        let folder = try ScratchFolder()
        let stores = ["it's \"one\".sqlite", "-two.sqlite", "three.sqlite", "clean.sqlite", "gone.sqlite"]
        for name in stores.prefix(3) { try folder.copySampleFile("check-lock-torn.sqlite", as: name) }
        try folder.copySampleFile("healthy.sqlite", as: "clean.sqlite")
        let words = ["verify", "--with", "lock-torn", "--now", SampleSession.now]
        let answer = try folder.meterfix(arguments: words + ["--"] + stores)
        #expect(answer.stdout == "'it'\\''s \"one\".sqlite'\n'./-two.sqlite'\nthree.sqlite\n")
        #expect(answer.code == 66)
        #expect(try folder.meterfix(arguments: words + ["three.sqlite"]).stdout == "three.sqlite\n")
        #expect(try folder.meterfix(arguments: words + ["clean.sqlite"]).stdout.isEmpty)
        let line = #""$METERFIX" verify --with lock-torn -- *.sqlite | xargs -n 1 ls"#
        let listed = try MeterfixProcess.shell(line, in: folder.path)
        #expect(listed.stdout == "./-two.sqlite\nit's \"one\".sqlite\nthree.sqlite\n")
        for words in [["--json"], ["--format", "html"], ["--ignore", "lock-torn"]] {
            #expect(try folder.meterfix(arguments: ["verify", "--with", "lock-torn"] + words + stores).code == 64)
        }
    }

    @Test(
        "are verified all but those that may not be read, each of which says so",
        .enabled(if: Unprivileged.words != nil, "the superuser has every permission"))
    func unreadable() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        try folder.makeFolder("closed")
        for name in ["first", "secret", "closed/inside", "last"] {
            try folder.copySampleFile("duplicates.sqlite", as: name + ".sqlite")
        }
        let locked = ["secret.sqlite", "wal-only.sqlite-wal", "closed"].map { folder.path + "/" + $0 }
        for path in locked { chmod(path, 0) }
        defer { chmod(folder.path + "/closed", 0o700) }
        let stores = ["first", "secret", "wal-only", "closed/inside", "last"].map { $0 + ".sqlite" }
        for jobs in ["1", "3"] {
            let answer = try folder.unprivilegedMeterfix(arguments: ["verify", "--json", "--jobs", jobs] + stores)
            let documents = try answer.stdout.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
            #expect(documents.map { $0["store"]?.string } == stores)
            #expect(documents.map { $0["error"]?["code"] == .integer(77) } == [false, true, true, true, false])
            #expect(documents[0]["summary"] != nil && documents[0]["summary"] == documents[4]["summary"])
            #expect(answer.stderr.split(separator: "\n").count { $0.hasSuffix("permission denied") } == 3)
            #expect(answer.code == 77 && answer.leftovers.isEmpty)
        }
    }

    @Test("that a signal stops end with 130, and leave nothing behind")
    func interrupted() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        let run = try MeterfixProcess.start(
            ["verify", "--json", "--jobs", "3"] + Array(repeating: "wal-only.sqlite", count: 3_000), in: folder.path)
        while run.isRunning, try run.privateCopy == nil { usleep(500) }
        run.send(SIGINT)
        let answer = try run.answer()
        answer.expect(130, saying: " stores not verified\n")
        #expect(answer.leftovers.isEmpty)
        #expect(answer.stdout.split(separator: "\n").count < 3_000)
    }

    @Test("are all accounted for where the last of them is interrupted")
    func lastInterrupted() throws {
        let folder = try InterruptionTests.bigStore(records: 120_000)
        try folder.copyStore("healthy")
        let run = try MeterfixProcess.start(
            ["verify", "--json", "--jobs", "1", "healthy.sqlite", "big.sqlite"], in: folder.path)
        // The first answer comes as soon as it is there, and the other store takes long.
        while run.isRunning, try run.output.isEmpty { usleep(500) }
        usleep(20_000)
        run.send(SIGINT)
        let answer = try run.answer()
        #expect(answer.code == 130)
        #expect(answer.stderr == "meterfix: big.sqlite: interrupted; nothing was changed\n")
    }

    @Test(
        "end where the answer cannot be written, with 74",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDisk() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        let stores = Array(repeating: "wal-only.sqlite", count: 100).joined(separator: " ")
        let answer = try MeterfixProcess.shell(#""$METERFIX" verify --jobs 3 \#(stores) >/dev/full"#, in: folder.path)
        #expect(answer.stderr.hasPrefix("meterfix: standard output: the answer cannot be written: "))
        #expect(answer.code == 74 && answer.leftovers.isEmpty)
    }

    @Test("need a number of threads that makes sense", arguments: ["0", "-1", "many"])
    func wrongNumber(_ number: String) throws {
        let folder = try ScratchFolder(sample: "healthy")
        let answer = try folder.meterfix("verify", "--jobs=\(number)", "healthy.sqlite", "healthy.sqlite")
        #expect(answer.code == 64 && answer.stdout.isEmpty)
    }
}
