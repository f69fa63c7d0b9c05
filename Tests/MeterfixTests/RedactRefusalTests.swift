import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("redact")
struct RedactRefusalTests {
    private static let store = "duplicates.sqlite"

    @Test(
        "takes no other file for a map", arguments: ["letter.json", "cut.json", "empty.json", "verify.json", "folder"])
    func otherMap(_ place: String) throws {
        let folder = try OutputPlaceTests.folder()
        try folder.write("This is a letter, not a map.\n", to: "letter.json")
        try folder.write(String(RedactedCopy.otherNumbers.dropLast(20)), to: "cut.json")
        try folder.write("", to: "empty.json")
        try folder.write(try folder.meterfix("verify", "--json", Self.store).stdout, to: "verify.json")
        try folder.makeFolder("folder")
        let answer = try folder.traceless(["redact", Self.store, "copy.sqlite", "--map", place], withFolder: false)
        #expect(answer.code == 73, "\(answer.stderr)")
        #expect(answer.stderr.hasPrefix("meterfix: \(place): this file exists already, and it is not a map"))
        #expect(answer.stdout.isEmpty)
    }

    @Test("makes no copy beside what SQLite would take for its log", arguments: ["-wal", "-shm", "-journal"])
    func besideLog(_ suffix: String) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.write("left behind", to: "copy.sqlite\(suffix)")
        let answer = try folder.traceless(
            ["redact", Self.store, "copy.sqlite", "--map", "map.json"], withFolder: false)
        #expect(answer.code == 73, "\(answer.stderr)")
    }

    @Test(
        "does not write two things to one file, however it is named",
        arguments: [
            ["copy.sqlite", "--map", "copy.sqlite"], ["copy.sqlite", "--map", "here/copy.sqlite"],
            ["copy.sqlite", "--map", "./copy.sqlite"], ["copy.sqlite", "--map", "copy.sqlite-wal"],
            ["copy.sqlite", "--map", "copy.sqlite-journal"],
        ])
    func oneFile(_ words: [String]) throws {
        let folder = try OutputPlaceTests.folder()
        let answer = try folder.traceless(["redact", Self.store] + words, withFolder: false)
        #expect([64, 73].contains(answer.code), "\(answer.code) \(answer.stderr)")
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

    @Test(
        "refuses what is no store with the code of the other commands, and makes nothing",
        arguments: SampleShelf.samples.filter {
            $0.refusal == 65 || ["check-not-intact", "check-index-damaged", "not-core-data"].contains($0.name)
        })
    func noStore(_ sample: Sample) throws {
        let folder = try ScratchFolder(of: sample)
        let before = try folder.snapshot
        let words = ["redact", sample.storeName, "copy.sqlite", "--map", "map.json"]
        let answer = try folder.meterfix(arguments: words)
        switch sample.name {
        // It may also be copied as far as it can be read.
        case "check-not-intact", "check-index-damaged": #expect([2, 65].contains(answer.code), "\(answer.stderr)")
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
        let answer = try folder.traceless(
            ["redact", Self.store, "copy.sqlite", "--map", "map.json"], withFolder: false)
        #expect(answer.code == 4, "\(answer.stderr)")
    }

    @Test("says that there is no store, and makes nothing")
    func missing() throws {
        let folder = try OutputPlaceTests.folder()
        for (path, codes) in [("gone.sqlite", [66]), ("nowhere", [66]), ("other", [65, 66]), ("", [64, 66])] {
            let answer = try folder.traceless(["redact", path, "copy.sqlite", "--map", "map.json"], withFolder: false)
            #expect(codes.contains(Int(answer.code)), "\(path): \(answer.code) \(answer.stderr)")
        }
        for words in [[], ["copy.sqlite", "--now", "soon"]] {
            #expect(try folder.traceless(["redact", Self.store] + words, withFolder: false).code == 64)
        }
    }

    @Test("gives the map to its owner alone, also one that others could read, and says so")
    func modes() throws {
        let folder = try OutputPlaceTests.folder()
        func run(_ copy: String) throws -> MeterfixProcess.Answer {
            try folder.meterfix("redact", Self.store, copy, "--map", "map.json", "--now", SampleSession.now)
        }
        func mode() throws -> Int? {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/map.json")
            return (attributes[.posixPermissions] as? NSNumber)?.intValue
        }
        let first = try run("one.sqlite")
        try #require(first.code == 0, "\(first.stderr)")
        #expect(try first.stderr.isEmpty && mode() == 0o600)
        #expect(chmod(folder.path + "/map.json", 0o644) == 0)
        let before = try folder.snapshot
        let second = try run("two.sqlite")
        #expect(second.code == 0)
        #expect(
            second.stderr
                == "meterfix: warning: others could read map.json, which says who is who: from now on only its owner can\n"
        )
        #expect(try mode() == 0o600)
        let new = try folder.snapshot.differences(from: before, withFolder: false).filter { $0.hasSuffix("is new") }
        #expect(new == ["two.sqlite is new", "two.sqlite-wal is new"])
        #expect(try folder.bytes("one.sqlite") == folder.bytes("two.sqlite"))
    }

    @Test("keeps a map that is there, with all numbers in it, wherever the disk is full or fails")
    func faultyContinuation() throws {
        guard FaultyCalls.library != nil, !Sanitizer.isOn else { return }
        func folder() throws -> ScratchFolder {
            let folder = try ScratchFolder(sample: "duplicates")
            try folder.write(RedactedCopy.otherNumbers, to: "map.json")
            return folder
        }
        let words = ["redact", Self.store, "copy.sqlite", "--map", "map.json", "--now", SampleSession.now]
        let (answer, calls) = try FaultyCalls.sequence(words, in: folder())
        try #require(answer.code == 0, "\(answer.stderr)")
        let ofMap = calls.filter { $0.path.contains("map.json") || $0.path.hasSuffix("copy.sqlite") }.map(\.number)
        #expect(!ofMap.isEmpty)
        for number in ofMap.suffix(12) {
            let folder = try folder()
            let (answer, _) = try FaultyCalls.run(words, in: folder, .full, at: number)
            let map = try JSONValue(parsing: folder.bytes("map.json"))
            let values = try #require(map["values"]?.elements, "\(number)")
            #expect(values.count >= 5, "\(number)")
            #expect(values.contains { $0["original"] == "nobody's meter" && $0["number"] == .integer(70707) })
            let names = try folder.snapshot.names
            #expect(names.contains("copy.sqlite") == (answer.code == 0), "\(number): \(answer.stderr)")
            #expect(answer.leftovers == [])
        }
    }

    @Test("writes in the map who is who")
    func map() throws {
        let folder = try OutputPlaceTests.folder()
        let answer = try folder.meterfix(
            "redact", Self.store, "copy.sqlite", "--map", "map.json", "--now", SampleSession.now)
        try #require(answer.code == 0, "\(answer.stderr)")
        let map = try folder.text("map.json")
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
        try #require(json.code == 2, "\(json.stderr)")
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

    @Test("leaves out a search index with its triggers, and names them: the copy can be changed")
    func searchIndexes() throws {
        for (sql, triggers) in [
            (StoreFixture.fullTextIndex, 3),
            (
                """
                CREATE VIRTUAL TABLE suche USING fts5(ZMETERNAME, content='ZDEVICESETTINGS', content_rowid='Z_PK');
                INSERT INTO suche (suche) VALUES ('rebuild');
                CREATE TRIGGER suche_neu AFTER UPDATE ON ZDEVICESETTINGS BEGIN
                INSERT INTO suche (suche, rowid, ZMETERNAME) VALUES ('delete', old.Z_PK, old.ZMETERNAME); END
                """, 1
            ),
        ] {
            let folder = try ScratchFolder(sample: "healthy")
            try folder.execute(sql, in: "healthy.sqlite")
            let answer = try folder.meterfix(
                "redact", "healthy.sqlite", "copy.sqlite", "--json", "--now", SampleSession.now)
            #expect(answer.code == 2, "\(answer.stderr)")
            let leftOut = try answer.json["leftOut"]?.elements?.compactMap(\.string) ?? []
            #expect(leftOut.count { $0.hasPrefix("the virtual table ") } == 1, "\(leftOut)")
            #expect(leftOut.count { $0.hasPrefix("the trigger ") } == triggers, "\(leftOut)")
            #expect(leftOut.count == 1 + triggers)
            let kept = try answer.json["kept"]?.elements?.compactMap(\.string) ?? []
            #expect(!kept.contains { $0.contains("suche") || $0.contains("fullText") }, "\(kept)")
            try folder.execute(
                "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'x' WHERE Z_PK = 1; DELETE FROM ZDEVICESETTINGS",
                in: "copy.sqlite")
        }
    }

    @Test("answers in each format, with one document of JSON")
    func formats() throws {
        let folder = try OutputPlaceTests.folder()
        let json = try folder.meterfix("redact", Self.store, "a.sqlite", "--json", "--now", SampleSession.now)
        #expect(json.code == 0)
        let document = try json.json
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
            "\(FileSizeLimit.command(kilobytes)) && exec \"$METERFIX\" redact \(Self.store) copy.sqlite --map map.json",
            in: folder.path)
        #expect([73, 74, 77].contains(answer.code), "\(kilobytes): \(answer.code) \(answer.stderr)")
        let left = try folder.snapshot.differences(from: before, withFolder: false)
        #expect(left == [], "\(kilobytes)")
        #expect(answer.leftovers == [])
    }

    @Test("leaves nothing behind at whichever call the disk is full or fails", .faultyCalls)
    func faultyCalls() throws {
        let words = ["redact", Self.store, "copy.sqlite", "--map", "map.json", "--now", SampleSession.now]
        let (answer, calls) = try FaultyCalls.sequence(words, in: ScratchFolder(sample: "duplicates"))
        try #require(answer.code == 0, "\(answer.stderr)")
        // Those in the folder of the test, a few of each kind: first, last and in between.
        let numbers = Set(
            Dictionary(grouping: calls, by: { "\($0.name) \($0.path)" }).values.flatMap { group in
                [group.first, group.last, group[group.count / 2]].compactMap { $0?.number }
            }
        ).sorted()
        let tried =
            FaultyCalls.isThorough
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
                        changes == ["copy.sqlite is new", "copy.sqlite-wal is new", "map.json is new"],
                        "\(fault) at \(call)")
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
            "redact", "evidence/\(sample).sqlite", "evidence/copy.sqlite", "--map", "map.json")
        #expect([73, 77].contains(refused.code), "\(refused.code) \(refused.stderr)")
        #expect(try FolderSnapshot(folder.path + "/evidence").differences(from: before).isEmpty)
        #expect(try folder.snapshot.names.contains("map.json") == false)
    }

    @Test("leaves nothing behind when it is interrupted")
    func interrupted() throws {
        let folder = try InterruptionTests.bigStore(records: 20_000)
        let before = try folder.snapshot
        let run = try MeterfixProcess.start(
            ["redact", "big.sqlite", "copy.sqlite", "--map", "map.json"], in: folder.path)
        usleep(400_000)
        run.send(SIGINT)
        let answer = try run.answer()
        #expect(answer.code == 130 && answer.leftovers.isEmpty, "\(answer.code) \(answer.stderr)")
        #expect(try folder.snapshot.differences(from: before, withFolder: false) == [])
    }
}
