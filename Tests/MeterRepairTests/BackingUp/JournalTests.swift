import CoreDataStore
import Foundation
import JSON
import MeterInspect
import MeterJournal
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@Suite("a backup's journal")
struct JournalTests {
    private func journal(of store: TestStore, _ report: ChangeReport) throws -> JSONValue {
        try JSONValue(parsing: FileBytes.read(try #require(report.backup) + "/journal.json"))
    }

    @Test("says what was saved of which store, by whom and when, and what became of it")
    func contents() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair).with { $0.logPlacement = .rowsInLogOnly })
        let files = ["", "-wal"].compactMap { try? FileBytes.read(store.path + $0) }
        let report = try store.rebuild {
            $0.makesBackup = true
            $0.arguments = ["rebuild", "CKModel.sqlite"]
        }
        let journal = try journal(of: store, report)
        #expect(journal["schema"] == .integer(1))
        #expect(journal["tool"] == "meterfix")
        #expect(journal["version"] == .string(Version.current))
        #expect(journal["command"] == "rebuild")
        #expect(journal["arguments"] == .array(["rebuild", "CKModel.sqlite"]))
        #expect(journal["store"] == "CKModel.sqlite")
        #expect(journal["storeUUID"]?.string == StoreFixture().storeUUID)
        #expect(journal["madeAt"] == "2026-11-21T12:00:00.000Z")
        #expect(journal["secondsSince2001"]?.number == TestStore.now.secondsSince2001)
        guard case .array(let saved)? = journal["files"] else {
            Issue.record("no files")
            return
        }
        #expect(saved.map { $0["name"] } == ["CKModel.sqlite", "CKModel.sqlite-wal"])
        #expect(saved.map { $0["size"] } == files.map(\.count.json))
        #expect(journal["contents"]?["before"] != journal["contents"]?["after"])
        #expect(journal["historyTransaction"]?.number != nil)
    }

    @Test("has the report but for what may be as large as the store; the changes are beside it, each once, on a line")
    func once() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair + [Meters.healthy]))
        let report = try store.rebuild { $0.makesBackup = true }
        let entry = try #require(report.backup)
        let journal = try journal(of: store, report)
        guard case .object(let members)? = journal["report"],
            case .object(let all) = try JSONValue(parsing: Array(report.text(pretty: false).utf8))
        else {
            Issue.record("no report")
            return
        }
        for member in members { #expect(all.contains(member)) }
        let left: Set<String> = ["fingerprint", "changes", "conflicts", "rejects", "findings", "steps"]
        #expect(Set(all.map(\.key)).subtracting(members.map(\.key)) == left)
        let changes = try FileBytes.read(entry + "/changes.jsonl")
        let lines = try changes.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: Array($0)) }
        #expect(lines.map { $0["kind"]?.string } == ["update", "delete"])
        #expect(lines.count == report.plan.changeCount)
        #expect(lines[1]["mergedInto"] == .integer(7))
        let digest = try FileDigest(of: entry + "/changes.jsonl")
        #expect(journal["changes"]?["name"] == "changes.jsonl")
        #expect(journal["changes"]?["size"] == digest.size.json)
        #expect(journal["changes"]?["sha256"] == .string(Hexadecimal.text(of: digest.sha256)))
        let mode = try FileManager.default.attributesOfItem(atPath: entry + "/changes.jsonl")[.posixPermissions]
        #expect(mode as? Int == 0o400)
    }

    @Test("of an undo has the report but for the rows that moved, and there are no changes beside it")
    func undone() throws {
        let store = try TestStore(UndoTests.fixture)
        try store.rebuild { $0.makesBackup = true }
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 5")
        let report = try store.undo { $0.force = true }
        #expect(report.moved?.count == 1)
        let entry = try #require(report.backup)
        let journal = try JSONValue(parsing: FileBytes.read(entry + "/journal.json"))
        #expect(journal["report"]?["outcome"] == "applied" && journal["report"]?["moved"] == nil)
        #expect(journal["changes"] == nil && journal["restored"] != nil)
        #expect(!FileManager.default.fileExists(atPath: entry + "/changes.jsonl"))
    }

    @Test(
        "is whole without its changes: what they alone can tell is missing, and it is said so",
        arguments: ["gone", "cut short", "edited", "a folder"])
    func changes(_ damage: String) throws {
        let store = try TestStore(UndoTests.fixture)
        let before = try store.files()
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        let file = entry + "/changes.jsonl"
        let bytes = try FileBytes.read(file)
        try FileManager.default.removeItem(atPath: file)
        switch damage {
        case "gone": break
        case "cut short": try FileBytes.write(bytes.dropLast(), to: file)
        case "edited":
            let text = String(decoding: bytes, as: UTF8.self)
            try FileBytes.write(Array(text.replacing("\"mergedInto\":7", with: "\"mergedInto\":5").utf8), to: file)
        default: try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        }
        let items = try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items
        let item = try #require(items.first)
        #expect(items.count == 1 && item.counts?.deleted == 1 && item.account == nil)
        #expect(item.state == .done && !item.isDamaged)
        #expect(item.problem?.hasPrefix("changes.jsonl ") == true, "\(item.problem ?? "")")
        let address = try #require(MACAddress.parse(Meters.address)).0
        let merged = try MergedRecords.of(address, in: store.path, folder: nil, now: TestStore.now)
        #expect(merged.records.isEmpty && merged.warnings.count == 1)
        #expect(merged.warnings.first?.contains(entry) == true)
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage' WHERE Z_PK = 5")
        let stale = try store.undo { $0.isDryRun = true }
        #expect(stale.outcome == .stale && stale.moved == nil)
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Lab' WHERE Z_PK = 5")
        #expect(try store.undo().outcome == .applied)
        #expect(try store.files() == before)
    }

    @Test("that nobody of us wrote is damaged, and says why")
    func hostile() throws {
        let store = try TestStore(UndoTests.fixture)
        let path = try #require(try store.rebuild { $0.makesBackup = true }.backup) + "/journal.json"
        let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
        let deep = String(repeating: "[", count: 100_000)
        for (journal, problem) in [
            (text + "{}", "the journal is not JSON: unexpected character at byte \(text.utf8.count)"),
            (
                String(text.dropLast(3)),
                "the journal is not JSON: unexpected end of text at byte \(text.utf8.count - 3)"
            ),
            (
                text.replacing("\"state\": \"committed\",", with: "\"state\": \"committed\", \"state\": \"begun\","),
                "the journal is not JSON: an object has a duplicate key"
            ),
            (
                text.replacing("\"report\":", with: "\"x\": \(deep), \"report\":"),
                "the journal is not JSON: nesting too deep"
            ),
            (
                text.replacing(/"sha256": "../, with: "\"sha256\": \"+1"),
                "the journal is damaged, or"
            ),
            (text.replacing("\"tool\": \"meterfix\"", with: "\"tool\": 1"), "the journal is damaged, or"),
            (
                text.replacing("\"name\": \"changes.jsonl\"", with: "\"name\": \"../changes.jsonl\""),
                "the journal is damaged, or"
            ),
            (
                text.replacing("\"letterCase\": \"upper\"", with: "\"letterCase\": \"title\""),
                "the journal is damaged, or"
            ),
            ("[\(text)]", "the journal is damaged, or"), ("12", "the journal is damaged, or"),
            ("", "the journal is not JSON: unexpected end of text at byte 0"),
        ] as [(String, String)] {
            try FileBytes.write(Array(journal.utf8), to: path)
            let items = try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items
            // The store's history tells of the change, and it is the same one.
            #expect(items.map(\.isDamaged) == [true] && items.map(\.state) == [.done])
            #expect(items.first?.problem?.hasPrefix(problem) == true, "\(items.first?.problem ?? "")")
            #expect(items.first?.command == nil && items.first?.counts?.deleted == 1)
            #expect(#expect(throws: StoreError.self) { try store.undo() }?.kind == .damaged)
        }
    }

    @Test("tells contents apart, and not where in the files they are")
    func digests() throws {
        let inFile = try TestStore(StoreFixture(records: Meters.pair))
        let inLog = try TestStore(StoreFixture(records: Meters.pair).with { $0.logPlacement = .rowsInLogOnly })
        let other = try TestStore(StoreFixture(records: Meters.pair + [Meters.healthy]))
        let digests = try [inFile, inLog, other].map { store in
            try journal(of: store, store.rebuild { $0.makesBackup = true })["contents"]?["before"]
        }
        #expect(digests[0] == digests[1])
        #expect(digests[0] != digests[2])
    }

    @Test("numbers the changes of a store, whatever its clock says")
    func numbers() throws {
        let store = try TestStore(StoreFixture(records: Meters.pair))
        var numbers: [JSONValue?] = []
        for day in [0.0, -1, 1] {
            let report = try store.rebuild(at: Timestamp(secondsSince2001: FixtureClock.now + day * FixtureClock.day)) {
                $0.makesBackup = true
            }
            numbers.append(try journal(of: store, report)["number"])
            try store.execute(
                """
                INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS)
                SELECT MAX(Z_PK) + 1, 1, 1, 'a4c1380b7e21' FROM ZDEVICESETTINGS
                """)
        }
        #expect(numbers == [.integer(1), .integer(2), .integer(3)])
    }
}

