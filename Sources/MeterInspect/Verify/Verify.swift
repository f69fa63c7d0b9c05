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
    /// How many findings of each check are made for when the store is closed.
    package var shownFindings = Int.max
    /// The app's own model, to compare the store with.
    package var model: ModelFile?
    /// The app's own preferences, to compare the store with.
    package var preferences: AppPreferences?

    package init(now: Timestamp) { self.now = now }
}

/// Verifies a store and leaves no trace.
package enum Verify {
    /// Runs every check on the store at `path`.
    /// - Throws: `StoreError` if it cannot be read; what is wrong with its contents is in the report's findings.
    package static func report(_ path: String, _ options: VerifyOptions) throws(StoreError) -> Report {
        try look(at: path, options) { report, confirm throws(StoreError) in
            var report = report
            report.findings = report.findings.made(first: options.shownFindings)
            try confirm()
            return report
        }
    }

    /// Runs every check on the store at `path`, and answers while it is open: what is shown is made one finding at a time.
    /// - Parameter answer: called once with the report, whose findings can be asked for until it returns, and with a
    ///   question for the time when all is shown, and before it is said to be all: whether it is what is in the store.
    /// - Throws: `StoreError` if it cannot be read, or has changed since it was read; and what `answer` throws.
    package static func look<Answer>(
        at path: String, _ options: VerifyOptions,
        _ answer: (Report, _ confirm: () throws(StoreError) -> Void) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        try StoreConnection.look(at: path) { connection, database in
            let reading = RepeatedReading(database)
            return (try report(of: connection, at: path, options, reading), reading)
        } showing: { found, confirm throws(StoreError) in
            try answer(found.0) { () throws(StoreError) in
                do { try found.1.check() } catch { throw StoreError(error, at: path) }
                try confirm()
            }
        }
    }

    private static func report(
        of connection: StoreConnection, at path: String, _ options: VerifyOptions, _ reading: RepeatedReading
    ) throws -> Report {
        let database = reading.database
        var store = try InspectedStore(
            describing: path, files: connection.files, letterCase: options.letterCase, now: options.now, database)
        let findingsOfStore = connection.reader.read(beside: database) { [store] database in
            try Verification.findingsOfStore(in: store, database)
        }
        WorkProgress.begin(.reading, of: try store.settings?.likelyCount(database))
        let findingsOfRecords = try store.readRecords(reading)
        guard store.description.isCoreData else { throw Refusal.noSettings(in: store) }
        let preferences = options.preferences?.comparison(with: store)
        let ofMarkers = preferences.map {
            [RebuildMarkerMissing.finding(of: $0, in: store), RebuildMarkerLies.finding(of: $0, in: store)]
        }
        let strangers = options.model.map { ModelComparison.findings(of: store, with: $0, database) } ?? []
        let findings = try Verification.findings(
            in: store, ofStore: findingsOfStore.value(), ofRecords: findingsOfRecords,
            besides: (ofMarkers ?? []).compactMap(\.self), reading)
        try Interruption.check(path)
        var report = try report(
            Findings(Findings(strangers).checks + findings.checks), in: store, options, database)
        report.comparedModel = options.model.map {
            ComparedModel(path: $0.path, version: $0.version, matches: strangers.isEmpty)
        }
        report.comparedPreferences = preferences
        return report
    }

    /// Runs every check on a store whose addresses are known. It is compared with nothing. The findings can be asked for
    /// as long as the store is open.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package static func report(
        of store: InspectedStore, _ options: VerifyOptions, _ reading: RepeatedReading
    ) throws -> Report {
        try report(Verification.findings(in: store, reading), in: store, options, reading.database)
    }

    private static func report(
        _ findings: Findings, in store: InspectedStore, _ options: VerifyOptions, _ database: Database
    ) throws -> Report {
        var report = Report(
            command: "verify", store: store.path, outcome: nil, schemaVersion: store.schemaVersion,
            letterCase: store.letterCase,
            summary: Summary(records: store.addresses.records, groups: store.addresses.groups), plan: nil,
            findings: findings.without(options.ignored))
        report.alerts = try store.alerts(database)
        report.unknownParts = store.unknownParts
        (report.names, report.devices) = try names(of: report.findings, in: store, options, database)
        return report
    }

    /// Of records, and of devices. None where the records cannot be read, which is a finding itself.
    private static func names(
        of findings: Findings, in store: InspectedStore, _ options: VerifyOptions, _ database: Database
    ) throws -> (records: [Int64: String], devices: [String]) {
        do {
            let devices = try findings.isEmpty ? nil : store.settings?.deviceNames(database)
            return (try store.names(of: findings, most: options.shownNames, database), devices ?? [])
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return ([:], [])
        }
    }
}
