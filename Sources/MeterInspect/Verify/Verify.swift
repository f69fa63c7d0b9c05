package import CoreDataStore
package import GRDB
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
    /// The app's own preferences, to compare the store with.
    package var preferences: AppPreferences?
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
            WorkProgress.begin(.reading, of: try store.settings?.likelyCount(database))
            let findingsOfRecords = try store.readRecords(database)
            guard store.description.isCoreData else { throw Refusal.noSettings(in: store) }
            var findings = try Verification.findings(
                in: store, ofStore: findingsOfStore.value(), ofRecords: findingsOfRecords, database)
            let preferences = options.preferences?.comparison(with: store)
            if let lie = preferences.flatMap({ RebuildMarkerLies.finding(of: $0, in: store) }) {
                findings.insert(lie, at: CheckCatalogue.place(after: lie.id, in: findings))
            }
            try Interruption.check(path)
            let strangers = options.model.map { ModelComparison.findings(of: store, with: $0, database) } ?? []
            var report = try report(strangers + findings, in: store, options, database)
            report.comparedModel = options.model.map {
                ComparedModel(path: $0.path, version: $0.version, matches: strangers.isEmpty)
            }
            report.comparedPreferences = preferences
            return report
        }
    }

    /// Runs every check on a store whose addresses are known. It is compared with nothing.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package static func report(
        of store: InspectedStore, _ options: VerifyOptions, _ database: Database
    ) throws -> Report {
        try report(Verification.findings(in: store, database), in: store, options, database)
    }

    private static func report(
        _ findings: [Finding], in store: InspectedStore, _ options: VerifyOptions, _ database: Database
    ) throws -> Report {
        var report = Report(
            command: "verify", store: store.path, outcome: nil, schemaVersion: store.schemaVersion,
            letterCase: store.letterCase,
            summary: Summary(records: store.addresses.records, groups: store.addresses.groups), plan: nil,
            findings: findings.filter { !options.ignored.contains($0.id) })
        report.names = try names(of: report.findings, in: store, options, database)
        return report
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
