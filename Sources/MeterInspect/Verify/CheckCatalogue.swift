/// Every check, in the order findings are reported.
extension Check {
    package static let all: [Check] = [
        .notIntact, .indexDamaged, .walMissing, .filesMixed, .recoveredStore, .metadataMissing, .modelHashMismatch,
        .modelDiffers,
        .modelCacheMissing, .tableMissing, .primaryKeyBehind, .rowNumberInvalid, .entityNumberMismatch, .historyBroken,
        .historyOff,
        .writtenWithoutHistory, .deleteStorm, .massDelete, .mirrorDeletesHere,
        .mirrorUnknownEntity, .mirrorDuplicateMetadata, .mirrorOrphan, .mirrorFailing,
        .mirrorStalled,
        .mirrorNotDownloaded, .mirrorStartedOver, .mirrorPending, .mirrorUploadsAgain, .mirrorLeftBehind,
        .deletePendingAlive, .mirrorRelationshipPending,
        .uniquenessConstraint, .foreignIndex, .foreignTrigger, .foreignColumn,
        .duplicateMAC, .macNotCanonical, .macMissing, .macInvalid, .macPlaceholder, .valueType,
        .nameMachineMade, .nameShared, .unitUnknown, .createdMissing, .updatedMissing, .updatedBehind, .identityChanged,
        .discoveryFlood, .dateImplausible, .clockInFuture, .createdAfterUpdated, .recordMarkedDeleted, .lockTorn,
        .lockTTL, .lockExpired, .metadataBlobMalformed, .idMissing, .idDuplicate, .recordIDShared,
        .rebuildMarkerMissing, .rebuildMarkerLies, .mirrorTokenLost, .mirrorCollision, .mirrorUnnamed,
        .mirrorUnfinished, .entityNameDuplicate, .columnMissing, .rebuildMarkerOld, .notMirrored, .deviceNameGeneric,
        .deviceIDShared, .namesLost, .noDeviceSettings,
    ]

    /// Those that need nothing but a store.
    package static let ofStoreAlone = all.filter { if case .comparison = $0.work { false } else { true } }

    /// The checks that a store has something for: one without records of meters has nothing for those of records.
    package static func all(for store: InspectedStore) -> [Check] {
        all.filter { check in
            switch check.work {
            case .store: true
            // Nothing was given.
            case .comparison: false
            case .meters, .records: store.settings != nil
            }
        }
    }
}
