/// Every check, in the order findings are reported.
package enum CheckCatalogue {
    /// A check by what it reads. Asking a type at run time which protocols it conforms to would search the whole
    /// program.
    enum Entry {
        case store(any StoreCheck.Type)
        /// The store, with the addresses of all its records.
        case addresses(any StoreCheck.Type)
        /// The same, and the records of meters that have several.
        case duplicates(DuplicateMAC.Type)
        case record(any RecordCheck.Type)
        /// One record after the other, and what the store says of records besides.
        case recordAndStore(any (RecordCheck & StoreCheck).Type)
        case group(any GroupCheck.Type)
        /// The store, beside what the user gives to compare it with.
        case comparison(any Check.Type)

        var description: CheckDescription {
            switch self {
            case .store(let check), .addresses(let check): check.description
            case .duplicates(let check): check.description
            case .record(let check): check.description
            case .recordAndStore(let check): check.description
            case .group(let check): check.description
            case .comparison(let check): check.description
            }
        }
    }

    /// Those that need neither records nor addresses.
    static var ofStore: [any StoreCheck.Type] {
        checks.compactMap { entry in
            switch entry {
            case .store(let check): check
            case .recordAndStore(let check): check
            case .addresses, .duplicates, .record, .group, .comparison: nil
            }
        }
    }

    static var checks: [Entry] {
        [
            .store(NotIntact.self),
            .store(WALMissing.self),
            .store(FilesMixed.self),
            .store(RecoveredStore.self),
            .store(MetadataMissing.self),
            .store(ModelHashMismatch.self),
            .comparison(ModelComparison.self),
            .store(ModelCacheMissing.self),
            .store(PrimaryKeyBehind.self),
            .store(EntityNumberMismatch.self),
            .store(HistoryBroken.self),
            .store(HistoryOff.self),
            .store(DeleteStorm.self),
            .store(MassDelete.self),
            .store(MirrorUnknownEntity.self),
            .store(MirrorDuplicateMetadata.self),
            .store(MirrorOrphan.self),
            .store(MirrorFailing.self),
            .store(MirrorStalled.self),
            .store(MirrorNotDownloaded.self),
            .store(MirrorStartedOver.self),
            .store(MirrorPending.self),
            .store(DeletePendingAlive.self),
            .store(MirrorRelationshipPending.self),
            .store(UniquenessConstraint.self),
            .duplicates(DuplicateMAC.self),
            .record(MACNotCanonical.self),
            .record(MACMissing.self),
            .record(MACInvalid.self),
            .record(MACPlaceholder.self),
            .record(NameMachineMade.self),
            .group(NameShared.self),
            .record(UnitUnknown.self),
            .record(CreatedMissing.self),
            .record(UpdatedMissing.self),
            .recordAndStore(UpdatedBehind.self),
            .store(IdentityChanged.self),
            .store(DiscoveryFlood.self),
            .record(DateImplausible.self),
            .record(ClockInFuture.self),
            .record(CreatedAfterUpdated.self),
            .record(RecordMarkedDeleted.self),
            .record(LockTorn.self),
            .record(LockTTL.self),
            .record(LockExpired.self),
            .record(MetadataBlobMalformed.self),
            .record(IDMissing.self),
            .group(IDDuplicate.self),
            .group(RecordIDShared.self),
            .addresses(RebuildMarkerMissing.self),
            .addresses(RebuildMarkerLies.self),
            .store(MirrorTokenLost.self),
            .store(MirrorCollision.self),
            .store(MirrorUnnamed.self),
            .store(MirrorUnfinished.self),
            .store(EntityNameDuplicate.self),
            .store(ColumnMissing.self),
            .addresses(RebuildMarkerOld.self),
            .store(NotMirrored.self),
            .record(DeviceNameGeneric.self),
            .store(DeviceIDShared.self),
            .addresses(NamesLost.self),
            .store(NoDeviceSettings.self),
        ]
    }

    package static let descriptions: [CheckDescription] = checks.map(\.description)

    /// Of the checks that need nothing but a store.
    package static let descriptionsOfStores: [CheckDescription] = checks.compactMap { entry in
        switch entry {
        case .comparison: nil
        case .store, .addresses, .duplicates, .record, .recordAndStore, .group: entry.description
        }
    }

    /// The checks that a store has something for: one without records of meters has nothing for those of records.
    package static func descriptions(for store: InspectedStore) -> [CheckDescription] {
        checks.filter { check in
            switch check {
            case .store: true
            // Nothing was given.
            case .comparison: false
            case .addresses, .duplicates, .record, .recordAndStore, .group: store.settings != nil
            }
        }.map(\.description)
    }
}
