import Foundation
import GRDB
import JSON
import MeterTestSupport
import Testing

@Suite("recover")
struct RecoverTests {
    @Test("answers as Tests/Goldens/recover says, and touches nothing but the new store")
    func golden() throws {
        let folder = try ScratchFolder(
            samples: "healthy", "truncated", "check-not-intact", "not-a-database", "empty", "not-core-data")
        let transcript = Transcript(in: folder)
        func run(_ words: String...) throws {
            let before = try folder.snapshot
            try transcript.run(["recover"] + words)
            for suffix in ["", "-wal"] {
                try? FileManager.default.removeItem(atPath: "\(folder.path)/out.sqlite\(suffix)")
            }
            #expect(try folder.snapshot.hasSameBytes(as: before), "\(words)")
        }
        for name in ["healthy", "check-not-intact", "truncated", "not-a-database", "empty", "not-core-data", "gone"] {
            try run("\(name).sqlite", "out.sqlite")
        }
        try run("healthy.sqlite", "truncated.sqlite")
        try run("truncated.sqlite", "out.sqlite", "--json")
        try transcript.compare(with: "recover/recover.txt")
    }

    @Test("gives a store back that every command works on", arguments: ["Z_PRIMARYKEY", "ZDEVICESETTINGS"])
    func brokenRoot(table: String) throws {
        let folder = try ScratchFolder(sample: "check-mirror-pending")
        try folder.copySampleFile("healthy.sqlite", as: "store.sqlite")
        let before = try folder.meterfix("meters", "store.sqlite", "--json").json["meters"]
        try folder.breakRoot(of: table, in: "store.sqlite")
        let answer = try folder.meterfix("recover", "store.sqlite", "new.sqlite", "--now", SampleSession.now)
        #expect(answer.code == 2)
        #expect(answer.stdout.contains("of \(table): the rows on it are lost"))
        #expect(answer.stdout.contains("ask for the store again"))
        let after = try folder.meterfix("meters", "new.sqlite", "--json").json["meters"]
        #expect((after == before) == (table != "ZDEVICESETTINGS"))
        #expect(try folder.meterfix("verify", "new.sqlite", "--quiet", "--now", SampleSession.now).code < 2)
    }

    @Test("reads a store that lost its first page", arguments: ["healthy", "v1", "blob", "duplicates"])
    func firstPage(sample: String) throws {
        let folder = try ScratchFolder(sample: sample)
        let count = try folder.records(in: "\(sample).sqlite")
        try folder.breakPage(1, of: "\(sample).sqlite")
        let answer = try folder.meterfix(
            "recover", "\(sample).sqlite", "new.sqlite", "--json", "--now", SampleSession.now)
        // The schema of a mirrored store is on other pages too.
        #expect(answer.code == (sample == "healthy" ? 0 : 2))
        let tables = try answer.json["tables"]?.elements ?? []
        #expect(tables.first { $0["name"]?.string == "ZDEVICESETTINGS" }?["read"] == count.json)
        #expect(try folder.records(in: "new.sqlite") == count)
    }

    @Test(
        "does not call rows lost that it has all found, where only the head of their page is broken",
        arguments: [6, 150])
    func brokenHead(firstRow: Int) throws {
        let folder = try ScratchFolder(sample: "healthy")
        let names = (0..<300).map { "\"24:71:89:0A:0\($0 / 100):\($0 % 100 + 100)\": \"Meter \($0)\"" }
            .map { $0.replacing(/:1(\d\d)"/) { ":\($0.1)\"" } }
        try folder.write("{\"MeterNames\": {\(names.joined(separator: ", "))}}", to: "many.json")
        let imported = try folder.meterfix("import-kv", "-q", "--no-backup", "many.json", "healthy.sqlite")
        #expect(imported.code == 0, "\(imported.stderr)")
        try folder.execute("PRAGMA wal_checkpoint(TRUNCATE)", in: "healthy.sqlite")
        // Which meter has which row, chance decides.
        let name = try StoreText.read(folder.path + "/healthy.sqlite") {
            try String.fetchOne(
                $0,
                sql:
                    "SELECT ZMETERNAME FROM ZDEVICESETTINGS WHERE Z_PK >= ? AND ZMETERNAME LIKE 'Meter ___' ORDER BY Z_PK",
                arguments: [firstRow])
        }
        var bytes = try FileBytes.read(folder.path + "/healthy.sqlite")
        let size = 4096
        let word = Array(try #require(name).utf8)
        let page = try #require(
            (1..<bytes.count / size).first { page in
                bytes[page * size] == 0x0D
                    && bytes[page * size..<(page + 1) * size].indices.dropLast(word.count).contains {
                        bytes[$0..<$0 + word.count].elementsEqual(word)
                    }
            })
        bytes[page * size] = 0
        try FileBytes.write(bytes, to: folder.path + "/healthy.sqlite")
        let answer = try folder.meterfix("recover", "healthy.sqlite", "new.sqlite", "--now", SampleSession.now)
        #expect(answer.stdout.contains("broken, but no row is lost"), "\(answer.stdout)")
        #expect(!answer.stdout.contains("some rows on it are lost"))
        #expect(try folder.records(in: "new.sqlite") == 305)
    }
}

extension ScratchFolder {
    /// Overwrites a page of a store with zeros.
    func breakPage(_ page: Int, of name: String) throws { try PageDamage.zeros.apply(to: page, of: "\(path)/\(name)") }

    /// Overwrites the first page of a table with zeros.
    func breakRoot(of table: String, in name: String) throws {
        guard let root = try PageOwners(of: "\(path)/\(name)").roots[table] else {
            throw MeterfixProcess.Failure(description: "no table \(table)")
        }
        try breakPage(root, of: name)
    }

    /// Overwrites the first leaf of a table with zeros, and the length of a row on its last.
    func breakLeaves(of table: String, in name: String) throws {
        let pages = try PageOwners(of: "\(path)/\(name)").pages
        let leaves = pages.filter { $0.value.owner == table && $0.value.isLeaf }.keys.sorted()
        guard leaves.count > 1, let first = leaves.first, let last = leaves.last else {
            throw MeterfixProcess.Failure(description: "\(table) is not so large")
        }
        try breakPage(first, of: name)
        var bytes = try FileBytes.read("\(path)/\(name)")
        let page = (last - 1) * 4096
        let cell = page + Int(bytes[page + 8]) << 8 + Int(bytes[page + 9])
        bytes[cell + 1] ^= 1
        try FileBytes.write(bytes, to: "\(path)/\(name)")
    }

    func records(in name: String) throws -> Int {
        try TableContents(of: "\(path)/\(name)").tables["ZDEVICESETTINGS"]?.count ?? -1
    }
}
