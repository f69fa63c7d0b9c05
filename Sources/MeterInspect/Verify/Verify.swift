package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// How to verify stores.
package struct VerifyOptions: Sendable {
    package var now: Timestamp
    package var letterCase: LetterCase?
    /// Ids of checks to skip.
    package var ignored: Set<String> = []
    /// The app's own model, to compare the store with.
    package var model: ModelFile?
    /// The app's own preferences, to compare the store with.
    package var preferences: AppPreferences?
    /// Whether the answer is shown, and says what records and devices are called.
    package var isShown = true

    package init(now: Timestamp) { self.now = now }
}

/// Verifies a store.
package enum Verify {
    /// Runs every check on the store at `path`.
    /// - Throws: `StoreError` if it cannot be read; what is wrong with its contents is in the report's findings.
    package static func report(_ path: String, _ options: VerifyOptions) throws(StoreError) -> VerifyReport {
        try StoreConnection.look(at: path) { connection, database in
            var store = try InspectedStore(
                describing: StoreRequest(path, now: options.now, letterCase: options.letterCase),
                files: connection.files, database)
            WorkProgress.begin("reading", of: store.settings?.likelyCount(inBytes: store.files.size), .records)
            try store.readRecords(database)
            try store.requireCoreData()
            let session = Session(store, database)
            return try connection.checkingIntegrity(database) { problems in
                try report(in: session, options, integrity: problems)
            }
        }
    }

    /// - Parameter integrity: what SQLite's own check finds; it may be still under way.
    private static func report(
        in session: Session, _ options: VerifyOptions, integrity: () throws -> [String]
    ) throws -> VerifyReport {
        let preferences = options.preferences?.comparison(with: session.store)
        let ofMarkers = preferences.map {
            [Check.missingMarker(by: $0, in: session.store), Check.falseMarker(of: $0, in: session.store)]
        }
        let strangers = options.model.map { session.differences(from: $0) } ?? []
        var findings = try session.findings(
            isIntact: true, besides: strangers + (ofMarkers ?? []).compactMap(\.self))
        // It comes last here, because it takes the longest, and first in the catalogue.
        findings.insert(contentsOf: try Check.damage(integrity(), in: session.store), at: 0)
        try Interruption.check(session.store.path)
        var report = try report(findings, in: session, options)
        report.comparedModel = options.model.map {
            ComparedModel(path: $0.path, version: $0.version, matches: strangers.isEmpty)
        }
        report.comparedPreferences = preferences
        return report
    }

    /// Runs every check on a store whose records were read. It is compared with nothing.
    /// - Throws: SQLite's errors other than damage, which is a finding; `StoreError` of kind `interrupted`.
    package static func report(of session: Session, _ options: VerifyOptions) throws -> VerifyReport {
        try report(session.findings(), in: session, options)
    }

    private static func report(
        _ findings: [Finding], in session: Session, _ options: VerifyOptions
    ) throws -> VerifyReport {
        let store = session.store
        var report = VerifyReport(
            storeSummary: StoreSummary(of: store, findings.asOfDamagedStore.without(options.ignored)),
            records: store.addresses.records, groups: store.addresses.groups, wholeRepair: store.wholeRepair)
        report.verified = store
        report.alerts = try session.alerts()
        report.ahead = try session.mirrorSigns()?.ahead
        if report.findings.ids.contains(Check.indexDamaged.id) {
            // What could not be read for them was looked up by such an index.
            report.alerts.removeAll { if case .damaged = $0 { true } else { false } }
        }
        report.unknownParts = store.unknownParts
        if store.damageOfRecords == nil, !report.findings.isEmpty {
            let devices = try session.devicesInRecords()
            if options.isShown {
                report.devices = devices.names
                report.names = try session.names(of: Set(report.findings.lazy.flatMap(\.rows)))
            }
        }
        return report
    }
}

extension StoreSummary {
    package init(of store: InspectedStore, _ findings: [Finding]) {
        self.init(
            store: store.path, schemaVersion: store.schemaVersion, letterCase: store.letterCase, findings: findings)
        isMirrored = store.description.mirror != nil
    }
}

/// The answer of `verify`: one value, rendered as text or as JSON.
@dynamicMemberLookup
package struct VerifyReport: Sendable {
    package var storeSummary: StoreSummary
    /// `DeviceSettings` rows.
    package let records: Int
    /// Meters with more than one record.
    package let groups: Int
    /// The command that repairs whatever of it can be repaired; nil where the store does not take it.
    package let wholeRepair: StoreCommand?
    package var unknownParts = UnknownParts(attributes: [], entities: [])
    /// The app's own model, if the store was compared with one.
    package var comparedModel: ComparedModel?
    /// The app's preferences, if the store was compared with them.
    package var comparedPreferences: ComparedPreferences?
    /// What was looked at goes with what is said of it: to take a large one apart takes a sixth of a command, which ends
    /// soon.
    var verified: InspectedStore?

    package subscript<Value>(dynamicMember path: WritableKeyPath<StoreSummary, Value>) -> Value {
        get { storeSummary[keyPath: path] }
        set { storeSummary[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: KeyPath<StoreSummary, Value>) -> Value { storeSummary[keyPath: path] }
}

/// The app's model that a store was compared with.
package struct ComparedModel: Hashable, Sendable {
    /// As the user gave it.
    package let path: String
    /// The name of the model's version; nil if the file does not say.
    package let version: String?
    /// Whether Core Data opens the store with it as it is.
    package let matches: Bool
}
