import Foundation
import MeterTestSupport
import Testing

@Suite("with few files or little memory", .enabled(if: !Sanitizer.isOn, "a sanitizer needs more than that"))
struct ResourceLimitTests {
    /// The exit codes that a run may end with here.
    private static let codes: Set<Int32> = [0, 1, 2, 74]
    #if canImport(Darwin)
        /// What the loader of a program says where there is not even room for its libraries: dyld aborts.
        private static let notLoaded: Set<Int32> = [127, 128 + SIGABRT]
    #else
        /// What the loader of a program says where there is not even room for its libraries.
        private static let notLoaded: Set<Int32> = [127]
    #endif

    static let commands = [
        "--version", "status duplicates.sqlite", "verify duplicates.sqlite",
        "verify -q --jobs 3 duplicates.sqlite duplicates.sqlite duplicates.sqlite", "rebuild -n duplicates.sqlite",
        "rebuild -q duplicates.sqlite", "import-kv -q names.json duplicates.sqlite", "undo -q duplicates.sqlite",
        "meters --locked duplicates.sqlite", "compare duplicates.sqlite duplicates.sqlite",
        "undo --list duplicates.sqlite",
    ]

    /// The sample that every run begins with.
    private static let before = Result { try StoreText(of: PackageFolder.samples + "/duplicates.sqlite") }

    /// - Returns: whether the program began at all.
    private func run(_ limit: String, _ command: String) throws -> Bool {
        let folder = try ScratchFolder(sample: "duplicates")
        try folder.copySampleFile("kv/kv-rejects.json", as: "names.json")
        let path = folder.path + "/duplicates.sqlite"
        let answer = try MeterfixProcess.shell("\(limit) && exec \"$METERFIX\" \(command)", in: folder.path)
        guard try !Self.notLoaded.contains(answer.code) && !endsBeforeMain(answer, limit) else { return false }
        #expect(Self.codes.contains(answer.code), "\(limit): \(command): \(answer.code), \(answer.stderr)")
        #expect(!answer.stderr.contains("permission"), "\(limit): \(command): \(answer.stderr)")
        #expect((answer.code == 74) == answer.stderr.contains("\nhint: raise the limit"), "\(limit): \(command)")
        if answer.code == 74 { #expect(try StoreText(of: path) == Self.before.get(), "\(limit): \(command)") }
        return true
    }

    /// Swift registers the protocols of a program before its `main`, and traps where there is not the memory for that: then
    /// every command ends so, even the one that opens nothing.
    private func endsBeforeMain(_ answer: MeterfixProcess.Answer, _ limit: String) throws -> Bool {
        guard answer.code == 128 + SIGILL, answer.stderr.isEmpty else { return false }
        return try MeterfixProcess.shell("\(limit) && exec \"$METERFIX\" --version", in: "/").code == answer.code
    }

    @Test("each command ends by itself, with an answer or with 74 and what to do", arguments: commands)
    func fewDescriptors(_ command: String) throws {
        let begun = try [4, 5, 8, 12, 20, 24, 25, 26, 28, 32].map { try run("ulimit -n \($0)", command) }
        #expect(begun.last == true)
    }

    @Test("the limit that an answer names leads to one that is enough, and one less is not")
    func namedLimit() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        func answer(limit: Int) throws -> MeterfixProcess.Answer {
            try MeterfixProcess.shell(
                "ulimit -n \(limit) && exec \"$METERFIX\" status duplicates.sqlite", in: folder.path)
        }
        /// - Returns: the limit that is enough.
        func search() throws -> Int {
            var limit = 20
            while limit < 200 {
                let answer = try answer(limit: limit)
                guard answer.code == 74 else {
                    #expect(answer.code == 0)
                    return limit
                }
                let named = try #require(answer.stderr.firstMatch(of: /needs a limit of (\d+) instead of (\d+)\n/))
                #expect(Int(named.2) == limit)
                let next = try #require(Int(named.1))
                try #require(next > limit)
                limit = next
            }
            return limit
        }
        // Files that other tests have open are inherited, and come and go: then a limit was not enough at first.
        let isLeast = try (1...5).contains { _ in try answer(limit: search() - 1).code == 74 }
        #expect(isLeast)
    }

