internal import CoreDataStore
internal import GRDB

extension StoreFixture {
    /// Nil for a store that is not mirrored.
    private var layout: MirrorLayout? {
        switch mirror {
        case .none: nil
        case .current: .current
        case .oldest: .oldest
        }
    }

    func writeMirrorTables(to database: Database) throws {
        guard let layout else { return }
        for statement in try layout.statements.get() { try database.execute(sql: statement) }
        for entity in layout.entities {
            try insert(
                [
                    ("Z_ENT", .integer(entity.number)), ("Z_NAME", .text(entity.name)), ("Z_SUPER", 0), ("Z_MAX", 0),
                ], into: "Z_PRIMARYKEY", of: database)
        }
        try writeZone(to: database)
        for (index, event) in mirrorEvents.enumerated() { try write(event, number: index + 1, to: database) }
    }

    private func writeZone(to database: Database) throws {
        let fetched = FixtureValue.real(FixtureClock.now - 3 * FixtureClock.hour + 4)
        try add(
            [
                // 2 is the user's private database.
                ("ZDATABASESCOPENUM", 2), ("ZHASSUBSCRIPTIONNUM", 1), ("ZLASTFETCHDATE", fetched),
                ("ZDATABASENAME", "Private"), ("ZCURRENTCHANGETOKEN", opaque(7101)),
            ], to: .databaseMetadata, of: database)
        var columns: [(name: String, value: FixtureValue)] = [
            ("ZHASRECORDZONENUM", 1), ("ZHASSUBSCRIPTIONNUM", 1), ("ZDATABASE", 1), ("ZLASTFETCHDATE", fetched),
            ("ZCKOWNERNAME", "__defaultOwner__"), ("ZCKRECORDZONENAME", "com.apple.coredata.cloudkit.zone"),
            ("ZCURRENTCHANGETOKEN", opaque(7102)),
        ]
        if mirror == .current {
            columns += [
                "ZNEEDSIMPORT", "ZNEEDSNEWSHAREINVITATION", "ZNEEDSRECOVERYFROMIDENTITYLOSS",
                "ZNEEDSRECOVERYFROMUSERPURGE", "ZNEEDSRECOVERYFROMZONEDELETE", "ZNEEDSSHAREDELETE", "ZNEEDSSHAREUPDATE",
            ].map { ($0, 0) }
            columns += [
                "ZSUPPORTSATOMICCHANGES", "ZSUPPORTSFETCHCHANGES", "ZSUPPORTSRECORDSHARING", "ZSUPPORTSZONESHARING",
            ].map { ($0, 1) }
        }
        try add(columns, to: .recordZoneMetadata, of: database)
    }

    private func write(_ event: MirrorEvent, number: Int, to database: Database) throws {
        try add(
            [
                ("ZCLOUDKITEVENTTYPE", .integer(event.kind.rawValue)), ("ZSUCCEEDED", event.succeeded ? 1 : 0),
                ("ZCOUNTAFFECTEDOBJECTS", 0), ("ZCOUNTFINISHEDOBJECTS", 0),
                ("ZSTARTEDAT", .real(event.startedAt)),
                ("ZENDEDAT", event.isRunning ? .null : .real(event.startedAt + 2.25)),
                ("ZERRORDOMAIN", event.errorDomain.map { .text($0) } ?? .null),
                ("ZERRORCODE", event.errorCode.map { .integer($0) } ?? .null),
                ("ZEVENTIDENTIFIER", .blob(FixtureUUID(7000 + UInt64(number)).bytes)),
            ], to: .event, of: database)
    }

    /// The row that ties `record` to its CloudKit record.
    func writeRecordMetadata(
        of record: FixtureRecord, name: String, transaction: Int64, to database: Database
    ) throws {
        var columns: [(name: String, value: FixtureValue)] = [
            ("ZENTITYID", .integer(settingsNumber)), ("ZENTITYPK", .integer(record.row)), ("ZNEEDSCLOUDDELETE", 0),
            ("ZNEEDSUPLOAD", record.needsUpload ? 1 : 0), ("ZRECORDZONE", 1), ("ZCKRECORDNAME", .text(name)),
        ]
        guard mirror == .current else { return try add(columns, to: .recordMetadata, of: database) }
        let asset = try nextNumber(.recordMetadataSystemFieldsAsset, in: database)
        let metadata = try nextNumber(.recordMetadata, in: database)
        let exported: FixtureValue = history == .none ? .null : .integer(transaction)
        columns += [
            ("ZNEEDSLOCALDELETE", 0), ("ZLASTEXPORTEDTRANSACTIONNUMBER", exported),
            ("ZSYSTEMFIELDSASSET", .integer(asset)),
        ]
        try add(columns, to: .recordMetadata, of: database)
        // In a real store an archive of about 3 KB, which only CloudKit reads.
        try add(
            [("ZRECORD", .integer(metadata)), ("ZBINARYDATA", opaque(8000 + UInt64(metadata)))],
            to: .recordMetadataSystemFieldsAsset, of: database)
    }

