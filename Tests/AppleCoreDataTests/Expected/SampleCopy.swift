import CoreDataStore
import Foundation
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport

/// A copy of the files of a sample, in a folder of its own.
struct SampleCopy {
    let folder: TemporaryFolder
    /// The store's file in it.
    let name: String

    var path: String { folder.path + "/" + name }

    static let now = Timestamp(secondsSince2001: FixtureClock.now)

    private static let samples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Samples").path

    init(_ sample: Sample) throws {
        folder = try TemporaryFolder()
        name = sample.storeName
        for name in sample.fileNames {
            try FileManager.default.copyItem(atPath: Self.samples + "/" + name, toPath: folder.path + "/" + name)
        }
    }

    /// - Throws: SQLite's errors.
    func description() throws -> StoreDescription { try StoreText.read(path) { try StoreDescription($0) } }

    /// The ids of what `verify` finds, of one severity or of all.
    func findings(_ severity: Severity? = nil) throws -> Set<String> {
        let findings = try Verify.report(path, VerifyOptions(now: Self.now)).findings
        return Set(findings.filter { severity == nil || $0.severity == severity }.map(\.id))
    }
}
