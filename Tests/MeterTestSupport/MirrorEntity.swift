internal import CoreDataStore

/// The entities of the mirror's own model. Their tables are those of a live store of macOS 26; the model behind them is
/// known only as far as it shows in its tables: an attribute has a type of its column's kind.
enum MirrorEntity: String, CaseIterable {
    case databaseMetadata = "NSCKDatabaseMetadata"
    case event = "NSCKEvent"
    case exportMetadata = "NSCKExportMetadata"
    case exportOperation = "NSCKExportOperation"
    case exportedObject = "NSCKExportedObject"
    case historyAnalyzerState = "NSCKHistoryAnalyzerState"
    case importOperation = "NSCKImportOperation"
    case importPendingRelationship = "NSCKImportPendingRelationship"
    case metadataEntry = "NSCKMetadataEntry"
    case mirroredRelationship = "NSCKMirroredRelationship"
    case mirroredRelationshipSystemFieldsAsset = "NSCKMirroredRelationshipSystemFieldsAsset"
    case recordMetadata = "NSCKRecordMetadata"
    case recordMetadataEncodedRecordAsset = "NSCKRecordMetadataEncodedRecordAsset"
    case recordMetadataSystemFieldsAsset = "NSCKRecordMetadataSystemFieldsAsset"
    case recordZoneMetadata = "NSCKRecordZoneMetadata"
    case recordZoneMetadataEncodedShareAsset = "NSCKRecordZoneMetadataEncodedShareAsset"
    case recordZoneMoveReceipt = "NSCKRecordZoneMoveReceipt"
    case recordZoneQuery = "NSCKRecordZoneQuery"

    var current: Entity {
        switch self {
        case .databaseMetadata:
            described(
                integers: ["databaseScopeNum", "hasSubscriptionNum"], dates: ["lastFetchDate"],
                texts: ["databaseName"], blobs: ["currentChangeToken"], unique: [["databaseScopeNum"]])
        case .event:
            described(
                integers: [
                    "cloudKitEventType", "countAffectedObjects", "countFinishedObjects", "errorCode", "succeeded",
                ], dates: ["endedAt", "startedAt"], texts: ["errorDomain"], uuids: ["eventIdentifier"],
                unique: [["eventIdentifier"]])
        case .exportMetadata:
            described(dates: ["exportedAt"], texts: ["identifier"], blobs: ["historyToken"])
        case .exportOperation:
            described(
                integers: ["statusNum"], texts: ["identifier"], keys: [("exportMetadata", .exportMetadata)])
        case .exportedObject:
            described(
                integers: ["changeTypeNum", "typeNum"], texts: ["ckRecordName", "zoneName"],
                keys: [("operation", .exportOperation)])
        case .historyAnalyzerState:
            described(
                integers: [
                    "entityId", "entityPK", "finalChangeTypeNum", "finalTransactionNumber", "originalChangeTypeNum",
                    "originalTransactionNumber",
                ], texts: ["finalChangeAuthor"], unique: [["entityId", "entityPK"]])
        case .importOperation:
            described(dates: ["importDate"], uuids: ["operationUUID"], blobs: ["changeTokenBytes"])
        case .importPendingRelationship:
            described(
                integers: ["needsDelete"],
                texts: [
                    "cdEntityName", "recordName", "recordZoneName", "recordZoneOwnerName", "relatedEntityName",
                    "relatedRecordName", "relatedRecordZoneName", "relatedRecordZoneOwnerName", "relationshipName",
                ], keys: [("operation", .importOperation)])
        case .metadataEntry:
            described(
                integers: ["boolValueNum", "integerValue"], dates: ["dateValue"], texts: ["key", "stringValue"],
                blobs: ["transformedValue"])
        case .mirroredRelationship:
            described(
                integers: ["isPending", "isUploaded", "needsDelete"],
                texts: [
                    "cdEntityName", "ckRecordID", "recordName", "relatedEntityName", "relatedRecordName",
                    "relationshipName",
                ],
                keys: [
                    ("recordZone", .recordZoneMetadata),
                    ("systemFieldsAsset", .mirroredRelationshipSystemFieldsAsset),
                ], unique: [["ckRecordID", "recordZone"]])
        case .mirroredRelationshipSystemFieldsAsset: asset(of: ("mirroredRelationship", .mirroredRelationship))
        case .recordMetadata:
            described(
                integers: [
                    "entityId", "entityPK", "lastExportedTransactionNumber", "needsCloudDelete", "needsLocalDelete",
                    "needsUpload", "pendingExportChangeTypeNumber", "pendingExportTransactionNumber",
                ], texts: ["ckRecordName"],
                keys: [
                    ("encodedRecordAsset", .recordMetadataEncodedRecordAsset), ("recordZone", .recordZoneMetadata),
                    ("systemFieldsAsset", .recordMetadataSystemFieldsAsset),
                ], unique: [["entityId", "entityPK"], ["ckRecordName", "recordZone"]])
        case .recordMetadataEncodedRecordAsset, .recordMetadataSystemFieldsAsset:
            asset(of: ("record", .recordMetadata))
        case .recordZoneMetadata:
            described(
                integers: [
                    "hasRecordZoneNum", "hasSubscriptionNum", "needsImport", "needsNewShareInvitation",
                    "needsRecoveryFromIdentityLoss", "needsRecoveryFromUserPurge", "needsRecoveryFromZoneDelete",
                    "needsShareDelete", "needsShareUpdate", "supportsAtomicChanges", "supportsFetchChanges",
                    "supportsRecordSharing", "supportsZoneSharing",
                ], dates: ["lastFetchDate"], texts: ["ckOwnerName", "ckRecordZoneName"], blobs: ["currentChangeToken"],
                keys: [
                    ("database", .databaseMetadata), ("encodedShareAsset", .recordZoneMetadataEncodedShareAsset),
                ], unique: [["ckRecordZoneName", "ckOwnerName", "database"]])
        case .recordZoneMetadataEncodedShareAsset: asset(of: ("recordZone", .recordZoneMetadata))
        case .recordZoneMoveReceipt:
            described(
                integers: ["needsCloudDelete"], dates: ["movedAt"], texts: ["ownerName", "recordName", "zoneName"],
                keys: [("recordMetadata", .recordMetadata)])
        case .recordZoneQuery:
            described(
                dates: ["lastFetchDate", "mostRecentRecordModificationDate"], texts: ["recordType"],
                blobs: ["predicate", "queryCursor"], keys: [("recordZone", .recordZoneMetadata)],
                unique: [["recordType", "recordZone"]])
        }
    }

