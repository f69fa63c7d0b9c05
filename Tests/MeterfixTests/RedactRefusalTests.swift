import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("redact")
struct RedactRefusalTests {
    private static let store = "duplicates.sqlite"

    @Test(
        "takes no other file for a key", arguments: ["not-a.key", "cut.key", "empty.key", "head.key"])
    func key(_ place: String) throws {
        let folder = try OutputPlaceTests.folder()
        try folder.write("This is a letter, not a key.\n", to: "not-a.key")
        let key = try FileBytes.read(RedactKeys.shared.get())
        try FileBytes.write(Array(key.dropLast(key.count / 3)), to: folder.path + "/cut.key")
        try folder.write("", to: "empty.key")
        try FileBytes.write(Array(key.prefix { $0 != 0x0A }), to: folder.path + "/head.key")
        let before = try folder.snapshot
        for words in [[], ["--map", "map.json"]] {
            let answer = try folder.meterfix(arguments: ["redact", Self.store, "copy.sqlite", "--key", place] + words)
            #expect(answer.code == 73, "\(answer.stderr)")
            #expect(answer.stderr.hasPrefix("meterfix: "), "\(answer.stderr)")
            #expect(answer.stdout.isEmpty)
            #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty)
        }
    }

    @Test("makes no copy beside what SQLite would take for its log", arguments: ["-wal", "-shm", "-journal"])
    func besideLog(_ suffix: String) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.write("left behind", to: "copy.sqlite\(suffix)")
        let before = try folder.snapshot
        let answer = try folder.meterfix("redact", Self.store, "copy.sqlite", "--key", "new.key", "--map", "map.json")
        #expect(answer.code == 73, "\(answer.stderr)")
        #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty)
    }

    @Test(
        "does not write two things to one file, however it is named",
        arguments: [
            ["copy.sqlite", "--map", "copy.sqlite"], ["copy.sqlite", "--key", "copy.sqlite"],
            ["copy.sqlite", "--map", "one", "--key", "one"], ["copy.sqlite", "--map", "here/copy.sqlite"],
            ["copy.sqlite", "--key", "./copy.sqlite"], ["copy.sqlite", "--map", "copy.sqlite-wal"],
            ["copy.sqlite", "--key", "copy.sqlite-journal"], ["copy.sqlite", "--map", "here/one", "--key", "one"],
        ])
    func oneFile(_ words: [String]) throws {
        let folder = try OutputPlaceTests.folder()
        let before = try folder.snapshot
        let answer = try folder.meterfix(arguments: ["redact", Self.store] + words)
        #expect([64, 73].contains(answer.code), "\(answer.code) \(answer.stderr)")
        #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty)
    }

    @Test("takes the store from METERFIX_STORE where one file is named, and asks for both where it is not set")
    func environment() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let answer = try folder.meterfix("redact", "copy.sqlite", environment: ["METERFIX_STORE": Self.store])
        #expect(answer.code == 0, "\(answer.stderr)")
        #expect(answer.stdout.hasPrefix("copy.sqlite: "))
        let refused = try folder.meterfix("redact", Self.store)
        #expect(refused.code == 64)
        #expect(refused.stderr.hasPrefix("meterfix: name a STORE and OUT"))
        let named = try folder.meterfix(
            "redact", Self.store, "other.sqlite", environment: ["METERFIX_STORE": "gone.sqlite"])
        #expect(named.code == 0)
    }

    @Test("takes a key whatever ends its lines, and warns of one that others may read")
    func foreignKey() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let key = String(decoding: try FileBytes.read(RedactKeys.shared.get()), as: UTF8.self)
        for (name, text, mode) in [
            ("unix.key", key, 0o600), ("windows.key", key.replacing("\n", with: "\r\n"), 0o644),
            ("bare.key", String(key.dropLast()), 0o640),
        ] as [(String, String, mode_t)] {
            try folder.write(text, to: name)
            #expect(chmod(folder.path + "/" + name, mode) == 0)
            let answer = try folder.meterfix("redact", "--key", name, Self.store, name + ".sqlite")
            #expect(answer.code == 0, "\(answer.stderr)")
            #expect(
                answer.stderr
                    == (mode == 0o600
                        ? ""
                        : "meterfix: warning: others may read \(name); whoever has it and the copy can try out who is who: "
                            + "chmod go-rwx \(name)\n"))
        }
        let copies = try ["unix", "windows", "bare"].map { try FileBytes.read("\(folder.path)/\($0).key.sqlite") }
        #expect(copies[0] == copies[1] && copies[0] == copies[2])
    }

    @Test(
        "refuses what is no store with the code of the other commands, and makes nothing",
        arguments: SampleShelf.samples.filter {
            $0.refusal == 65 || ["check-not-intact", "not-core-data"].contains($0.name)
        })
    func noStore(_ sample: Sample) throws {
        let folder = try ScratchFolder(of: sample)
        let before = try folder.snapshot
        let words = ["redact", sample.storeName, "copy.sqlite", "--key", "new.key", "--map", "map.json"]
        let answer = try folder.meterfix(arguments: words)
        switch sample.name {
        // It may also be copied as far as it can be read.
        case "check-not-intact": #expect([2, 65].contains(answer.code), "\(answer.stderr)")
        case "not-core-data": #expect([0, 4].contains(answer.code), "\(answer.stderr)")
        default: #expect(answer.code == 65, "\(answer.stderr)")
        }
        #expect(answer.leftovers == [])
        if answer.code > 2 {
            #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty)
        } else {
            let originals = try Originals(of: folder.path + "/" + sample.storeName)
            #expect(originals.found(in: try Haystack(file: folder.path + "/copy.sqlite")).isEmpty)
        }
    }

    @Test("refuses a store whose texts are UTF-16, as the other commands do", arguments: ["UTF-16le", "UTF-16be"])
    func encodings(_ encoding: String) throws {
        let folder = try ScratchFolder()
        try folder.write(sample: "duplicates", inEncoding: encoding, to: Self.store)
        let before = try folder.snapshot
        let answer = try folder.meterfix("redact", Self.store, "copy.sqlite", "--key", "new.key", "--map", "map.json")
        #expect(answer.code == 4, "\(answer.stderr)")
        #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty)
    }

    @Test("says that there is no store, and makes nothing")
    func missing() throws {
        let folder = try OutputPlaceTests.folder()
        let before = try folder.snapshot
        for (path, codes) in [("gone.sqlite", [66]), ("nowhere", [66]), ("other", [65, 66]), ("", [64, 66])] {
            let answer = try folder.meterfix("redact", path, "copy.sqlite", "--key", "new.key", "--map", "map.json")
            #expect(codes.contains(Int(answer.code)), "\(path): \(answer.code) \(answer.stderr)")
            #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty, "\(path)")
        }
        #expect(try folder.meterfix("redact", Self.store).code == 64)
        #expect(try folder.meterfix("redact", Self.store, "copy.sqlite", "--now", "soon").code == 64)
        #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty)
    }

    @Test("gives the key and the map to their owner alone, and leaves a key that it was given as it is")
    func modes() throws {
        let folder = try OutputPlaceTests.folder()
        let first = try folder.meterfix(
            "redact", Self.store, "one.sqlite", "--key", "new.key", "--map", "one.json", "--now", SampleSession.now)
        try #require(first.code == 0, "\(first.stderr)")
        for name in ["new.key", "one.json"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
        }
        let before = try folder.snapshot
        let second = try folder.meterfix(
            "redact", Self.store, "two.sqlite", "--key", "here/new.key", "--map", "two.json", "--now", SampleSession.now
        )
        #expect(second.code == 0, "\(second.stderr)")
        let new = try folder.snapshot.differences(from: before, withFolder: false)
        #expect(new == ["two.json is new", "two.sqlite is new", "two.sqlite-wal is new"])
        #expect(try FileBytes.read(folder.path + "/one.sqlite") == FileBytes.read(folder.path + "/two.sqlite"))
        // The key is no secret of the copy's receiver: nothing of it is in what is sent.
        let key = try FileBytes.read(folder.path + "/new.key")
        let map = try FileBytes.read(folder.path + "/one.json")
        for name in ["one.sqlite", "one.json"] where key.count >= 16 {
            let bytes = Data(try FileBytes.read(folder.path + "/" + name))
            #expect(bytes.firstRange(of: Data(key.suffix(32).prefix(24))) == nil, "\(name)")
        }
        #expect(try JSONValue(parsing: map) != .null)
    }

    @Test("writes in the map who is who")
    func map() throws {
        let folder = try OutputPlaceTests.folder()
        let answer = try folder.meterfix(
            "redact", Self.store, "copy.sqlite", "--map", "map.json", "--now", SampleSession.now)
        try #require(answer.code == 0, "\(answer.stderr)")
        let map = String(decoding: try FileBytes.read(folder.path + "/map.json"), as: UTF8.self)
        let cells = try ["duplicates.sqlite", "copy.sqlite"].map {
            try StoreCells(of: folder.path + "/" + $0).tables["ZDEVICESETTINGS"] ?? []
        }
        let document = try JSONValue(parsing: Array(map.utf8))
        var texts: Set<String> = []
        func collect(_ value: JSONValue) {
            switch value {
            case .string(let text): texts.insert(text)
            case .array(let elements): elements.forEach(collect)
            case .object(let members):
                for member in members {
                    texts.insert(member.key)
                    collect(member.value)
                }
            default: break
            }
        }
        collect(document)
        for rows in cells {
            for column in ["ZMETERNAME", "ZLASTSEENBYDEVICENAME"] {
                for row in rows {
                    let name = String(decoding: row[column]?.bytes ?? [], as: UTF8.self).trimmingCharacters(
                        in: .whitespacesAndNewlines)
                    if name.isEmpty || name == "iPad" { continue }
                    #expect(
                        texts.contains { $0.trimmingCharacters(in: .whitespacesAndNewlines) == name },
                        "\(column): \(name)")
                }
            }
        }
        // Without being asked, who is who is told nobody.
        for name in ["Kitchen charger", "Lab TC66", "Chloé"] { #expect(!answer.stdout.contains(name)) }
    }

    @Test("tells in its answer what it did not know, and nothing of what was in it")
    func answer() throws {
        let store = try #require(RedactStore.named("made-everywhere"))
        let copy = try RedactedCopy.of(store)
        let folder = copy.folder
        let json = try folder.meterfix("redact", store.file, "again.sqlite", "--json", "--now", SampleSession.now)
        try #require(json.code == 0, "\(json.stderr)")
        // Keys of the metadata are named, so that somebody can say whether they matter.
        for text in [copy.answer.stdout, json.stdout] { #expect(text.contains("de.olga.lieblingszähler")) }
        let originals = try Originals(of: copy.originalPath)
        let told = Haystack(bytes: Array((copy.answer.stdout + json.stdout + copy.answer.stderr).utf8))
        let found = originals.found(in: told).map(\.description).filter { !$0.contains("Z_METADATA.Z_PLIST") }
        #expect(found == [])
    }

    @Test(
        "takes what a check of the schema allows, or says that it cannot",
        arguments: [
            "n INTEGER CHECK (n BETWEEN 0 AND 5)", "n TEXT CHECK (length(n) < 4)", "n INTEGER UNIQUE",
            "n TEXT CHECK (n IN ('ja', 'nein'))", "n TEXT NOT NULL CHECK (n <> '')", "n REAL CHECK (n < 10)",
        ])
    func constraints(_ column: String) throws {
        let folder = try ScratchFolder(sample: "healthy")
        let values = column.contains("TEXT") ? "('ja'), ('nein')" : "(3), (4)"
        try folder.execute(
            "CREATE TABLE enge (\(column)); INSERT INTO enge VALUES \(column.contains("< 4") ? "('ja'), ('ne')" : values)",
            in: "healthy.sqlite")
        let before = try folder.snapshot
        let answer = try folder.meterfix("redact", "healthy.sqlite", "copy.sqlite", "--now", SampleSession.now)
        if answer.code > 2 {
            #expect(answer.code == 4, "\(answer.code) \(answer.stderr)")
            #expect(try folder.snapshot.differences(from: before, withFolder: false).isEmpty)
        } else {
            #expect(try StoreFormat(of: folder.path + "/copy.sqlite").integrity == "ok", "\(answer.stdout)")
            #expect(
                try StoreCells(of: folder.path + "/copy.sqlite").tables["enge"]?.count == (answer.code == 0 ? 2 : nil)
                    || answer.code == 2)
        }
    }

    @Test("carries over a table of full-text search, or names it and ends with 2")
    func fullTextSearch() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.execute(
            """
            CREATE VIRTUAL TABLE suche USING fts5 (inhalt);
            INSERT INTO suche VALUES ('Liebesbrief von Leonore'), ('Rezept der Urgroßmutter')
            """, in: "healthy.sqlite")
        let answer = try folder.meterfix("redact", "healthy.sqlite", "copy.sqlite", "--now", SampleSession.now)
        #expect([0, 2].contains(answer.code), "\(answer.stderr)")
        let rows = try StoreCells(of: folder.path + "/copy.sqlite").tables["suche_content"]?.count ?? 0
        #expect(rows == 2 || answer.code == 2 && answer.stdout.contains("suche"), "\(rows) \(answer.stdout)")
        let originals = try Originals(of: folder.path + "/healthy.sqlite")
        let found = originals.found(in: try Haystack(file: folder.path + "/copy.sqlite"))
        #expect(found.isEmpty, "\(found.map(\.description))")
    }

    @Test("answers in each format, with one document of JSON")
    func formats() throws {
        let folder = try OutputPlaceTests.folder()
        let json = try folder.meterfix("redact", Self.store, "a.sqlite", "--json", "--now", SampleSession.now)
        #expect(json.code == 0)
        let document = try JSONValue(parsing: Array(json.stdout.utf8))
        #expect(document["schema"] == .integer(1))
        #expect(document["command"] == "redact")
        #expect(try folder.meterfix("redact", Self.store, "b.sqlite", "--quiet").stdout.isEmpty)
    }

    // MARK: disks

    @Test("leaves nothing behind where the files may not grow", arguments: [0, 1, 4, 30, 100, 200])
    func fileSizeLimit(_ kilobytes: Int) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let before = try folder.snapshot
        let answer = try MeterfixProcess.shell(
            "\(FileSizeLimit.command(kilobytes)) && exec \"$METERFIX\" redact \(Self.store) copy.sqlite --key new.key --map map.json",
            in: folder.path)
        #expect([73, 74, 77].contains(answer.code), "\(kilobytes): \(answer.code) \(answer.stderr)")
        let left = try folder.snapshot.differences(from: before, withFolder: false)
        #expect(left == [], "\(kilobytes)")
        #expect(answer.leftovers == [])
    }

    @Test(
        "leaves nothing behind at whichever call the disk is full or fails",
        .enabled(if: FaultyCalls.library != nil, "no library can be put in front of the system's here"),
        .disabled(if: Sanitizer.isOn, "a sanitizer's own library must be the first, and wraps the same calls"))
    func faultyCalls() throws {
        let words = [
            "redact", Self.store, "copy.sqlite", "--key", "new.key", "--map", "map.json", "--now", SampleSession.now,
        ]
        let (answer, calls) = try FaultyCalls.sequence(words, in: ScratchFolder(sample: "duplicates"))
        try #require(answer.code == 0, "\(answer.stderr)")
        // Those in the folder of the test, a few of each kind: first, last and in between.
        let numbers = Set(
            Dictionary(grouping: calls, by: { "\($0.name) \($0.path)" }).values.flatMap { group in
                [group.first, group.last, group[group.count / 2]].compactMap { $0?.number }
            }
        ).sorted()
        let isThorough = ProcessInfo.processInfo.environment["METERFIX_ALL_FAULTS"] != nil
        let tried =
            isThorough
            ? numbers
            : numbers.enumerated().filter { $0.offset.isMultiple(of: max(1, numbers.count / 8)) }.map(\.element)
        // The removal of the folder in which the copy is made is always among them.
        let removals = calls.filter { $0.name == "rmdir" }.map(\.number)
        #expect(!removals.isEmpty)
        for number in Set(tried + removals).sorted() {
            for fault in [FaultyCalls.Fault.failed, .full] {
                let folder = try ScratchFolder(sample: "duplicates")
                let before = try folder.snapshot
                let (answer, _) = try FaultyCalls.run(words, in: folder, fault, at: number)
                let changes = try folder.snapshot.differences(from: before, withFolder: false)
                let call = calls.first { $0.number == number }.map { "\($0.name) of \($0.path)" } ?? ""
                // A call whose failure does not matter, such as the removal of a file that is gone, stops nothing.
                if answer.code == 0 {
                    #expect(
                        changes == [
                            "copy.sqlite is new", "copy.sqlite-wal is new", "map.json is new", "new.key is new",
                        ], "\(fault) at \(call)")
                } else {
                    #expect([73, 74, 77].contains(answer.code), "\(fault) at \(call): \(answer.code) \(answer.stderr)")
                    #expect(changes == [], "\(fault) at \(call)")
                }
            }
        }
    }

    @Test(
        "reads a store in a folder that may only be read, and makes nothing in one",
        .enabled(if: Unprivileged.words != nil, "the superuser has every permission"),
        arguments: ["duplicates", "wal-only"])
    func readOnlyFolder(_ sample: String) throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("evidence")
        for name in try #require(SampleShelf.sample(sample)).fileNames {
            try folder.copySampleFile(name, as: "evidence/" + name)
            chmod(folder.path + "/evidence/" + name, 0o400)
        }
        chmod(folder.path + "/evidence", 0o500)
        defer { chmod(folder.path + "/evidence", 0o700) }
        let before = try FolderSnapshot(folder.path + "/evidence")
        let answer = try folder.unprivilegedMeterfix(
            "redact", "evidence/\(sample).sqlite", "copy.sqlite", "--now", SampleSession.now)
        #expect(answer.code == 0, "\(answer.stderr)")
        #expect(try FolderSnapshot(folder.path + "/evidence").differences(from: before).isEmpty)
        let refused = try folder.unprivilegedMeterfix(
            "redact", "evidence/\(sample).sqlite", "evidence/copy.sqlite", "--key", "new.key", "--map", "map.json")
        #expect([73, 77].contains(refused.code), "\(refused.code) \(refused.stderr)")
        #expect(try FolderSnapshot(folder.path + "/evidence").differences(from: before).isEmpty)
        #expect(try folder.snapshot.names.contains("new.key") == false)
        #expect(try folder.snapshot.names.contains("map.json") == false)
    }

    @Test("leaves nothing behind when it is interrupted")
    func interrupted() throws {
        let folder = try InterruptionTests.bigStore(records: 20_000)
        let before = try folder.snapshot
        let run = try MeterfixProcess.start(
            ["redact", "big.sqlite", "copy.sqlite", "--key", "new.key", "--map", "map.json"], in: folder.path)
        usleep(400_000)
        run.send(SIGINT)
        let answer = try run.answer()
        #expect(answer.code == 130, "\(answer.code) \(answer.stderr)")
        #expect(answer.leftovers == [])
        #expect(try folder.snapshot.differences(from: before, withFolder: false) == [])
    }
}
