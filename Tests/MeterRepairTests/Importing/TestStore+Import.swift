import CoreDataStore
import GRDB
import MeterModel
import MeterTestSupport

@testable import MeterRepair

/// What tests of the import do to a store.
extension TestStore {
    @discardableResult
    func importing(
        names: [String: String] = [:], units: [String: String] = [:], policy: ImportConflictPolicy = .keep,
        creates: Bool = false, isDryRun: Bool = false
    ) throws -> ChangeReport {
        try importing(Self.values(names: names, units: units), policy: policy, creates: creates, isDryRun: isDryRun)
    }

    @discardableResult
    func importing(
        _ values: LegacyValues, policy: ImportConflictPolicy = .keep, creates: Bool = false, isDryRun: Bool = false
    ) throws -> ChangeReport {
        let planner = ImportPlanner(values, sha256: String(repeating: "5a", count: 32), policy: policy)
        let options = ChangeOptions.withoutBackup {
            $0.isDryRun = isDryRun
            // Some stores are mirrored and have no history.
            $0.force = true
        }
        return try LegacyImport.run(planner, on: path, creates: creates, options: options)
    }

    static func values(names: [String: String], units: [String: String] = [:]) -> LegacyValues {
        LegacyValues(
            names.map { DumpEntry(dictionary: .meterNames, key: $0, value: .text($1)) }
                + units.map { DumpEntry(dictionary: .temperatureUnits, key: $0, value: .text($1)) })
    }

    func rows(_ sql: String) throws -> [[FixtureValue]] {
        try StoreText.read(path) { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.map { FixtureValue.fromDatabaseValue($0.1) ?? .null }
            }
        }
    }

    func metadata() throws -> [String: PropertyList] {
        guard case .blob(let bytes)? = try rows("SELECT Z_PLIST FROM Z_METADATA").first?.first else { return [:] }
        return try PropertyList(binary: bytes).dictionary ?? [:]
    }
}
