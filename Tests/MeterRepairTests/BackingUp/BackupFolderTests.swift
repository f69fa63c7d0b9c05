import Foundation
import MeterTestSupport
import Testing

@testable import MeterJournal
@testable import MeterRepair

@Suite("the folder of a store's backups")
struct BackupFolderTests {
    @Test("counts only folders that have the name of an entry")
    func names() throws {
        let folder = try TemporaryFolder()
        let own = [
            "20261121T101500Z-rebuild", "20261121T101500Z-import-kv", "20261121T101500Z-rebuild-2",
            "20261121T101500Z-import-kv-12",
        ]
        let others = [
            "20261121T101500Z-", "20261121T101500Z-2", "20261121T101500Z-rebuild2", "20261121T101500Z-rebuild-2b",
            "20261121T101500Z-Rebuild", "20261121T10150Z-rebuild", "120261121T101500Z-rebuild",
            "20261121T101500Z_rebuild", "20261121T101500-rebuild", "20261121T101500Z-rebuild ", "2026112٢T101500Z-undo",
            "saved",
        ]
        for name in own + others {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/CKModel.sqlite.meterfix/" + name, withIntermediateDirectories: true)
        }
        let backups = BackupFolder(for: folder.path + "/CKModel.sqlite", named: nil)
        #expect(try backups.entryCount == own.count)
    }
}