    @Test("no more stores are verified at a time than files may be open for", arguments: [28, 30, 34, 40, 60, 100])
    func manyStores(_ number: Int) throws {
        let folder = try ScratchFolder()
        for index in 1...30 { try folder.copyStore("wal-only", as: "\(index).sqlite") }
        let answer = try MeterfixProcess.shell(
            "ulimit -n \(number) && exec \"$METERFIX\" verify -q --jobs 30 *.sqlite", in: folder.path)
        // What the tests themselves have open counts too: there may be too few left for one store.
        if answer.code == 74 {
            #expect(answer.stderr.hasPrefix("meterfix: limits: too few files may be open at once"))
        } else {
            let lines = answer.stderr.split(separator: "\n")
            #expect(answer.code == 1 && lines.count == 30)
            #expect(lines.allSatisfy { $0.contains(".sqlite: needs a re") }, "\(answer.stderr)")
        }
    }

    #if os(Linux)
        @Test("a copy without personal data is refused where there is not the memory for a store so large")
        func redactLargeStore() throws {
            let folder = try InterruptionTests.bigStore(records: 60_000)
            let before = try folder.snapshot
            for megabytes in [320, 400] {
                let answer = try MeterfixProcess.shell(
                    "ulimit -v \(megabytes)000 && exec \"$METERFIX\" redact -q big.sqlite OUT", in: folder.path)
                #expect(answer.code == 74, "\(megabytes): \(answer.stderr)")
                #expect(answer.stderr.contains("limits: not enough memory"), "\(megabytes): \(answer.stderr)")
                #expect(answer.stderr.contains("hint: raise the limit"), "\(megabytes): \(answer.stderr)")
                #expect(try folder.snapshot.contents == before.contents, "\(megabytes)")
            }
        }

        @Test(
            "a copy without personal data is refused by what its records take, and not by how large a value is",
            arguments: [
                (4, "UPDATE ZDEVICESETTINGS SET ZMETERNAME = hex(randomblob(2000000))", 700, 0),
                (
                    240_000,
                    """
                    CREATE TEMP TABLE bare AS SELECT Z_PK, Z_ENT, Z_OPT FROM ZDEVICESETTINGS; DELETE FROM ZDEVICESETTINGS;
                    INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT) SELECT * FROM bare; VACUUM
                    """, 800, 74
                ),
            ] as [(Int, String, Int, Int32)])
        func redactUnusualStore(records: Int, sql: String, megabytes: Int, code: Int32) throws {
            let folder = try InterruptionTests.bigStore(records: records)
            try folder.execute(sql, in: "big.sqlite")
            let answer = try MeterfixProcess.shell(
                "ulimit -v \(megabytes)000 && exec \"$METERFIX\" redact -q big.sqlite OUT", in: folder.path)
            #expect(answer.code == code, "\(answer.stderr)")
        }

        @Test("each command ends by itself, however little memory there is", arguments: commands)
        func littleMemory(_ command: String) throws {
            let begun = try [85, 95, 100, 110, 130, 200, 300, 400, 1_000].map {
                try run("ulimit -v \($0)000", command)
            }
            #expect(begun.last == true)
        }
    #endif
}

extension ResourceLimitTests {
    @Test(
        "a limit on the size of files is named as what it is, and nothing is changed",
        arguments: ["rebuild big.sqlite", "redact big.sqlite new.sqlite", "recover big.sqlite new.sqlite"])
    func smallFiles(_ command: String) throws {
        let folder = try InterruptionTests.bigStore(records: 4_000)
        try folder.write("", to: "big.sqlite-wal")
        let before = try StoreText(of: folder.path + "/big.sqlite")
        // Blocks of 512 or 1,024 bytes: enough for an answer, and not for a copy.
        let answer = try MeterfixProcess.shell("ulimit -f 64 && exec \"$METERFIX\" \(command)", in: folder.path)
        #expect(answer.code == 74, "\(answer)")
        #expect(answer.stderr.contains("raise the limit (`ulimit -f`)"), "\(answer.stderr)")
        #expect(try StoreText(of: folder.path + "/big.sqlite") == before)
        #expect(!folder.has("new.sqlite"))
    }
}