@Suite("what a killed run left of a change that did not happen")
struct HalfMadeTests {
    private static let fixture = StoreFixture(records: Meters.pair)

    /// A store with an entry as a killed run leaves it, and the entry's path.
    private func killed(
        _ edit: (_ entry: String, _ journal: String) throws -> Void
    ) throws -> (store: TestStore, entry: String) {
        let store = try TestStore(Self.fixture)
        let original = try FileBytes.read(store.path)
        let entry = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        // The commit never came.
        try FileBytes.write(original, to: store.path)
        try edit(entry, entry + "/journal.json")
        return (store, entry)
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func edit(_ journal: String, _ old: String, _ new: String) throws {
        let text = String(decoding: try FileBytes.read(journal), as: UTF8.self)
        try FileBytes.write(Array(text.replacing(old, with: new).utf8), to: journal)
    }

    @Test(
        "is taken away by the next change: before the journal, at the beginning of a copy or in it", arguments: [0, 2])
    func withoutJournal(part: Int) throws {
        let (store, entry) = try killed { entry, journal in
            try FileManager.default.removeItem(atPath: journal)
            let copy = try FileBytes.read(entry + "/CKModel.sqlite")
            try FileBytes.write(Array(copy.prefix(part == 0 ? 0 : copy.count / part)), to: entry + "/CKModel.sqlite")
        }
        let report = try store.rebuild(at: TestStore.now) { $0.makesBackup = true }
        #expect(report.warnings == [])
        #expect(!isThere(entry))
        #expect(isThere(try #require(report.backup)))
    }

    @Test("is taken away by the next change: journal begun, or finished and never committed", arguments: [true, false])
    func journal(isBegun: Bool) throws {
        let (store, entry) = try killed { entry, journal in
            // The one that says `committed` waits for that beside the first one.
            if !isBegun { try FileManager.default.copyItem(atPath: journal, toPath: entry + "/journal.pending.json") }
            try edit(journal, "\"committed\"", "\"begun\"")
        }
        let listed = try ChangeHistory.of(store.path, folder: nil, now: TestStore.now)
        #expect(listed.items.map(\.state) == [.halfMade])
        #expect(
            try Undo.run(store.path, redoes: false, options: ChangeOptions(now: TestStore.now)).outcome == .unchanged)
        #expect(isThere(entry))
        let report = try store.rebuild { $0.makesBackup = true }
        #expect(report.warnings == [])
        #expect(!isThere(entry))
        #expect(try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items.map(\.state) == [.done])
    }