    /// The entity in the first systems that could mirror, which no live store has shown: in part a guess, and only of the
    /// entities that have rows here. Nil for the others.
    var oldest: Entity? {
        switch self {
        case .databaseMetadata, .metadataEntry: current
        case .event:
            described(
                integers: [
                    "cloudKitEventType", "countAffectedObjects", "countFinishedObjects", "errorCode", "succeeded",
                ], dates: ["endedAt", "startedAt"], texts: ["errorDomain"], uuids: ["eventIdentifier"])
        case .recordMetadata:
            described(
                integers: ["entityId", "entityPK", "needsCloudDelete", "needsUpload"], texts: ["ckRecordName"],
                blobs: ["ckRecordSystemFields"], keys: [("recordZone", .recordZoneMetadata)],
                unique: [["entityId", "entityPK"], ["ckRecordName", "recordZone"]])
        case .recordZoneMetadata:
            described(
                integers: ["hasRecordZoneNum", "hasSubscriptionNum"], dates: ["lastFetchDate"],
                texts: ["ckOwnerName", "ckRecordZoneName"], blobs: ["currentChangeToken"],
                keys: [("database", .databaseMetadata)])
        case .exportMetadata, .exportOperation, .exportedObject, .historyAnalyzerState, .importOperation,
            .importPendingRelationship, .mirroredRelationship, .mirroredRelationshipSystemFieldsAsset,
            .recordMetadataEncodedRecordAsset, .recordMetadataSystemFieldsAsset, .recordZoneMetadataEncodedShareAsset,
            .recordZoneMoveReceipt, .recordZoneQuery:
            nil
        }
    }

    private func described(
        integers: [String] = [], dates: [String] = [], texts: [String] = [], uuids: [String] = [],
        blobs: [String] = [], keys: [(name: String, destination: MirrorEntity)] = [], unique: [[String]] = []
    ) -> Entity {
        let attributes =
            integers.map { Attribute($0, .integer64) } + dates.map { Attribute($0, .date) }
            + texts.map { Attribute($0, .string) } + uuids.map { Attribute($0, .uuid) }
            + blobs.map { Attribute($0, .binary) }
        return Entity(
            rawValue, attributes: attributes,
            relationships: keys.map { Relationship($0.name, to: $0.destination.rawValue) },
            uniquenessConstraints: unique)
    }

    /// A large value in a row of its own: in the row, or in a file that it names.
    private func asset(of owner: (name: String, destination: MirrorEntity)) -> Entity {
        described(blobs: ["binaryData", "externalBinaryData"], keys: [owner])
    }
}

/// The tables of the mirror's entities.
struct MirrorLayout: Sendable {
    /// What a table's name begins with.
    private let prefix: String
    private let layout: ModelLayout
    /// Those that create the tables and their indexes. Made once: thousands of stores need them.
    let statements: Result<[String], any Error>
    private var numbers: PrimaryKeys { layout.numbers }

    static let current = MirrorLayout(prefix: "A", MirrorEntity.allCases.map(\.current))
    static let oldest = MirrorLayout(prefix: "Z", MirrorEntity.allCases.compactMap(\.oldest))

    private init(prefix: String, _ entities: [Entity]) {
        let layout = ModelLayout(ManagedObjectModel(entities: entities))
        (self.prefix, self.layout) = (prefix, layout)
        statements = Result { try Self.statements(of: layout, prefix: prefix) }
    }

    func table(_ entity: MirrorEntity) -> String { prefix + entity.rawValue.uppercased() }

    func has(_ entity: MirrorEntity) -> Bool { numbers[entity.rawValue] != nil }

    /// `Z_ENT`: they are numbered by name, like an app's entities, but from 17001.
    func number(_ entity: MirrorEntity) -> Int64 { 17000 + (numbers[entity.rawValue]?.number ?? 0) }

    var entities: [(number: Int64, name: String)] { numbers.entries.map { (17000 + $0.number, $0.name) } }

    private static func statements(of layout: ModelLayout, prefix: String) throws -> [String] {
        let tables = try layout.tables()
        var statements: [String] = []
        var indexes: [String] = []
        for (entity, layout) in zip(layout.roots, tables) {
            let name = prefix + entity.name.uppercased()
            statements.append(
                EntityTable.createStatement(name, columns: layout.columns.map { ($0.name, $0.declaredType) }))
            for column in layout.columns where column.isKey {
                indexes.append(
                    EntityTable.indexStatement("\(name)_\(column.name)_INDEX", on: name, column: column.name))
            }
            for index in layout.uniqueIndexes {
                let columns = index.columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
                indexes.append("CREATE UNIQUE INDEX \(index.name) ON \(name) (\(columns))")
            }
        }
        return statements + indexes
    }
}
