package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

extension StatusReport {
    /// Reads the store at `path`.
    /// - Throws: `StoreError` if it cannot be read.
    package static func of(
        _ path: String, in moment: PastMoment? = nil, now: Timestamp
    ) throws(StoreError) -> StatusReport {
        try Session.look(at: path, in: moment, now: now) { try StatusReport(of: $0) }
    }

    /// - Throws: `StoreError` of kind `unsuitable` for a store that is not Core Data's.
    package init(of session: Session) throws {
        let (store, description, database) = (session.store, session.description, session.database)
        try store.requireCoreData()
        let history = try description.history?.overview(database)
        let (alerts, pages) = try session.alertsWithPages()
        self.init(
            path: store.path, past: store.past, alerts: alerts, pages: pages,
            parts: Self.parts(of: store.files),
            isWAL: store.files.header.isWAL,
            lastChange: store.missingLog != nil ? try Self.lastChange(in: session, history) : nil,
            uuid: description.metadata.uuid, metadataProblem: description.metadata.problem,
            model: Model(
                schemaVersion: store.schemaVersion, identifiers: description.metadata.modelIdentifiers,
                hashes: description.hashComparison,
                frameworkVersion: description.metadata.frameworkVersion, entities: try Self.entities(of: session),
                unknown: store.unknownParts, composites: Self.composites(in: description.model)),
            unreadableTables: try Self.unreadableTables(of: description.schema, database),
            isTableGone: store.settings == nil && description.keys[SettingsTable.entityName] != nil,
            missingTables: store.missingTables, lacksMirror: store.lacksMirror,
            records: try session.meterSession.map(Self.records),
            devices: try session.meterSession.map(KnownDevices.init(of:)) ?? KnownDevices(),
            marker: store.rebuildMarker,
            lastImport: LegacyImportMark(in: description.metadata), history: history,
            mirror: try Self.mirror(of: session, pages))
    }

    /// The date of the latest transaction of the history, or the latest `updatedAt` of a record if that is later.
    private static func lastChange(in session: Session, _ history: PersistentHistory.Overview?) throws -> Timestamp? {
        let last = history?.last.map(Timestamp.init(secondsSince2001:))
        return try ([last] + session.store.records.map(\.updatedAt)).compactMap(\.self).max()
    }

    private static func parts(of files: StoreFiles) -> [(suffix: String, size: Int)] {
        [("", files.main), ("-wal", files.wal), ("-shm", files.shm), ("-journal", files.journal)]
            .compactMap { suffix, status in status.map { (suffix, $0.size) } }
    }

    private static func entities(of session: Session) throws -> [(name: String, rows: Int?)] {
        let keys = session.description.keys
        return try keys.appEntries.map { entry in
            guard let table = session.description.schema.tables[keys.table(of: entry)],
                table.has("Z_ENT")
            else { return (entry.name, nil) }
            var rows = 0
            try session.database.forEachRow(
                "SELECT COUNT(*) FROM \(table.name.quotedIdentifier) WHERE Z_ENT = ?", [.integer(entry.number)]
            ) { rows = Int($0.integer(0)) }
            return (entry.name, rows)
        }
    }

    private static func composites(in model: ManagedObjectModel?) -> [String] {
        (model?.entities ?? []).flatMap { entity in
            entity.composites.map { composite in
                let elements = composite.leaves.map { String($0.keyPath.dropFirst(composite.name.count + 1)) }
                return "\(entity.name).\(composite.name) (type 2100) of \(Phrase.start(of: elements, limit: 8))"
            }
        }
    }

    /// When a row is read, SQLite itself says which module is missing.
    private static func unreadableTables(
        of schema: StoreSchema, _ database: Database
    ) throws -> [(name: String, module: String)] {
        let complaint = "no such module: "
        return try schema.virtualTables.compactMap { table in
            do {
                _ = try database.makeStatement(sql: "SELECT 1 FROM \(table.name.quotedIdentifier)")
                return nil
            } catch let error as DatabaseError where error.message?.hasPrefix(complaint) ?? false {
                return (table.name.text, String(error.message?.dropFirst(complaint.count) ?? ""))
            } catch is DatabaseError {
                // The module is there, but its tables are damaged: the integrity check reports that.
                return nil
            }
        }
    }

    private static func records(of session: MeterSession) throws -> Records {
        let (store, settings) = (session.store, session.settings)
        let meters = store.addresses.meters
        let groups = store.addresses.metersWithSeveralRecords
        return Records(
            total: store.addresses.records, groups: groups.count,
            recordsInGroups: groups.reduce(0) { $0 + $1.records.count },
            fullyShown: groups.count { DisplayStatus(of: $0.records, in: store.letterCase).showsEverything },
            withoutUsableAddress: store.addresses.recordsWithoutUsableAddress,
            isAddressUnique: settings.isAddressUnique, letterCase: store.letterCase,
            meters: meters.count,
            named: meters.count { $0.records.contains { !$0.isEmpty(.meterName) } },
            lost: try FormerValues(of: session).values.count)
    }

    private static func mirror(of session: Session, _ pages: PageCheck) throws -> Mirror? {
        guard let mirror = session.mirror, var signs = try session.mirrorSigns() else { return nil }
        signs.pages = pages
        return Mirror(
            account: try session.account(), records: try mirror.recordCount(session.database), forecast: signs.forecast,
            token: signs.token, lastTransaction: try session.history?.lastTransaction(session.database),
            lastEvents: session.store.withCures(signs.events))
    }
}
