import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterTestSupport

@testable import MeterRepair

/// A folder of its own with one store in it, and what tests do to it.
final class ImportBench {
    let folder: String
    var path: String { folder + "/CKModel.sqlite" }
    let now = Timestamp(secondsSince2001: FixtureClock.now)

    init() throws {
        folder = TemporaryFolder.parent + "/import-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    convenience init(_ fixture: StoreFixture) throws {
        try self.init()
        try fixture.write(to: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @discardableResult
    func importing(
        names: [String: String] = [:], units: [String: String] = [:], policy: ImportConflictPolicy = .keep,
        creates: Bool = false, isDryRun: Bool = false
    ) throws -> Report {
        try importing(Self.values(names: names, units: units), policy: policy, creates: creates, isDryRun: isDryRun)
    }

    @discardableResult
    func importing(
        _ values: LegacyValues, policy: ImportConflictPolicy = .keep, creates: Bool = false, isDryRun: Bool = false
    ) throws -> Report {
        let planner = ImportPlanner(values, sha256: String(repeating: "5a", count: 32), policy: policy)
        return try LegacyImport.run(planner, on: path, creates: creates, options: options(isDryRun))
    }

    func rebuild() throws {
        _ = try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: path, options: options(false))
    }

    private func options(_ isDryRun: Bool) -> ChangeOptions {
        .withoutBackup(at: now) {
            $0.isDryRun = isDryRun
            // Some stores are mirrored and have no history.
            $0.force = true
        }
    }

    static func values(names: [String: String], units: [String: String] = [:]) -> LegacyValues {
        LegacyValues(
            names.map { DumpEntry(dictionary: .meterNames, key: $0, value: .text($1)) }
                + units.map { DumpEntry(dictionary: .temperatureUnits, key: $0, value: .text($1)) })
    }

    /// Every file of the folder, by name.
    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            files[name] = try FileBytes.read(folder + "/" + name)
        }
        return files
    }

    func rows(_ sql: String) throws -> [[FixtureValue]] {
        let queue = try DatabaseQueue(path: path, configuration: .forTests)
        let rows = try queue.read { try Row.fetchAll($0, sql: sql) }
        try queue.close()
        return rows.map { row in row.map { FixtureValue.fromDatabaseValue($0.1) ?? .null } }
    }

    func metadata() throws -> [String: PropertyList] {
        guard case .blob(let bytes)? = try rows("SELECT Z_PLIST FROM Z_METADATA").first?.first else { return [:] }
        return try PropertyList(binary: bytes).dictionary ?? [:]
    }
}
