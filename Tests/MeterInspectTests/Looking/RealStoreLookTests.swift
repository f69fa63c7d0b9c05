import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

/// Stores written by Apple's Core Data for other apps: what is wrong with them is wrong with our reading.
@Suite("a store of another app", .enabled(if: RealStores.isAvailable))
struct RealStoreLookTests {
    private static let stores: [String] = {
        guard let folder = RealStores.folder else { return [] }
        return (FileManager.default.subpaths(atPath: folder) ?? []).filter { $0.hasSuffix(".sqlite") }.sorted()
    }()

    @Test("is described and verified, and left as it is", arguments: stores)
    func looks(name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store.sqlite"
        let original = try #require(RealStores.folder) + "/" + name
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: original + suffix) {
            // The original may be one that nobody may write to.
            try FileBytes.write(FileBytes.read(original + suffix), to: path + suffix)
        }
        let before = try FolderSnapshot(folder.path)
        let status = try StatusReport.of(path, now: TestStore.now)
        #expect(status.uuid?.count == 36)
        #expect(status.metadataProblem == nil)
        #expect(status.records == nil)
        let report = try Verify.report(path, VerifyOptions(now: TestStore.now))
        #expect(report.findings.filter { $0.severity == .error }.map { "\($0.id): \($0.message)" } == [])
        #expect(report.findings.contains { $0.id == "no-device-settings" })
        let error = #expect(throws: StoreError.self) {
            var options = ChangeOptions(now: TestStore.now)
            options.force = true
            return try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: path, options: options)
        }
        #expect(error?.kind == .unsuitable)
        #expect(try FolderSnapshot(folder.path).hasSameBytes(as: before))
    }
}
