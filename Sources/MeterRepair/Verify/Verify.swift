package import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

/// How stores are to be verified.
package struct VerifyOptions: Sendable {
    package var now: Timestamp
    package var letterCase: LetterCase?
    /// Ids of checks that do not count.
    package var ignored: Set<String> = []

    package init(now: Timestamp) { self.now = now }
}

/// Verifies a store and leaves no trace.
package enum Verify {
    package static func report(_ path: String, _ options: VerifyOptions) throws(StoreError) -> Report {
        let connection = try StoreConnection.untouched(path)
        let report = try connection.read { database in
            let store = try InspectedStore(
                path: path, files: connection.files, letterCase: options.letterCase, now: options.now, database)
            guard store.description.isCoreData else { throw Refusal.noSettings(in: store) }
            let findings = try Verification.findings(in: store, database)
            try Interruption.check(path)
            let groups = store.metersInNeed.count { $0.rows.count > 1 }
            return Report(
                command: "verify", store: path, outcome: nil, schemaVersion: store.settings?.schemaVersion,
                letterCase: store.letterCase, summary: Summary(records: store.addresses.records, groups: groups),
                plan: nil, findings: findings.filter { !options.ignored.contains($0.id) })
        }
        try connection.confirmUnchanged()
        try connection.close()
        return report
    }
}