    /// What the mirror keeps besides: its settings with the token, and what it found out about the history.
    /// - Parameter exported: how many transactions brought what CloudKit has; they are the first.
    func writeMirrorState(exported: Int64, to database: Database, options: StoreOptions) throws {
        guard let layout else { return }
        for entry in try settings(exported: exported, options: options) { try write(entry, to: database) }
        guard layout.has(.historyAnalyzerState) else {
            guard mirrorAnalyses.isEmpty else {
                throw FixtureError(description: "the oldest mirror has no table of analyses")
            }
            return
        }
        // The mirror empties the table after an export and numbers on.
        try setLastNumber(exported, of: .historyAnalyzerState, in: database)
        for analysis in mirrorAnalyses {
            try add(
                [
                    ("ZENTITYID", .integer(settingsNumber)), ("ZENTITYPK", .integer(analysis.row)),
                    ("ZORIGINALCHANGETYPENUM", .integer(analysis.original.type)),
                    ("ZORIGINALTRANSACTIONNUMBER", .integer(analysis.original.transaction)),
                    ("ZFINALCHANGETYPENUM", .integer(analysis.final.type)),
                    ("ZFINALTRANSACTIONNUMBER", .integer(analysis.final.transaction)),
                ], to: .historyAnalyzerState, of: database)
        }
    }

    private func settings(exported: Int64, options: StoreOptions) throws -> [MirrorEntry] {
        var entries: [MirrorEntry] = []
        if mirror == .current {
            // The hashes of the mirror's own model are not known: 32 bytes each, as long as the right ones.
            let own = MirrorEntity.allCases.enumerated().map { index, entity in
                (entity.rawValue, FixtureUUID(7200 + UInt64(index)).bytes + FixtureUUID(7300 + UInt64(index)).bytes)
            }
            let hashes = (hashedModel ?? model).versionHashes()
            entries += [
                MirrorEntry("PFCloudKitMetadataFrameworkVersionKey", .integer(options.frameworkVersion)),
                MirrorEntry("PFCloudKitMetadataNeedsMetadataMigrationKey", .flag(false)),
                MirrorEntry(
                    "PFCloudKitMetadataClientVersionHashesKey", .transformed(MirrorArchive.versionHashes(hashes))),
                MirrorEntry(
                    "PFCloudKitMetadataModelVersionHashesKey",
                    .transformed(MirrorArchive.versionHashes(Dictionary(uniqueKeysWithValues: own)))),
                MirrorEntry(
                    "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey",
                    .text("_" + FixtureUUID(7400).text.replacing("-", with: "").lowercased())),
            ]
        }
        entries.append(MirrorEntry("NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey", .flag(true)))
        if let token = token(exported: exported) {
            entries.append(MirrorEntry("NSCloudKitMirroringDelegateLastHistoryTokenKey", .transformed(token)))
        }
        return entries + mirrorEntries
    }

    private func token(exported: Int64) -> [UInt8]? {
        switch historyToken {
        case .none: nil
        case .lastExported:
            exported > 0 ? MirrorArchive.historyToken(store: storeUUID, transaction: exported) : nil
        case .transaction(let number): MirrorArchive.historyToken(store: storeUUID, transaction: number)
        case .otherStore(let number): MirrorArchive.historyToken(store: FixtureUUID(7500).text, transaction: number)
        }
    }

    private func write(_ entry: MirrorEntry, to database: Database) throws {
        let value: (name: String, value: FixtureValue) =
            switch entry.value {
            case .flag(let flag): ("ZBOOLVALUENUM", flag ? 1 : 0)
            case .integer(let number): ("ZINTEGERVALUE", .integer(number))
            case .text(let text): ("ZSTRINGVALUE", .text(text))
            case .transformed(let bytes): ("ZTRANSFORMEDVALUE", .blob(bytes))
            }
        try add([("ZKEY", .text(entry.key)), value], to: .metadataEntry, of: database)
    }

    /// Bytes that only CloudKit understands; here they mean nothing.
    private func opaque(_ number: UInt64) -> FixtureValue { .blob(FixtureUUID(number).bytes) }

    private func nextNumber(_ entity: MirrorEntity, in database: Database) throws -> Int64 {
        let last = try Int64.fetchOne(
            database, sql: #"SELECT "Z_MAX" FROM "Z_PRIMARYKEY" WHERE "Z_NAME" = ?"#, arguments: [entity.rawValue])
        return (last ?? 0) + 1
    }

    private func setLastNumber(_ number: Int64, of entity: MirrorEntity, in database: Database) throws {
        try database.execute(
            sql: #"UPDATE "Z_PRIMARYKEY" SET "Z_MAX" = ? WHERE "Z_NAME" = ?"#, arguments: [number, entity.rawValue])
    }

    private func add(
        _ columns: [(name: String, value: FixtureValue)], to entity: MirrorEntity, of database: Database
    ) throws {
        guard let layout else { return }
        let number = try nextNumber(entity, in: database)
        let keys: [(name: String, value: FixtureValue)] = [
            ("Z_PK", .integer(number)), ("Z_ENT", .integer(layout.number(entity))), ("Z_OPT", 1),
        ]
        try insert(keys + columns, into: layout.table(entity), of: database)
        try setLastNumber(number, of: entity, in: database)
    }
}
