package import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

/// How to verify stores.
package struct VerifyOptions: Sendable {
    package var now: Timestamp
    package var letterCase: LetterCase?
    /// Ids of checks to skip.
    package var ignored: Set<String> = []
    /// Of how many findings of each check the report has the names of the records.
    package var shownNames = 0
    /// The app's own model, to compare the store with.
    package var model: ModelFile?
    /// The versions of the app's model that are known.
    package var migrations = Migration.all

    package init(now: Timestamp) { self.now = now }
}

/// Verifies a store and leaves no trace.
package enum Verify {
    /// Runs every check on the store at `path`.
    /// - Throws: `StoreError` if it cannot be read; what is wrong with its contents is in the report's findings.
    package static func report(_ path: String, _ options: VerifyOptions) throws(StoreError) -> Report {
        try StoreConnection.look(at: path) { connection, database in
            var store = try InspectedStore(
                describing: path, files: connection.files, letterCase: options.letterCase, now: options.now,
                migrations: options.migrations, database)
            let findingsOfStore = connection.reader.read(beside: database) { [store] database in
                try Verification.findingsOfStore(in: store, database)
            }
            let findingsOfRecords = try store.readRecords(database)
            guard store.description.isCoreData else { throw Refusal.noSettings(in: store) }
            let findings = try Verification.findings(
                in: store, ofStore: findingsOfStore.value(), ofRecords: findingsOfRecords, database)
            try Interruption.check(path)
            let strangers = options.model.map { ModelComparison.findings(of: store, with: $0, database) } ?? []
            let groups = store.addresses.groups
            var report = Report(
                command: "verify", store: path, outcome: nil, schemaVersion: store.schemaVersion,
                letterCase: store.letterCase, summary: Summary(records: store.addresses.records, groups: groups),
                plan: nil, findings: (strangers + findings).filter { !options.ignored.contains($0.id) })
            report.names = try names(of: report.findings, in: store, options, database)
            report.comparedModel = options.model.map {
                ComparedModel(path: $0.path, version: $0.version, matches: strangers.isEmpty)
            }
            return report
        }
    }

    /// None where the records cannot be read, which is a finding itself.
    private static func names(
        of findings: [Finding], in store: InspectedStore, _ options: VerifyOptions, _ database: Database
    ) throws -> [Int64: String] {
        do {
            return try store.names(of: findings, most: options.shownNames, database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return [:]
        }
    }
}