    @Test("is taken away by an undo too")
    func undo() throws {
        let store = try TestStore(UndoTests.fixture)
        try store.rebuild { $0.makesBackup = true }
        let planner = SetPlanner(MACAddress.parse(Meters.healthy.macAddress!)!.0, name: "Attic", unit: nil)
        let report = try store.change(planner) { $0.makesBackup = true }
        let entry = try #require(report.backup)
        // Its commit never came.
        try FileBytes.write(FileBytes.read(entry + "/CKModel.sqlite"), to: store.path)
        try edit(entry + "/journal.json", "\"committed\"", "\"begun\"")
        let undone = try store.undo()
        #expect(undone.outcome == .applied)
        #expect(undone.warnings == [])
        #expect(!isThere(entry))
    }

    @Test("is reported and left alone where the store has moved on, for it may be the only copy")
    func movedOn() throws {
        let (store, entry) = try killed { _, journal in try edit(journal, "\"committed\"", "\"begun\"") }
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage'")
        let report = try store.rebuild { $0.makesBackup = true }
        #expect(report.warnings.count == 1)
        #expect(report.warnings.first?.contains(entry) == true)
        #expect(isThere(entry + "/CKModel.sqlite"))
    }

    @Test("is given up where an undo was killed and the store has moved on; its files stay")
    func discarded() throws {
        let store = try TestStore(Self.fixture)
        try store.rebuild { $0.makesBackup = true }
        let entry = try #require(try store.undo().backup)
        try FileManager.default.copyItem(atPath: entry + "/journal.json", toPath: entry + "/journal.pending.json")
        try edit(entry + "/journal.json", "\"committed\"", "\"begun\"")
        // Killed before it had put anything back.
        let staged = store.path + ".meterfix-restoring"
        try FileManager.default.createDirectory(atPath: staged, withIntermediateDirectories: false)
        try FileBytes.write([1], to: staged + "/pending")
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage'")
        let report = try store.rebuild { $0.makesBackup = true }
        #expect(report.warnings.count == 1)
        #expect(isThere(entry + "/CKModel.sqlite"))
        // It never happened, and the journal goes on to say so.
        let journal = String(decoding: try FileBytes.read(entry + "/journal.json"), as: UTF8.self)
        #expect(journal.contains("\"state\": \"begun\""))
        #expect(!isThere(entry + "/journal.pending.json"))
        #expect(!isThere(staged))
    }

