import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterJournal
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair

/// A store and its backups as meterfix 0.1.0 left them on 25 November 2026. They are never made again: whatever becomes of
/// the code, it reads what was written then.
@Suite("backups that an earlier meterfix made")
struct FrozenBackupTests {
    private static let frozen = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../FrozenBackups").standardizedFileURL.path

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/CKModel.sqlite"
        for (name, copy) in [("CKModel.sqlite", ""), ("CKModel.sqlite-wal", "-wal"), ("backups", ".meterfix")] {
            try FileManager.default.copyItem(atPath: "\(Self.frozen)/\(name)", toPath: path + copy)
        }
    }

    @Test("are listed with what each change did")
    func listed() throws {
        let history = try ChangeHistory.of(path, folder: nil, now: TestStore.now)
        #expect(
            history.items.map { $0.account ?? "" } == [
                "00:15:A6:00:3C:E8: new record, name \"Laboratoire TC66\", type \"TC66C\"",
                "2 meters merged; 2 records deleted: \"Laboratoire TC66\", …; 1 record updated",
                "the schema was changed in 2 steps", "2 records updated, 1 new record",
            ])
        #expect(history.items[2].journal?.note == "ticket 4711")
    }

    @Test("are undone byte for byte, one after the other, and redone")
    func undone() throws {
        var states = [try TestStore.files(at: path)]
        let options = ChangeOptions(now: TestStore.now)
        let entries = try FileManager.default.contentsOfDirectory(atPath: path + ".meterfix").sorted()
        for entry in entries.reversed() {
            let report = try Undo.run(path, redoes: false, options: options)
            #expect(report.outcome == .applied && report.isByteForByte && report.warnings.isEmpty, "\(entry)")
            states.append(try TestStore.files(at: path))
            #expect(
                try states.last == TestStore.files(at: "\(Self.frozen)/backups/\(entry)/CKModel.sqlite"), "\(entry)")
        }
        #expect(states.count == 5)
        for state in states.dropLast().reversed() {
            #expect(try Undo.run(path, redoes: true, options: options).outcome == .applied)
            #expect(try TestStore.files(at: path) == state)
        }
    }

    @Test("tell the log what was changed, and have the records that were deleted")
    func read() throws {
        let log = try ChangeLog.of(path, ChangeLog.Request(), now: TestStore.now)
        let update = try #require(log.entries.first { $0.row == 2 && $0.kind == .update })
        #expect(
            update.fields?.first { $0.name == "meterName" }?.delta?.before == .text("Bench UM34C"),
            "what the import replaced")
        let deleted = try MergedRecords.of(nil, ofAll: true, in: path, folder: nil, now: TestStore.now)
        #expect(deleted.records.map(\.row).sorted() == [6, 7])
        // A part of each change can be taken back: its lines are read.
        let stale = try TestStore.moved(path)
        #expect(stale.outcome == .stale && stale.moved?.count == 1)
    }
}

extension TestStore {
    /// What undo says of a store in which a row has changed since.
    fileprivate static func moved(_ path: String) throws -> UndoReport {
        let queue = try DatabaseQueue(path: path, configuration: .forTests)
        try queue.write { try $0.execute(sql: "UPDATE ZDEVICESETTINGS SET ZMETERNAME = 'Cellar' WHERE Z_PK = 4") }
        try queue.close()
        var options = ChangeOptions(now: TestStore.now)
        options.isDryRun = true
        options.shownNames = 10
        return try Undo.run(path, redoes: false, options: options)
    }
}
