/// Every check, in the order findings are reported.
package enum CheckCatalogue {
    static var checks: [any Check.Type] {
        [
            NotIntact.self,
            WALMissing.self,
            MetadataMissing.self,
            ModelHashMismatch.self,
            ModelCacheMissing.self,
            PrimaryKeyBehind.self,
            EntityNumberMismatch.self,
            HistoryBroken.self,
            HistoryOff.self,
            MirrorUnknownEntity.self,
            MirrorDuplicateMetadata.self,
            MirrorOrphan.self,
            MirrorFailing.self,
            MirrorPending.self,
            UniquenessConstraint.self,
            DuplicateMAC.self,
            MACNotCanonical.self,
            MACMissing.self,
            MACInvalid.self,
            MACPlaceholder.self,
            NameMachineMade.self,
            NameShared.self,
            UnitUnknown.self,
            UpdatedMissing.self,
            ClockInFuture.self,
            CreatedAfterUpdated.self,
            LockTorn.self,
            LockTTL.self,
            LockExpired.self,
            MetadataBlobMalformed.self,
            IDDuplicate.self,
            RebuildMarkerMissing.self,
            RebuildMarkerLies.self,
            NoDeviceSettings.self,
        ]
    }

    package static let descriptions: [CheckDescription] = checks.map { $0.description }
}
