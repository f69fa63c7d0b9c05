import Foundation
import GRDB
import JSON
import MeterTestSupport
import Testing

@Suite("a redacted copy")
struct RedactOriginalsTests {
    @Test("has no text and no id of the store in any byte", arguments: RedactStore.all)
    func originals(_ store: RedactStore) throws {
        try Self.expectNoOriginals(of: store, in: try RedactedCopy.of(store))
    }

    /// A short text can be in a copy by chance. In two copies with other numbers it is there because it was left there.
    static func expectNoOriginals(of store: RedactStore, in copy: RedactedCopy) throws {
        let originals = try Originals(of: copy.originalPath)
        let found = originals.found(in: try Haystack(file: copy.path))
        guard !found.isEmpty else { return }
        let other = try RedactedCopy(of: store, continuing: RedactedCopy.otherNumbers)
        let again = Set(originals.found(in: try withExtendedLifetime(other) { try Haystack(file: $0.path) }))
        let left = found.filter { again.contains($0) }
        #expect(
            left.isEmpty,
            "\(left.count) of \(originals.count):\n\(left.prefix(12).map(\.description).joined(separator: "\n"))")
    }

    @Test("of a store whose -shm says that the -wal is not whole cannot show that, which is said with exit code 2")
    func incomplete() throws {
        let folder = try ScratchFolder(sample: "check-wal-missing")
        try folder.write("", to: "check-wal-missing.sqlite-wal")
        let answer = try folder.meterfix(
            "redact", "check-wal-missing.sqlite", "copy.sqlite", "--json", "--now", SampleSession.now)
        #expect(answer.code == 2, "\(answer.stderr)")
        #expect(answer.stdout.contains("wal-missing"))
        let originals = try Originals(of: folder.path + "/check-wal-missing.sqlite")
        #expect(originals.found(in: try Haystack(file: folder.path + "/copy.sqlite")).map(\.description) == [])
    }

    @Test("of a main file that came alone is alone too")
    func alone() throws {
        let folder = try ScratchFolder(sample: "main-file-alone")
        let answer = try folder.meterfix("redact", "main-file-alone.sqlite", "copy.sqlite", "--now", SampleSession.now)
        #expect(answer.code == 0, "\(answer.stderr)")
        #expect(!folder.has("copy.sqlite-wal"))
    }

    @Test(
        "is one file, with an empty log where the store has one, intact, without a free page, in the format of the store",
        arguments: RedactStore.all)
    func file(_ store: RedactStore) throws {
        let copy = try RedactedCopy.of(store)
        let hasLog =
            try FileManager.default.fileExists(atPath: copy.originalPath + "-wal")
            && FileBytes.read(copy.originalPath)[18] == 2
        let log = hasLog ? [store.file + "-wal"] : []
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: copy.folder.path + "/out").sorted() == [store.file]
                + log)
        #expect(copy.answer.leftovers == [])
        let format = try StoreFormat(of: copy.path)
        #expect(format.integrity == "ok")
        #expect(format.freePages == 0)
        #expect(try format.pragmas == StoreFormat(of: copy.originalPath).pragmas)
        #expect(try StoreFormat.fileFormat(copy.path) == StoreFormat.fileFormat(copy.originalPath))
    }

    @Test("leaves the store and its folder as they were, byte for byte", arguments: RedactStore.all)
    func untouched(_ store: RedactStore) throws { #expect(try RedactedCopy.of(store).trace == []) }
}

/// How a database is laid out.
struct StoreFormat {
    let integrity: String
    let freePages: Int
    let pragmas: [String: String]
}

extension StoreFormat {
    init(of path: String) throws {
        self = try StoreText.read(path) { database in
            var pragmas: [String: String] = [:]
            for name in ["page_size", "auto_vacuum", "encoding", "user_version", "application_id"] {
                pragmas[name] = try String.fetchOne(database, sql: "PRAGMA \(name)")
            }
            return StoreFormat(
                integrity: try String.fetchAll(database, sql: "PRAGMA integrity_check").joined(separator: "; "),
                freePages: try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? -1, pragmas: pragmas)
        }
    }

    /// The bytes of the header that say whether the journal is a WAL.
    static func fileFormat(_ path: String) throws -> [UInt8] { Array(try FileBytes.read(path)[18...19]) }
}
