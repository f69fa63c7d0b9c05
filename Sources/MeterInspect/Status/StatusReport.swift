package import CoreDataStore
package import JSON
internal import MeterJournal
package import MeterModel

/// What is in a store, in one screen.
package struct StatusReport: Sendable {
    package struct Model: Sendable {
        /// Of the app's model: 1, 2 or nil.
        package let schemaVersion: Int?
        package let identifiers: [String]
        package let hashes: HashComparison?
        package let frameworkVersion: Int64?
        /// The rows are nil of a table that could not be read.
        package let entities: [(name: String, rows: Int?)]
        package let unknown: UnknownParts
        /// Composite attributes of the store's own model, as fragments for a person.
        package let composites: [String]
    }

    package struct Records: Hashable, Sendable {
        package let total: Int
        /// Meters with more than one record.
        package let groups: Int
        /// Records of those meters.
        package let recordsInGroups: Int
        /// Of how many of those meters the app shows a name and a unit where a record has one.
        package let fullyShown: Int
        /// NULL, empty, placeholders and text that is not an address.
        package let withoutUsableAddress: Int
        /// Whether the store has the constraint of schema v1, which CloudKit's mirror refuses.
        package let isAddressUnique: Bool
        package let letterCase: LetterCase
        package let meters: Int
        /// Meters with a name in one of their records.
        package let named: Int
        /// How many names and units the store's files have that no record has any more.
        package let lost: Int
    }

    package struct Mirror: Hashable, Sendable {
        /// The record name of the iCloud account that it saw last; nil where it noted none.
        package let account: String?
        package let records: Int
        /// All that CloudKit does not have yet, and what becomes of it.
        package let forecast: MirrorForecast
        package let token: HistoryToken
        /// The number of the last transaction in the history; nil if it is empty or off.
        package let lastTransaction: Int64?
        package let lastEvents: [LastMirrorEvent]
    }

    package let path: String
    /// The state that is described, where it is not the present one.
    let past: PastState?
    package let alerts: [StoreAlert]
    package let pages: PageCheck
    /// The suffix, after the main file's name: empty, `-wal`, `-shm`, `-journal`. Sizes in bytes.
    package let parts: [(suffix: String, size: Int)]
    package let isWAL: Bool
    /// The last change that can be read, if the WAL is missing; nil also if no change has a date.
    package let lastChange: Timestamp?
    package let uuid: String?
    package let metadataProblem: String?
    package let model: Model
    /// Virtual tables whose module, as SQLite names it, is not part of this program's SQLite, so that their rows cannot be
    /// read. Never Core Data's own tables, which need no module. Every command leaves them as they are.
    package let unreadableTables: [(name: String, module: String)]
    /// Whether the store knows the entity `DeviceSettings` and has no table of it.
    package let isTableGone: Bool
    /// Which tables are missing besides, for a person; nil where none is.
    package let missingTables: String?
    /// Whether the store had the mirror's tables once, and has them no more.
    package let lacksMirror: Bool
    /// Nil if the store has no `DeviceSettings`.
    package let records: Records?
    package let devices: KnownDevices
    /// `cloudStoreRebuildVersion`.
    package let marker: Int64?
    /// The last import of legacy values that changed the store; nil if none has left its mark.
    package let lastImport: LegacyImportMark?
    /// Nil if history was never on.
    package let history: PersistentHistory.Overview?
    /// Nil if the store is not mirrored.
    package let mirror: Mirror?

    package var lastOwnChange: Timestamp? {
        history?.authors.first { $0.name == HistoryWriter.author }?.last.map(Timestamp.init(secondsSince2001:))
    }
}

extension StatusReport {
    private var namesOfDevices: [String] { devices.devices.compactMap(\.label) }

    package var steps: [Step] { alerts.steps(beforeVerifying: path, on: namesOfDevices) }

    /// The document of `status` in Documentation/json.md, in which `store` is an object.
    package var json: JSONValue {
        var members = JSONDocument.head(command: "status", store: path).filter { $0.key != "store" }
        members += [.init("store", storeJSON), .init("schemaVersion", model.schemaVersion)]
        if let records { members.append(.init("summary", records.json)) }
        let alerts = alerts.findings.map { finding -> JSONValue in
            [
                "id": finding.id, "severity": finding.severity.rawValue, "message": finding.message.description,
                "cure": finding.cure.description,
            ]
        }
        members.append(.init("verdict", verdict.rawValue))
        if !alerts.isEmpty { members.append(.init("alerts", alerts)) }
        members.append(.init("steps", steps.map(\.json)))
        members += [
            .init("devices", namesOfDevices), .init("model", model.json),
            .init("history", historyJSON), .init("account", mirror?.account),
            .init("cloudMirror", mirror?.json ?? ["on": false]),
            .init(
                "marker",
                [
                    "cloudStoreRebuildVersion": marker,
                    "legacyKeyValueImport": lastImport.map { ["date": $0.date, "sha256": $0.sha256] as JSONValue },
                ] as JSONValue),
        ]
        return .object(members)
    }

    private var storeJSON: JSONValue {
        let sizes = parts.map { part in
            JSONValue.Member(part.suffix.isEmpty ? "main" : String(part.suffix.dropFirst()), part.size)
        }
        var members: [JSONValue.Member] = [
            .init("path", path), .init("uuid", uuid), .init("bytes", JSONValue.object(sizes)),
            .init("journalMode", isWAL ? "wal" : "rollback"), .init("walMissing", alerts.missingLog != nil),
        ]
        if let past { members.append(.init("at", past.json)) }
        if alerts.missingLog != nil { members.append(.init("lastChange", lastChange)) }
        members.append(.init("metadataProblem", metadataProblem))
        if !unreadableTables.isEmpty {
            let tables = unreadableTables.map { ["name": $0.name, "module": $0.module] as JSONValue }
            members.append(.init("unreadableTables", tables))
        }
        return .object(members)
    }

    private var historyJSON: JSONValue {
        guard let history else { return ["on": false] }
        return [
            "on": true, "transactions": history.transactions, "changes": history.changes,
            "last": history.last.map(Timestamp.init(secondsSince2001:)),
            "authors": history.authors.map { author -> JSONValue in
                let last = author.last.map(Timestamp.init(secondsSince2001:))
                return ["name": author.name, "transactions": author.transactions, "last": last]
            },
            "lastByMeterfix": lastOwnChange,
        ]
    }
}

extension StatusReport.Records {
    fileprivate var json: JSONValue {
        [
            "records": total, "groups": groups, "recordsInGroups": recordsInGroups, "levelled": fullyShown,
            "withoutUsableAddress": withoutUsableAddress, "macCase": letterCase.rawValue, "meters": meters,
            "named": named, "lost": lost,
        ]
    }
}

extension StatusReport.Model {
    fileprivate var json: JSONValue {
        [
            "identifiers": identifiers, "frameworkVersion": frameworkVersion,
            "hashes": hashes.map { hashes -> JSONValue in
                ["matching": hashes.matching, "differing": hashes.differing, "notRecomputable": hashes.unknown]
            },
            "entities": entities.map { ["name": $0.name, "rows": $0.rows] as JSONValue },
            "unknownAttributes": unknown.attributes, "unknownEntities": unknown.entities,
        ]
    }
}

extension StatusReport.Mirror {
    fileprivate var json: JSONValue {
        [
            "on": true, "records": records, "pendingUploads": forecast.uploads, "pendingDeletes": forecast.deletes,
            "forecast": forecast.word, "lastEvents": lastEvents,
        ]
    }
}
