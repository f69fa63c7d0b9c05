package import CoreDataStore
package import GRDB
internal import MeterJournal
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
    package static func report(_ path: String, _ options: VerifyOptions) throws(StoreError) -> VerifyReport {
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
        _ answer: (VerifyReport, _ confirm: () throws(StoreError) -> Void) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        try StoreConnection.look(at: path) { connection, database in
            let reading = FindingReader(database)
            return (try report(of: connection, at: path, options, reading), reading)
        } showing: { found, confirm throws(StoreError) in
            try answer(found.0) { () throws(StoreError) in
                do { try found.1.check() } catch { throw StoreError(error, at: path) }
                try confirm()
            }
        }
    }

    private static func report(
        of connection: StoreConnection, at path: String, _ options: VerifyOptions, _ reading: FindingReader
    ) throws -> VerifyReport {
        let database = reading.database
        var store = try InspectedStore(
            describing: StoreRequest(path, now: options.now, letterCase: options.letterCase), files: connection.files,
            database)
        let findingsOfStore = connection.reader.read(beside: database) { [store] database in
            let findings = try Verification.findingsOfStore(in: store, database)
            // While the records are read: a check needs it after them. An error is thrown again there.
            if let settings = store.settings { _ = try? store.residue(of: settings) }
            return findings
        }
        WorkProgress.begin(.reading, of: try store.settings?.likelyCount(database))
        let findingsOfRecords = try store.readRecords(reading)
        try store.requireCoreData()
        let preferences = options.preferences?.comparison(with: store)
        let ofMarkers = preferences.map {
            [RebuildMarkerMissing.finding(of: $0, in: store), RebuildMarkerLies.finding(of: $0, in: store)]
        }
        let strangers = options.model.map { ModelComparison.findings(of: store, with: $0, database) } ?? []
        let findings = try Verification.findings(
            in: store, ofStore: findingsOfStore.value(), ofRecords: findingsOfRecords,
            besides: strangers + (ofMarkers ?? []).compactMap(\.self), reading)
        try Interruption.check(path)
        var report = try report(findings, in: store, options, database)
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
        of store: InspectedStore, _ options: VerifyOptions, _ reading: FindingReader
    ) throws -> VerifyReport {
        try report(Verification.findings(in: store, reading), in: store, options, reading.database)
    }

    private static func report(
        _ findings: Findings, in store: InspectedStore, _ options: VerifyOptions, _ database: Database
    ) throws -> VerifyReport {
        var report = VerifyReport(
            StoreSummary(of: store, findings.without(options.ignored)),
            records: store.addresses.records, groups: store.addresses.groups)
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
            let devices = try findings.isEmpty ? KnownDevices() : KnownDevices(inRecordsOf: store, database)
            return (try store.names(of: findings, most: options.shownNames, database), devices.names)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return ([:], [])
        }
    }
}

extension StoreSummary {
    package init(of store: InspectedStore, _ findings: Findings) {
        self.init(
            store: store.path, schemaVersion: store.schemaVersion, letterCase: store.letterCase, findings: findings)
    }
}

/// All checks over one store.
package enum Verification {
    /// What all checks find, in the order of the catalogue, to be asked for as long as the store is open.
    /// - Parameter isIntact: whether SQLite's own check has found nothing; then it is not asked again.
    /// - Throws: errors of SQLite other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package static func findings(
        in store: InspectedStore, isIntact: Bool = false, _ reading: FindingReader
    ) throws -> Findings {
        try findings(
            in: store, ofStore: findingsOfStore(in: store, isIntact: isIntact, reading.database),
            ofRecords: findingsOfRecords(in: store, reading), reading)
    }

    /// All findings, where some were made already.
    /// - Parameters:
    ///   - ofStore: by `findingsOfStore`.
    ///   - ofRecords: by `InspectedStore.readRecords`.
    ///   - others: which no check of the catalogue makes from the store alone.
    /// - Throws: errors of SQLite other than damage, which is a finding.
    package static func findings(
        in store: InspectedStore, ofStore: [String: [Finding]], ofRecords: Findings, besides others: [Finding] = [],
        _ reading: FindingReader
    ) throws -> Findings {
        var found = ofStore.mapValues { Findings($0).checks }
        for entry in CheckCatalogue.checks {
            switch entry {
            case .addresses(let check):
                let findings = try reportingCorruption(in: store) { try check.findings(in: store, reading.database) }
                found[check.description.id] = Findings(findings).checks
            case .duplicates(let check):
                found[check.description.id] = check.findings(in: store, reading).map { [$0] }
            case .store, .record, .recordAndStore, .group, .comparison: break
            }
        }
        for check in ofRecords.checks + Findings(others).checks { found[check.id, default: []].append(check) }
        return Findings(CheckCatalogue.checks.flatMap { found[$0.description.id] ?? [] })
    }

    /// What the checks find that need neither records nor addresses, by their ids.
    /// - Parameters:
    ///   - store: its records need not have been read.
    ///   - isIntact: whether SQLite's own check has found nothing; then it is not run again.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package static func findingsOfStore(
        in store: InspectedStore, isIntact: Bool = false, _ database: Database
    ) throws -> [String: [Finding]] {
        var found: [String: [Finding]] = [:]
        // What other checks advise depends on it.
        _ = try reportingCorruption(in: store) { try DeleteStorm.findings(in: store, database) }
        for check in CheckCatalogue.ofStore where !(isIntact && check is NotIntact.Type) {
            try Interruption.check(store.path)
            found[check.description.id] = try reportingCorruption(in: store) { try check.findings(in: store, database) }
        }
        return found
    }

    /// What the checks of CloudKit's mirror find, those whose ids begin with `mirror-`, and what is said of the store before
    /// anything else, in the order of the catalogue.
    /// - Parameter store: its records need not have been read.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    static func findingsOfMirror(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        var found: [Finding] = []
        for check in CheckCatalogue.ofStore
        where check.description.id.hasPrefix("mirror-") || firstSaid.contains(check.description.id) {
            try Interruption.check(store.path)
            found += try reportingCorruption(in: store) { try check.findings(in: store, database) }
        }
        return found
    }

    private static let firstSaid: Set = [DeleteStorm.id, MassDelete.id, RecoveredStore.id]

    private static func findingsOfRecords(in store: InspectedStore, _ reading: FindingReader) throws -> Findings {
        guard let settings = store.settings else { return .none }
        do {
            let pass = RecordPass(store)
            try pass.read(settings, reading.database)
            return Findings(try pass.findings(in: store, reading))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return Findings([NotIntact.unreadable(error, in: store)])
        }
    }

    /// A part of the store that cannot be read is a finding like any other damage.
    private static func reportingCorruption(in store: InspectedStore, _ body: () throws -> [Finding]) throws
        -> [Finding]
    {
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return [NotIntact.unreadable(error, in: store)]
        }
    }
}