    @Test("without a byte is left alone where it may be of another store's run, which has only begun")
    func empty() throws {
        let folder = try TemporaryFolder()
        let entry = folder.path + "/20261121T110000Z-rebuild"
        try FileManager.default.createDirectory(atPath: entry, withIntermediateDirectories: false)
        try FileBytes.write([], to: entry + "/CKModel.sqlite")
        let store = try TestStore(Self.fixture)
        let report = try store.rebuild {
            $0.makesBackup = true
            $0.backupFolder = folder.path
        }
        #expect(report.warnings == [])
        #expect(isThere(entry + "/CKModel.sqlite"))
    }

    @Test("is no change where only the journal that waited is left of it: to take it away was cut short")
    func waitingJournalAlone() throws {
        let (store, entry) = try killed { entry, journal in
            try FileManager.default.moveItem(atPath: journal, toPath: entry + "/journal.pending.json")
        }
        try store.execute("UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Garage'")
        #expect(try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items.map(\.state) == [.halfMade])
        #expect(
            try Undo.run(store.path, redoes: false, options: ChangeOptions(now: TestStore.now)).outcome == .unchanged)
        let report = try store.rebuild { $0.makesBackup = true }
        #expect(report.warnings.count == 1)
        #expect(isThere(entry + "/CKModel.sqlite"))
    }

    @Test("is left alone where a symbolic link leads to it")
    func link() throws {
        let (store, entry) = try killed { _, journal in try edit(journal, "\"committed\"", "\"begun\"") }
        let place = store.folder.path + "/elsewhere"
        try FileManager.default.moveItem(atPath: entry, toPath: place)
        try FileManager.default.createSymbolicLink(atPath: entry, withDestinationPath: place)
        let before = try FolderSnapshot(place)
        try store.rebuild { $0.makesBackup = true }
        #expect(isThere(entry))
        #expect(try FolderSnapshot(place) == before)
    }

    @Test("without a journal and of other bytes is reported and left alone")
    func stranger() throws {
        let (store, entry) = try killed { entry, journal in
            try FileManager.default.removeItem(atPath: journal)
            try FileBytes.write([1, 2, 3], to: entry + "/CKModel.sqlite")
        }
        let report = try store.rebuild { $0.makesBackup = true }
        #expect(report.warnings.first?.contains(entry) == true)
        #expect(isThere(entry + "/CKModel.sqlite"))
    }
}
